// A link in what a model wrote is opened only when asked: in the system's browser, or, where the host has none, by
// copying its address.
import { BackendError, call } from "$ui/backend";
import { copy } from "$ui/components/clipboard";

/** What became of the request. */
export async function follow(url: string): Promise<"opened" | "copied" | "failed"> {
  try {
    await call("open_link", { url });
    return "opened";
  } catch (thrown) {
    const noBrowser = thrown instanceof BackendError && thrown.code === "not_found";
    return noBrowser && (await copy(url)) ? "copied" : "failed";
  }
}
