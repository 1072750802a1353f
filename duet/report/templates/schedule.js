// Steps through schedules: the row of a step is current, and the values that were written up to it are shown.
const stepThrough = (root) => {
  for (const lanes of root.querySelectorAll(".lanes")) {
    const rows = Array.from(lanes.querySelectorAll("tbody tr"));
    const output = lanes.querySelector(".values");
    let current = -1;
    const go = (index) => {
      if (index < 0 || index >= rows.length) return;
      if (current >= 0) rows[current].removeAttribute("aria-current");
      current = index;
      rows[current].setAttribute("aria-current", "step");
      rows[current].scrollIntoView({ block: "nearest" });
      const values = Object.assign({}, ...rows.slice(0, current + 1).map((row) => JSON.parse(row.dataset.values)));
      output.textContent = Object.entries(values).map(([name, value]) => `${name} = ${value}`).join(", ");
    };
    lanes.querySelector(".on").addEventListener("click", () => go(current + 1));
    lanes.querySelector(".back").addEventListener("click", () => go(current - 1));
    const keys = { ArrowRight: () => current + 1, ArrowLeft: () => current - 1, Home: () => 0, End: () => rows.length - 1 };
    lanes.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
      event.preventDefault();
      go(keys[event.key]());
    });
  }
};
stepThrough(document);
