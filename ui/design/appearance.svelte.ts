// Theme and text size. Both follow the system until a person chooses otherwise; the choice is this machine's, not the
// study's, so it lives in the browser's own storage.

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];
export const textSizes = [100, 125, 150, 200] as const;
export type TextSize = (typeof textSizes)[number];

const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage can be refused; the defaults then hold for this window
  }
};
const write = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // see read
  }
};

export const appearance: { theme: Theme; textSize: TextSize } = $state({
  theme: themes.find((t) => t === read("assize.theme")) ?? "system",
  textSize: textSizes.find((s) => String(s) === read("assize.text")) ?? 100,
});

function apply(): void {
  const root = document.documentElement;
  if (appearance.theme === "system") delete root.dataset.theme;
  else root.dataset.theme = appearance.theme;
  root.dataset.text = String(appearance.textSize);
}

export function setTheme(theme: Theme): void {
  appearance.theme = theme;
  write("assize.theme", theme);
  apply();
}

export function setTextSize(size: TextSize): void {
  appearance.textSize = size;
  write("assize.text", String(size));
  apply();
}

if (typeof document !== "undefined") apply();
