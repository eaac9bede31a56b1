"""Exact requests and their keys, endpoints and prompts."""

from __future__ import annotations

import dataclasses
import json

import pytest
from inference_cases import experiment_file, problems_table

from geoutils import prompts
from geoutils.endpoints import Endpoint, plain_url, resolve
from geoutils.errors import UserError
from geoutils.requests import RequestMaker, cell_request, cells_of, chat_request, data_uri

PNG = b"\x89PNG\r\n\x1a\n" + b"pixels"
LAB = Endpoint("lab/m", "lab", "openai", "m", "http://127.0.0.1:1/v1")
ROUTER = Endpoint("openrouter/a/b", "openrouter", "openrouter", "a/b", "https://router/v1")


def test_any_change_of_any_field_is_another_request():
    base = {"temperature": 0.0, "top_p": 1.0, "max_tokens": 9, "seed": 1}
    first = chat_request(LAB, "text", base)
    assert chat_request(LAB, "text", dict(reversed(base.items()))) == first  # the order of fields is none
    others = [
        chat_request(LAB, "text ", base), chat_request(dataclasses.replace(LAB, model="n"), "text", base),
        chat_request(dataclasses.replace(LAB, url="http://127.0.0.1:2/v1"), "text", base),
        chat_request(LAB, "text", base, images=[PNG]), chat_request(LAB, "text", base, images=[PNG + b"x"]),
        *(chat_request(LAB, "text", {**base, name: None}) for name in base),
        *(chat_request(LAB, "text", {**base, name: base[name] + 1}) for name in base),
    ]
    hashes = [first.sha256, *(other.sha256 for other in others)]
    assert len(set(hashes)) == len(hashes)
    assert len({first.key(repeat) for repeat in range(5)}) == 5


def test_images_travel_as_data_uris_and_are_hashed_by_content():
    request = chat_request(LAB, "what is x?", {}, images=[PNG])
    parts = json.loads(request.body())["messages"][0]["content"]
    assert parts[0]["image_url"]["url"] == data_uri(PNG) and parts[1] == {"type": "text", "text": "what is x?"}
    assert b"base64" not in request.sent and len(request.sent) < 300
    with pytest.raises(UserError, match="neither PNG"):
        data_uri(b"GIF?")


def test_seeds_grow_with_the_repeat_and_nulls_are_left_out():
    body = json.loads(chat_request(LAB, "t", {"seed": 7, "top_p": None}, repeat=2).body())
    assert body["seed"] == 9 and "top_p" not in body and "usage" not in body and "provider" not in body


def test_openrouter_routing_is_fixed_and_usage_on():
    body = json.loads(chat_request(ROUTER, "t", {}).body())
    assert body["provider"] == {"allow_fallbacks": False, "require_parameters": True, "sort": "price"}
    assert body["usage"] == {"include": True}
    pinned = json.loads(chat_request(ROUTER, "t", {"provider": {"only": ["X"]}, "reasoning": {"effort": "low"}}).body())
    assert pinned["provider"] == {"allow_fallbacks": False, "require_parameters": True, "only": ["X"]}
    assert pinned["reasoning"] == {"effort": "low"}


def test_cells_are_those_of_the_plan(tmp_path):
    text = (
        "models: [baseline/gold, baseline/last-number]\nvariants: 2\nrepresentations: [vector, coord]\nparts:\n"
        "  - {strategies: [direct]}\n  - {strategies: [direct, reason], models: [baseline/gold], limit_per_category: 1, repeats: 3}\n"
    )
    experiment = experiment_file(tmp_path, text)
    problems = problems_table([f"p{place}" for place in range(9)], variants=3)
    names = ["model", "strategy", "problem", "category", "variant", "representation", "repeat"]
    made = [
        tuple(getattr(cell, name) for name in names)
        for pair in experiment.pairs() for cell in cells_of(experiment, problems, *pair)
    ]
    assert made == [tuple(row) for row in experiment.plan(problems)[names].itertuples(index=False)]


@pytest.mark.parametrize("more", ["", "sampling: {seed: null, temperature: null}\n", "sampling: {max_tokens: 987}\n"])
@pytest.mark.parametrize("model", ["lab/m", "openrouter/a/b", "local/smollm2-135m-instruct", "baseline/gold"])
def test_the_quick_maker_makes_the_same_requests(tmp_path, model, more):
    text = f'models: [{model}]\nrepeats: 3\nendpoints: {{lab: {{base_url: "http://h/v1"}}}}\n{more}'
    experiment = experiment_file(tmp_path, text)
    problems = problems_table(['a "quoted" √2\n', "{statement} 987654321987", "@@the text@@"])
    parameters = experiment.sampling_for(model, "direct")
    endpoint = resolve(model, experiment)
    make = RequestMaker(endpoint, "direct", experiment, parameters)
    for cell in cells_of(experiment, problems, model, "direct"):
        assert make(cell) == cell_request(endpoint, cell, experiment, parameters)


def test_endpoints_are_found_and_refused(tmp_path):
    experiment = experiment_file(tmp_path, 'endpoints: {lab: {base_url: "http://user:word@host:8000/v1/"}}\n')
    assert resolve("lab/a/b:free", experiment).url == "http://host:8000/v1"
    assert resolve("lab/a/b:free", experiment).model == "a/b:free" and resolve("lab/x", experiment).key() == "none"
    router = resolve("openrouter/google/x", experiment)
    assert (router.kind, router.model, router.key_env) == ("openrouter", "google/x", "OPENROUTER_API_KEY")
    assert resolve("local/smollm2-135m-instruct", experiment).kind == "embedded"
    for model in ("google/x", "local/x", "baseline/x"):
        with pytest.raises(UserError, match=model):
            resolve(model, experiment)
    assert plain_url("https://a:b@h/v1?key=1#x") == "https://h/v1"


def test_prompts_hold_the_statement_once():
    for strategy in ("direct", "convert", "reason"):
        assert prompts.render(strategy, "What is {x}?").count("What is {x}?") == 1
    for key in ("euclidean_conversion", "reasoning", "numeric_answer"):
        assert f'"{key}"' in prompts.load_prompt("convert")
    assert set(prompts.prompt_hashes()) >= set(prompts.strategies())
    assert set(prompts.strategies()) >= {"direct", "convert", "reason", "zeroshot", "fewshot", "cot"}
    with pytest.raises(UserError, match=r"there is no data/prompts/none.txt"):
        prompts.load_prompt("none")
