"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector, root = document) => root.querySelector(selector);
  const sections = all("section.fn");
  const state = { q: "", show: "", file: "", criterion: "" };

  // -- filters: kept in the address as #?show=unknown&file=door.c&q=..., so that a view can be sent to somebody

  const textOf = new WeakMap(); // of a section and its rows, in lower case, made when first searched for
  const text = (element) => {
    if (!textOf.has(element)) textOf.set(element, element.textContent.toLowerCase());
    return textOf.get(element);
  };

  function filterSection(section) {
    if (state.file && section.dataset.file !== state.file) return 0;
    const name = text(one("h3", section)).includes(state.q);
    if (state.q && !name && !text(section).includes(state.q)) return 0;
    let shown = 0;
    for (const group of all(".os", section)) {
      const wrong = state.criterion && group.dataset.criterion !== state.criterion;
      for (const row of group.getElementsByClassName("o")) {
        const fits = !wrong && (!state.show || row.classList.contains(state.show)) && (!state.q || name || text(row).includes(state.q));
        row.hidden = !fits;
        shown += fits;
      }
      group.hidden = Boolean(wrong);
    }
    for (const score of all(".score", section)) score.hidden = Boolean(state.criterion && score.dataset.criterion !== state.criterion);
    const objectives = one("details.objectives", section);
    if (objectives && (state.show || state.q || state.criterion) && shown && shown <= 200) objectives.open = true;
    const narrow = state.show || state.criterion;
    return narrow ? shown : Math.max(shown, 1);
  }

  function apply() {
    let rows = 0, functions = 0;
    for (const section of sections) {
      const shown = filterSection(section);
      section.hidden = !shown;
      for (const link of all(`[data-fn="${CSS.escape(section.id)}"]`)) link.hidden = !shown;
      rows += shown ? all(".o", section).reduce((sum, row) => sum + !row.hidden, 0) : 0;
      functions += Boolean(shown);
    }
    const files = new Set(sections.filter((section) => !section.hidden).map((section) => section.dataset.file));
    for (const head of all("aside h4")) head.hidden = !files.has(head.dataset.file);
    for (const button of all("[data-show]")) button.classList.toggle("on", button.dataset.show === state.show);
    const narrow = state.q || state.show || state.file || state.criterion;
    one("#hits").textContent = narrow ? `${rows} objectives in ${functions} functions` : "";
    for (const each of all(".over")) each.hidden = Boolean(narrow);
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
