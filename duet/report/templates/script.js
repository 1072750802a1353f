"use strict";
(async () => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const byId = (id) => document.getElementById(id);
  const root = document.documentElement;
  root.classList.add("scripts");

  const SAFE = new Set(["proved", "unreachable"]);
  const GLYPH = { proved: "✓", unproved: "!", refuted: "✗", unreachable: "∅", unknown: "?" };
  const AT_ONCE = 300; // rows that are drawn before "More" is asked for
  const body = byId("checks").tBodies[0];
  const tiles = all(".tile");

  const theme = byId("theme");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const label = () => { theme.textContent = isDark() ? "Light colours" : "Dark colours"; };
  theme.hidden = false;
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; label(); });
  label();

  // A large page has its checks, evidence and sources in a compressed store; the text in it was escaped when it was made.
  const unpacked = async () => {
    const element = byId("store");
    if (!element) return null;
    const bytes = Uint8Array.from(atob(element.content.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };
  const make = (tag, text, className) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  };
  const drawn = (check) => {
    const row = make("tr");
    row.dataset.status = check.status;
    const badge = make("span", undefined, `badge ${check.status}`);
    badge.append(make("span", GLYPH[check.status], "glyph"), check.status);
    const link = make("a", check.place, "place");
    link.href = `#check-${check.number}`;
    const cells = [badge, link, check.function, check.property, make("code", check.must), make("code", check.known)];
    for (const content of cells) { const cell = make("td"); cell.append(content); row.append(cell); }
    return row;
  };
  const store = await unpacked();
  const checks = store
    ? store.rows.map((row) => Object.fromEntries(store.columns.map((name, index) => [name, row[index]])))
    : all("tr", body).map((row) => ({
      number: Number(row.dataset.check), status: row.dataset.status, file: row.dataset.file, row,
      group: Number(row.dataset.group), rank: Number(row.dataset.rank),
      threads: row.dataset.threads ? row.dataset.threads.split("|") : [],
      place: row.cells[1].innerText.trim(), function: row.cells[2].textContent, property: row.cells[3].textContent,
      must: row.cells[4].textContent, known: row.cells[5].textContent,
    }));
  for (const check of checks) check.text = Object.values(check).filter((v) => typeof v === "string").join(" ").toLowerCase();
  const byNumber = new Map(checks.map((check) => [check.number, check]));

  // Filters, order, and as many rows as are asked for.
  const search = byId("search");
  const filters = { property: (c) => [c.property], function: (c) => [c.function], file: (c) => [c.file], thread: (c) => c.threads };
  const selects = Object.entries(filters).map(([name, values]) => {
    const select = byId(`by-${name}`);
    const counts = new Map();
    for (const check of checks) for (const value of values(check)) if (value) counts.set(value, (counts.get(value) || 0) + 1);
    for (const [value, count] of [...counts].sort()) select.append(new Option(`${value} (${count})`, value));
    select.addEventListener("change", () => draw());
    return [select, values];
  });
  let group = 0, limit = AT_ONCE, key = "rank", isDown = false, shown = [];
  const urgency = (check) => check.rank || 1e9 + check.number;
  const compare = (a, b) => {
    const order = key === "rank" ? urgency(a) - urgency(b) : String(a[key]).localeCompare(String(b[key]), undefined, { numeric: true });
    return (isDown ? -order : order) || urgency(a) - urgency(b);
  };
  const draw = () => {
    const on = new Set(tiles.filter((t) => t.getAttribute("aria-pressed") === "true").map((t) => t.dataset.status));
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = checks.filter((check) => on.has(check.status) && (!group || check.group === group)
      && selects.every(([select, values]) => !select.value || values(check).includes(select.value))
      && words.every((word) => check.text.includes(word))).sort(compare);
    const rows = [];
    for (const check of shown.slice(0, limit)) {
      rows.push(check.row ||= drawn(check));
      if (check.opened) rows.push(check.opened);
    }
    body.replaceChildren(...rows);
    byId("shown").textContent = `${shown.length} of ${checks.length} shown`;
    byId("more").hidden = shown.length <= limit;
    byId("more").textContent = `${shown.length - limit} more`;
    byId("all").hidden = !group;
    byId("all").textContent = `All groups (now only group ${group})`;
  };
  const only = (number) => { group = number; draw(); byId("checks-title").scrollIntoView(); };
  for (const tile of tiles) {
    tile.addEventListener("click", () => {
      tile.setAttribute("aria-pressed", String(tile.getAttribute("aria-pressed") !== "true"));
      draw();
    });
  }
  for (const button of all(".only")) button.addEventListener("click", () => only(Number(button.dataset.group)));
  for (const head of all("#checks th")) {
    head.addEventListener("click", () => {
      isDown = key === head.dataset.key && !isDown;
      key = head.dataset.key;
      for (const other of all("#checks th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      draw();
    });
  }
  search.addEventListener("input", draw);
  byId("all").addEventListener("click", () => only(0));
  byId("more").addEventListener("click", () => { limit += 1000; draw(); });
  draw();

  // What is known of a check: in a large page below its row, else in the source.
  const details = all("details.check");
  const toggles = new Map();
  for (const toggle of all(".toggle[aria-controls]")) {
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
  const unfold = (check) => {
    if (!check.opened) {
      check.opened = make("tr", undefined, "opened");
      const cell = make("td");
      cell.colSpan = 6;
      const evidence = make("div", undefined, "evidence");
      evidence.id = `check-${check.number}`;
      evidence.innerHTML = store.evidence[check.number - 1];
      stepThrough(evidence);
      cell.append(evidence);
      check.opened.append(cell);
    }
    if (!shown.includes(check)) { group = 0; search.value = ""; for (const [select] of selects) select.value = ""; draw(); }
    limit = Math.max(limit, shown.indexOf(check) + 1);
    draw();
    check.row.scrollIntoView({ block: "center" });
  };
  const reveal = (check, focus) => {
    if (!check) return;
    if (store) return unfold(check);
    const detail = byId(`check-${check.number}`);
    detail.open = true;
    show(detail, true);
    detail.scrollIntoView({ block: "center" });
    if (focus) detail.querySelector("summary").focus({ preventScroll: true });
  };
  const followHash = () => {
    const found = /^#check-(\d+)$/.exec(location.hash);
    if (found) reveal(byNumber.get(Number(found[1])), true);
  };
  addEventListener("hashchange", followHash);
  followHash();
  body.addEventListener("click", (event) => {
    const link = event.target.closest("a.place");
    if (!link || link.hash !== location.hash) return;
    const check = byNumber.get(Number(link.hash.slice("#check-".length)));
    if (store && check.opened && check.opened.isConnected) {
      check.opened = undefined;
      history.replaceState(null, "", " ");
      event.preventDefault();
      draw();
    } else followHash();
  });
  for (const file of all("details.file")) {
    file.addEventListener("toggle", () => {
      if (file.children.length > 1) return;
      const source = make("div");
      source.innerHTML = store.sources[Number(file.dataset.source)];
      file.append(source);
      source.addEventListener("click", (event) => {
        const toggle = event.target.closest(".toggle");
        if (!toggle) return;
        search.value = `${toggle.dataset.place}:`;
        only(0);
      });
    });
  }

  const open = checks.filter((check) => !SAFE.has(check.status)).sort((a, b) => urgency(a) - urgency(b));
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
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
    if (event.key === "j") move(1);
    if (event.key === "k") move(-1);
  });

  const expand = byId("expand");
  if (expand) expand.addEventListener("click", () => {
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
    closed = details.filter((detail) => !SAFE.has(detail.dataset.status) && !detail.open);
    for (const detail of closed) detail.open = true;
  });
  addEventListener("afterprint", () => { for (const detail of closed) detail.open = false; });
  root.dataset.ready = "yes";
})();
