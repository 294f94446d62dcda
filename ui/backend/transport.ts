// How a command travels: inside the window over Tauri, in a browser over the loopback host's HTTP twin. Both answer the
// same JSON; nothing above this file knows which one it is.
import { convertFileSrc, invoke } from "@tauri-apps/api/core";
import { asBackendError, BackendError } from "./error";

export interface Transport {
  send(command: string, request: unknown): Promise<unknown>;
  /** The address of a picture or document, by its hash. */
  blobUrl(sha: string): string;
  /** Folders and files dropped on the window, as paths; a browser cannot tell paths, so there it never fires. */
  onDrop(dropped: (paths: string[]) => void, over: (inside: boolean) => void): () => void;
  /** Another start of the app left a file to be opened (`file_to_open`); only a window can be told. */
  onFile(came: () => void): () => void;
  /** Does the page run in the app's own window? */
  readonly window: boolean;
}

const blobScheme = "assize-blob";

const tauri: Transport = {
  window: true,
  send: (command, request) => invoke(command, { request }),
  blobUrl: (sha) => convertFileSrc(sha, blobScheme),
  onDrop: (dropped, over) =>
    listening(
      import("@tauri-apps/api/webview").then(({ getCurrentWebview }) =>
        getCurrentWebview().onDragDropEvent(({ payload }) => {
          if (payload.type === "drop") dropped(payload.paths);
          over(payload.type === "enter" || payload.type === "over");
        }),
      ),
    ),
  onFile: (came) =>
    listening(import("@tauri-apps/api/event").then(({ listen }) => listen("file-to-open", came))),
};

/** Ends what was begun, also when it is to end before it has begun. */
function listening(begun: Promise<() => void>): () => void {
  let stopped = false;
  let stop: (() => void) | undefined;
  begun
    .then((unlisten) => {
      if (stopped) unlisten();
      else stop = unlisten;
    })
    .catch((thrown: unknown) => console.warn("the window tells nothing:", thrown));
  return () => {
    stopped = true;
    stop?.();
  };
}

/** The token of the address `#token=…`; kept for this tab, so that it need not stay in the address bar. */
function pageToken(): string {
  const found = /[#&]token=([^&]+)/.exec(location.hash)?.[1];
  if (found) {
    sessionStorage.setItem("assize.token", found);
    history.replaceState(null, "", location.pathname + location.search);
    return found;
  }
  return sessionStorage.getItem("assize.token") ?? "";
}

function http(): Transport {
  const token = pageToken();
  return {
    window: false,
    async send(command, request) {
      let response: Response;
      try {
        response = await fetch(`/api/${encodeURIComponent(command)}`, {
          method: "POST",
          headers: { "Content-Type": "application/json", "X-Assize-Token": token },
          body: JSON.stringify(request),
        });
      } catch (thrown) {
        throw new BackendError("unreachable", String(thrown));
      }
      const text = await response.text();
      let body: unknown;
      try {
        body = text === "" ? null : JSON.parse(text);
      } catch {
        throw new BackendError("internal", `${command}: the answer is not JSON`);
      }
      if (response.ok) return body;
      if (response.status === 401)
        throw new BackendError("unreachable", "The token of this page is not valid.");
      throw asBackendError(body ?? new Error(`${command}: status ${response.status}`));
    },
    blobUrl: (sha) => `/blob/${encodeURIComponent(token)}/${sha}`,
    onDrop: () => () => undefined,
    onFile: () => () => undefined,
  };
}

export const transport: Transport = "__TAURI_INTERNALS__" in globalThis ? tauri : http();
