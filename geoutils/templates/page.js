// Sort a table by one of its columns: click or press Enter on a heading.
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  if (!table.tHead || !body || body.rows.length < 2) continue;
  const headings = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    const given = cell.dataset.value;
    return given === undefined ? cell.textContent.trim() : Number(given);
  };
  const order = (first, second, down) => {
    const numbers = [first, second].map((value) => typeof value === "number");
    if (numbers[0] && numbers[1]) return first - second;
    if (numbers[0] !== numbers[1]) return down * (numbers[0] ? -1 : 1); // what has no number stays last either way
    return first.localeCompare(second, "en", { numeric: true });
  };
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", down === 1 ? "ascending" : "descending");
      const rows = [...body.rows];
      rows.sort((a, b) => down * order(valueOf(a, column), valueOf(b, column), down));
      body.append(...rows);
    });
  });
}
