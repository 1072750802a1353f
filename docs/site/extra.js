// Names for what the theme gives none: the dialog of the search, the buttons beside each block of code; and a way to scroll
// these blocks by keyboard.
function named() {
  document.querySelectorAll(".md-search[role=dialog]").forEach((item) => item.setAttribute("aria-label", "Search"));
  document.querySelectorAll(".md-code__nav").forEach((item, index) =>
    item.setAttribute("aria-label", `Block of code ${index + 1}`));
  document.querySelectorAll("pre > code, .md-typeset__scrollwrap").forEach((item) => item.setAttribute("tabindex", "0"));
}
document.addEventListener("DOMContentLoaded", () => {
  named();
  new MutationObserver(named).observe(document.body, { childList: true, subtree: true });
});
