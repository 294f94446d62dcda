// Asks for files with the system's dialog; where there is none they are typed.
import { call, type T } from "$ui/backend";

/** The chosen files; nothing where there is no dialog at all. */
export async function chooseFiles(wish: T.FileWish, name = ""): Promise<readonly string[] | undefined> {
  const chosen = await call("choose_files", { wish, name });
  return chosen.has_dialogs ? chosen.paths : undefined;
}
