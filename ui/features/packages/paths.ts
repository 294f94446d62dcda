// Where packages go by default, and passphrases that can be read out.

/** The folder that a path lies in; the path itself where it has none. */
export function parentOf(path: string): string {
  const plain = path.replace(/[\\/]+$/, "");
  const at = Math.max(plain.lastIndexOf("/"), plain.lastIndexOf("\\"));
  return at > 0 ? plain.slice(0, at) : plain;
}

/** A path below a folder, with the folder's own separator. */
export const below = (folder: string, name: string): string =>
  `${folder.replace(/[\\/]+$/, "")}${folder.includes("\\") && !folder.includes("/") ? "\\" : "/"}${name}`;

/** A name that every file system takes. */
export const fileName = (text: string): string => text.replace(/[\\/:*?"<>|]/g, "-").trim() || "package";

/** The name of a package for somebody. */
export const packageName = (person: string, role: string): string => `${person}-${role}.assizepack`;

// No sign that is taken for another one when it is read out: no 0, O, 1, l, i.
const signs = "abcdefghjkmnpqrstuvwxyz23456789";

/** Five groups of four signs, about 99 bits; `random` gives whole numbers below its argument. */
export function passphrase(random: (below: number) => number = secureBelow): string {
  const group = (): string => Array.from({ length: 4 }, () => signs[random(signs.length)]).join("");
  return Array.from({ length: 5 }, group).join("-");
}

function secureBelow(limit: number): number {
  const most = 2 ** 32 - (2 ** 32 % limit);
  const cell = new Uint32Array(1);
  do crypto.getRandomValues(cell);
  while ((cell[0] ?? 0) >= most);
  return (cell[0] ?? 0) % limit;
}

/** Is it the public half of a key? */
export const isKey = (text: string): boolean => /^age1[a-z0-9]{50,}$/.test(text.trim());
