"use strict";
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const byId = (id) => document.getElementById(id);
  const root = document.documentElement;
  root.classList.add("scripts");

  const SAFE = new Set(["proved", "unreachable"]);
  const details = all("details.check");
  const rows = all("#checks tbody tr");
  const tiles = all(".tile");
  const searchable = rows.map((row) => row.textContent.toLowerCase());
  const toggles = new Map();
  for (const toggle of all(".toggle")) {
    for (const id of toggle.getAttribute("aria-controls").trim().split(/\s+/)) toggles.set(id, toggle);
  }

  // In the source, safe checks stay behind their mark in the margin until asked for.
  const show = (detail, visible) => {
    detail.hidden = !visible;
    const toggle = toggles.get(detail.id);
    if (!toggle) return;
    const ids = toggle.getAttribute("aria-controls").trim().split(/\s+/);
    toggle.setAttribute("aria-expanded", String(ids.some((id) => byId(id).open && !byId(id).hidden)));
  };
  for (const detail of details) {
    show(detail, !SAFE.has(detail.dataset.status));
    detail.addEventListener("toggle", () => show(detail, !detail.hidden));
  }
  for (const toggle of new Set(toggles.values())) {
    toggle.addEventListener("click", () => {
      const opening = toggle.getAttribute("aria-expanded") !== "true";
      for (const id of toggle.getAttribute("aria-controls").trim().split(/\s+/)) {
        const detail = byId(id);
        detail.open = opening;
        show(detail, opening || !SAFE.has(detail.dataset.status));
      }
    });
  }

  const reveal = (detail, focus) => {
    detail.open = true;
    show(detail, true);
    detail.scrollIntoView({ block: "center" });
    if (focus) detail.querySelector("summary").focus({ preventScroll: true });
  };
  const followHash = () => {
    const target = byId(location.hash.slice(1));
    if (target && target.matches("details.check")) reveal(target, true);
  };
  addEventListener("hashchange", followHash);
  followHash();
  for (const link of all("#checks a")) {
    link.addEventListener("click", () => { if (link.hash === location.hash) followHash(); });
  }

  const search = byId("search");
  const filter = () => {
    const on = new Set(tiles.filter((t) => t.getAttribute("aria-pressed") === "true").map((t) => t.dataset.status));
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, index) => {
      row.hidden = !on.has(row.dataset.status) || !words.every((word) => searchable[index].includes(word));
      if (!row.hidden) shown += 1;
    });
    byId("shown").textContent = `${shown} of ${rows.length} shown`;
  };
  for (const tile of tiles) {
    tile.addEventListener("click", () => {
      tile.setAttribute("aria-pressed", String(tile.getAttribute("aria-pressed") !== "true"));
      filter();
    });
  }
  search.addEventListener("input", filter);
  filter();

  const open = details.filter((detail) => !SAFE.has(detail.dataset.status));
  let current = -1;
  const move = (by) => {
    if (!open.length) return;
    current = current < 0 && by < 0 ? open.length - 1 : (current + by + open.length) % open.length;
    reveal(open[current], true);
  };
  byId("next").addEventListener("click", () => move(1));
  byId("previous").addEventListener("click", () => move(-1));
  for (const id of ["next", "previous"]) byId(id).disabled = !open.length;
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
    if (event.key === "j") move(1);
    if (event.key === "k") move(-1);
  });

  const expand = byId("expand");
  expand.addEventListener("click", () => {
    const opening = expand.getAttribute("aria-pressed") !== "true";
    for (const detail of details) {
      detail.open = opening;
      show(detail, opening || !SAFE.has(detail.dataset.status));
    }
    expand.setAttribute("aria-pressed", String(opening));
    expand.textContent = opening ? "Close all" : "Open all";
  });
  // On paper everything that is not proved is spelt out.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = open.filter((detail) => !detail.open);
    for (const detail of closed) detail.open = true;
  });
  addEventListener("afterprint", () => { for (const detail of closed) detail.open = false; });

  const theme = byId("theme");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const label = () => { theme.textContent = isDark() ? "Light colours" : "Dark colours"; };
  theme.hidden = false;
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; label(); });
  label();
})();
