// The import that runs or ran last. It outlives the screen: one may look at results while files are being read, and the
// summary with its refused rows waits on Overview until it is put away.
import { asBackendError, BackendError, call, followJob, freshness, type T } from "$ui/backend";
import { losesAnything } from "./losses";

class Importing {
  /** How the running job stands. */
  job: T.JobView | undefined = $state.raw();
  /** The finished job whose summary is shown. */
  last: T.JobView | undefined = $state.raw();
  /** Why it failed. */
  error: BackendError | undefined = $state.raw();
  /** What was asked for last, so that it can be asked for again. */
  request: T.StartImportRequest | undefined = $state.raw();
  /** Is the one that was asked for held back, because it would lose something? What that is, `last` says. */
  held = $state(false);
  #study = "";

  get running(): boolean {
    return this.job !== undefined;
  }

  /** Call when a screen is set up: another study's summary is not this one's. */
  enter(study: string): void {
    if (study === this.#study) return;
    if (this.#study !== "" && !this.running) this.dismiss();
    this.#study = study;
  }

  /** Takes over a job that ended elsewhere (a study made from a run). */
  took(view: T.JobView, study = ""): void {
    this.#study = study;
    this.request = undefined;
    this.last = view;
    this.error = view.error
      ? new BackendError(view.error.code, view.error.message, view.error.details)
      : undefined;
  }

  dismiss(): void {
    this.last = undefined;
    this.error = undefined;
    this.held = false;
  }

  /**
   * Starts; throws when it cannot begin. What comes later is shown by who reads this. What would be lost is to be seen before
   * anything is taken: it looks first, and goes on by itself where nothing is.
   */
  start(request: T.StartImportRequest): Promise<void> {
    return this.#begin(request, !request.dry_run);
  }
  /** Takes what was held back. */
  async goOn(): Promise<void> {
    if (this.held && this.request) await this.#begin(this.request, false);
  }
  async #begin(request: T.StartImportRequest, looksFirst: boolean): Promise<void> {
    const { job } = await call("start_import", looksFirst ? { ...request, dry_run: true } : request);
    this.dismiss();
    this.request = request;
    this.job = { job, state: "running", doing: "", done: 0, total: 0 };
    void this.#follow(request, job, looksFirst);
  }

  async cancel(): Promise<void> {
    if (this.job) await call("cancel_job", { job: this.job.job });
  }

  async #follow(request: T.StartImportRequest, job: number, looksFirst: boolean): Promise<void> {
    try {
      const ended = await followJob(job, (view) => (this.job = view));
      const looked = looksFirst && ended.state === "done";
      if (looked && !losesAnything(ended.import)) {
        await this.#begin(request, false);
        return;
      }
      this.held = looked;
      this.last = ended;
      this.error = ended.error
        ? new BackendError(ended.error.code, ended.error.message, ended.error.details)
        : undefined;
    } catch (thrown) {
      this.error = asBackendError(thrown);
    }
    this.job = undefined;
    if (looksFirst || request.dry_run) return;
    for (const part of Object.keys(freshness) as T.Stale[]) if (part !== "session") freshness[part] += 1;
  }
}

export const importing = new Importing();
