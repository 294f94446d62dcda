// A list of buttons or boxes walked with the arrow keys, Home and End: one stop for Tab would be less than people expect of buttons, so
// Tab goes on working, too.
export function options(list: HTMLElement): { destroy: () => void } {
  const onkeydown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const all = [...list.querySelectorAll<HTMLElement>("button:not(:disabled), input")];
    const at = all.findIndex((stop) => stop === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    const next = to === undefined ? undefined : all[Math.min(all.length - 1, Math.max(0, to))];
    if (at < 0 || !next) return;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  };
  list.addEventListener("keydown", onkeydown);
  return {
    destroy: () => {
      list.removeEventListener("keydown", onkeydown);
    },
  };
}
