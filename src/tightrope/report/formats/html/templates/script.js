"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector, root = document) => root.querySelector(selector);
  const sections = all("section.fn");
  const state = { q: "", show: "", file: "", criterion: "" };

  // -- filters: kept in the address as #?show=unknown&file=door.c&q=..., so that a view can be sent to somebody

  // A large page has hundreds of thousands of elements: what filters need is looked up once, and only what changes is set.
  const textOf = new WeakMap(); // of a section and its rows, in lower case, made when first searched for
  const text = (element) => {
    if (!textOf.has(element)) textOf.set(element, element.textContent.toLowerCase());
    return textOf.get(element);
  };
  const hide = (element, is) => { if (element.hidden !== is) element.hidden = is; };
  const linksTo = new Map();
  for (const link of all("[data-fn]")) linksTo.set(link.dataset.fn, [...(linksTo.get(link.dataset.fn) || []), link]);
  const partsOf = new Map();
  for (const section of sections) {
    partsOf.set(section, {
      head: one("h3", section),
      groups: all(".os", section).map((group) => [group, [...group.getElementsByClassName("o")]]),
      scores: all(".score", section),
      objectives: one("details.objectives", section),
    });
  }

  function filterSection(section) {
    if (state.file && section.dataset.file !== state.file) return 0;
    const parts = partsOf.get(section);
    const name = text(parts.head).includes(state.q);
    if (state.q && !name && !text(section).includes(state.q)) return 0;
    let shown = 0;
    for (const [group, rows] of parts.groups) {
      const wrong = Boolean(state.criterion && group.dataset.criterion !== state.criterion);
      for (const row of rows) {
        const fits = !wrong && (!state.show || row.classList.contains(state.show)) && (!state.q || name || text(row).includes(state.q));
        hide(row, !fits);
        shown += fits;
      }
      hide(group, wrong);
    }
    for (const score of parts.scores) hide(score, Boolean(state.criterion && score.dataset.criterion !== state.criterion));
    const asked = state.show || state.q || state.criterion;
    if (parts.objectives && asked && shown && shown <= 200) parts.objectives.open = true;
    return shown || (state.show || state.criterion ? 0 : -1); // nothing to count, and yet to be shown
  }

  function apply() {
    let rows = 0, functions = 0;
    const files = new Set();
    for (const section of sections) {
      const shown = filterSection(section);
      hide(section, !shown);
      for (const link of linksTo.get(section.id) || []) hide(link, !shown);
      rows += Math.max(shown, 0);
      functions += Boolean(shown);
      if (shown) files.add(section.dataset.file);
    }
    for (const head of all("aside h4")) hide(head, !files.has(head.dataset.file));
    for (const button of all(".seg [data-show]")) button.classList.toggle("on", button.dataset.show === state.show);
    const narrow = state.q || state.show || state.file || state.criterion;
    const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
    one("#hits").textContent = narrow ? `${count(rows, "objective")} in ${count(functions, "function")}` : "";
    for (const each of all(".over")) hide(each, Boolean(narrow));
  }

  function remember() {
    const words = Object.entries(state).filter(([, value]) => value).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    history.replaceState(null, "", words.length ? `#?${words.join("&")}` : "#");
  }

  function set(key, value) {
    state[key] = value;
    apply();
    remember();
  }

  function recall() {
    const words = new URLSearchParams(location.hash.slice(2));
    for (const key of Object.keys(state)) state[key] = words.get(key) || "";
    one("#q").value = state.q;
    for (const key of ["file", "criterion"]) if (one(`#${key}`)) one(`#${key}`).value = state[key];
    apply();
  }

  let waiting = 0;
  one("#q").addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => set("q", event.target.value.trim().toLowerCase()), 120);
  });
  for (const button of all("[data-show]")) button.addEventListener("click", () => set("show", button.dataset.show));
  for (const key of ["file", "criterion"]) if (one(`#${key}`)) one(`#${key}`).addEventListener("change", (event) => set(key, event.target.value));

  // -- links: what they lead to may be inside something that is closed or filtered out

  function follow() {
    if (location.hash.startsWith("#?")) return recall();
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return undefined;
    for (let each = target; each; each = each.parentElement) {
      if (each.tagName === "DETAILS") each.open = true;
      each.hidden = false;
    }
    if (target.matches("section.fn")) for (const part of all("details.source, details.decisions", target)) part.open = true;
    for (const other of all(".target")) other.classList.remove("target");
    target.classList.add("target");
    target.scrollIntoView({ block: target.matches("section,h1,h2") ? "start" : "center" });
    return undefined;
  }
  window.addEventListener("hashchange", follow);

  // -- the source: a click on a line's count or on a condition shows its objectives below the line

  document.addEventListener("click", (event) => {
    const mark = event.target.closest(".m, .ct");
    const line = mark && mark.closest(".ln[data-o]");
    if (!line) return;
    const numbers = (mark.dataset.o || line.dataset.o).split(" ");
    const next = line.nextElementSibling;
    const open = next && next.classList.contains("peek") ? next : null;
    const same = open && open.dataset.o === numbers.join(" ");
    if (open) open.remove();
    if (same) return;
    const peek = document.createElement("div");
    peek.className = "peek";
    peek.dataset.o = numbers.join(" ");
    const anchor = line.closest("section.fn").id;
    for (const number of numbers) {
      const row = document.getElementById(`${anchor}/o${number}`);
      if (!row) continue;
      const copy = row.cloneNode(true);
      copy.removeAttribute("id");
      copy.hidden = false;
      peek.append(copy);
    }
    line.after(peek);
  });

  // -- a condition's pair stands out while the pointer is on it

  document.addEventListener("mouseover", (event) => {
    const cell = event.target.closest && event.target.closest("[data-c]");
    const table = cell && cell.closest(".dec");
    for (const other of all(".dec [data-c].lit")) other.classList.remove("lit");
    if (table) for (const each of all(`[data-c="${cell.dataset.c}"]`, table)) each.classList.add("lit");
  });

  // -- all sections at once; light and dark; paper

  let unfolded = false;
  const unfold = (is) => { for (const each of all("section.fn details.part")) each.open = is; };
  one("#unfold").addEventListener("click", (event) => {
    unfolded = !unfolded;
    unfold(unfolded);
    event.target.textContent = unfolded ? "fold" : "unfold";
  });
  const theme = (name) => { document.documentElement.dataset.theme = name; };
  const dark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  try { theme(localStorage.getItem("tightrope-theme") || ""); } catch { /* a file may have no storage */ }
  one("#theme").addEventListener("click", () => {
    theme(dark() ? "light" : "dark");
    try { localStorage.setItem("tightrope-theme", document.documentElement.dataset.theme); } catch { /* as above */ }
  });
  window.addEventListener("beforeprint", () => unfold(true));

  if (location.hash) follow();
})();
