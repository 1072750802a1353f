"use strict";
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const root = document.documentElement;
  root.classList.add("scripts");

  const body = document.querySelector("#tasks tbody");
  const rows = all("tr", body);
  const heads = all("#tasks thead th");
  const tiles = all(".tile");
  const searchable = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const collator = new Intl.Collator(undefined, { numeric: true });

  // Cells without a value come last, whichever way the rest is sorted.
  const compare = (index, isNumber, sign) => (one, other) => {
    const [a, b] = [one, other].map((row) => row.cells[index].dataset.value ?? row.cells[index].textContent.trim());
    if (a === "" || b === "") return (a === "") - (b === "");
    return sign * (isNumber ? Number(a) - Number(b) : collator.compare(a, b));
  };
  heads.forEach((head, index) => {
    head.querySelector("button").addEventListener("click", () => {
      const isNumber = head.classList.contains("number");
      const before = head.getAttribute("aria-sort");
      const next = before ? (before === "ascending" ? "descending" : "ascending") : (isNumber ? "descending" : "ascending");
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", next);
      rows.slice().sort(compare(index, isNumber, next === "ascending" ? 1 : -1)).forEach((row) => body.append(row));
    });
  });

  const search = document.getElementById("search");
  const filter = () => {
    const on = new Set(tiles.filter((t) => t.getAttribute("aria-pressed") === "true").map((t) => t.dataset.verdict));
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !on.has(row.dataset.verdict) || !words.every((word) => searchable.get(row).includes(word));
      if (!row.hidden) shown += 1;
    }
    document.getElementById("shown").textContent = `${shown} of ${rows.length} shown`;
  };
  for (const tile of tiles) {
    tile.addEventListener("click", () => {
      tile.setAttribute("aria-pressed", String(tile.getAttribute("aria-pressed") !== "true"));
      filter();
    });
  }
  search.addEventListener("input", filter);
  filter();

  const theme = document.getElementById("theme");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const label = () => { theme.textContent = isDark() ? "Light colours" : "Dark colours"; };
  theme.hidden = false;
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; label(); });
  label();
})();
