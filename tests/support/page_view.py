"""What a page shows of a table, read from its elements: to be compared with what another page shows."""

VIEW = """(() => {
  const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
  const marks = (selector) =>
    [...document.querySelectorAll(selector)].map((one) => one.getAttribute("aria-label"));
  const table = document.querySelector("croupier-table");
  return {
    live: table.classList.contains("live"),
    phase: table.dataset.phase,
    headline: texts(".headline")[0],
    round: texts(".round")[0],
    cards: marks("croupier-hands croupier-card"),
    totals: texts("croupier-hands .total"),
    onTable: texts(".area-total"),
    stakes: texts(".area-stack:not([hidden]) .area-amount"),
    sums: texts(".sum"),
    beads: texts(".bead-plate text").join(""),
    bigRoad: marks(".big-road .road-space")[0],
  };
})()"""
"""Everything that the server decides and a table shows; nothing that depends on when one looks."""

PROMISES = """(() => {
  const all = (selector) =>
    [...document.querySelectorAll(selector)].filter((one) => one.offsetParent !== null);
  const usable = (selector) => all(selector)
    .filter((one) => one.getAttribute("aria-disabled") !== "true" && !one.disabled)
    .map((one) => one.className);
  return {
    live: document.querySelector("croupier-table").classList.contains("live"),
    areas: all(".area.playable").map((one) => one.dataset.bet),
    controls: usable(".area-target, .area-stack, .rack-chip, .tool, .deal, .sit, .cut"),
    seconds: document.querySelector(".ring-seconds").textContent,
    headline: document.querySelector(".headline").textContent,
  };
})()"""
"""What a page says can be done now."""

NOTE_PROMISES = f"""(() => {{
  window.promised = [];
  const table = document.querySelector("croupier-table");
  new MutationObserver(() => {{
    if (!table.classList.contains("live")) promised.push({PROMISES});
  }}).observe(table, {{ attributes: true, subtree: true, childList: true }});
}})()"""
"""From here on, notes what the page says can be done after every change while it is not live."""

NO_PROMISES = {"live": False, "areas": [], "controls": [], "seconds": "", "headline": "Reconnecting"}
"""What a page without a connection may say."""
