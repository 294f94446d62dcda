// Runs something that a person asked for; when it fails, says so at the foot instead of failing in silence.
import { asBackendError, type BackendError } from "$ui/backend";
import { toast } from "$ui/components/toast.svelte";
import { sentence } from "$ui/text";

/** The error as one line. */
export const faultLine = (error: BackendError): string => `${sentence(error.code).title}: ${error.message}`;

/** True when it worked. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (thrown) {
    const error = asBackendError(thrown);
    toast(faultLine(error), { kind: "error" });
    return false;
  }
}
