/** Puts text on the clipboard; false when it was refused. Old-fashioned where the new way is not open to the page. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "visually-hidden";
    document.body.append(field);
    const before = document.activeElement;
    field.select();
    try {
      // The only way where the asynchronous clipboard is closed to the page.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      return document.execCommand("copy");
    } finally {
      field.remove();
      if (before instanceof HTMLElement) before.focus();
    }
  }
}
