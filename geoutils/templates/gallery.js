// Show only the problems and answers that the three lists ask for.
"use strict";
{
  const form = document.querySelector("form.filters");
  const cards = [...document.querySelectorAll("article.flip")];
  const fits = (wanted, value) =>
    wanted === "" || wanted === value || (wanted === "flips" && value !== "CCC" && value !== "WWW" && value !== "");
  const apply = () => {
    const wanted = Object.fromEntries([...form.elements].filter((item) => item.name).map((item) => [item.name, item.value]));
    let seen = 0;
    for (const card of cards) {
      let rows = 0;
      for (const row of card.querySelectorAll("tr[data-model]")) {
        row.hidden = !(fits(wanted.pattern, row.dataset.pattern) && fits(wanted.model, row.dataset.model));
        rows += row.hidden ? 0 : 1;
      }
      card.hidden = rows === 0 || !fits(wanted.category, card.dataset.category);
      seen += card.hidden ? 0 : 1;
    }
    form.querySelector("output").textContent = `${seen} of ${cards.length} problems shown`;
  };
  if (form) {
    form.hidden = false;
    form.addEventListener("change", apply);
    form.addEventListener("reset", () => setTimeout(apply));
    form.addEventListener("submit", (event) => event.preventDefault());
    apply();
  }
}
