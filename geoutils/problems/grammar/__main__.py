"""Show how a statement or question is read: `python -m geoutils.problems.grammar "In triangle ABC, AB = 7."`"""

from __future__ import annotations

import argparse

from . import read_question, read_statement, split_sentences


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m geoutils.problems.grammar",
        description="Read sentences into conditions.",
        epilog='example: python -m geoutils.problems.grammar "In triangle ABC, AB = 7. Find the length of AC."',
    )
    parser.add_argument("text", help="one statement; sentences that begin with Find are read as questions")
    parser.add_argument("--representation", default="euclid", choices=["coord", "euclid", "vector"])
    parser.add_argument("--hidden", default="", help="hidden points in order, for example OQ")
    options = parser.parse_args()
    sentences = split_sentences(options.text)
    questions = [item for item in sentences if item.startswith("Find ")]
    sentences = [item for item in sentences if not item.startswith("Find ")]
    reading = read_statement(sentences, options.representation, hidden=list(options.hidden))
    for place, item in enumerate(sentences):
        print(item)
        if place in reading.unread:
            print("    NOT READ:", reading.reasons.get(place, ""))
        for condition in reading.by_sentence[place]:
            print("   ", condition)
    failed = len(reading.unread)
    for item in questions:
        print(item)
        try:
            print("   ", read_question(item))
        except ValueError as error:
            failed += 1
            print("    NOT READ:", error)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
