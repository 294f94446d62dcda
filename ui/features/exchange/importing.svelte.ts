// The import that runs or ran last. It outlives the screen: one may look at results while files are being read, and the
// summary with its refused rows waits on Overview until it is put away.
import { asBackendError, BackendError, call, followJob, freshness, type T } from "$ui/backend";

class Importing {
  /** How the running job stands. */
  job: T.JobView | undefined = $state.raw();
  /** The finished job whose summary is shown. */
  last: T.JobView | undefined = $state.raw();
  /** Why it failed. */
  error: BackendError | undefined = $state.raw();
  /** What was asked for last, so that it can be asked for again. */
  request: T.StartImportRequest | undefined = $state.raw();
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
  }

  /** Starts; throws when it cannot begin. What comes later is shown by who reads this. */
  async start(request: T.StartImportRequest): Promise<void> {
    const { job } = await call("start_import", request);
    this.dismiss();
    this.request = request;
    this.job = { job, state: "running", doing: "", done: 0, total: 0 };
    void this.#follow(job);
  }

  async cancel(): Promise<void> {
    if (this.job) await call("cancel_job", { job: this.job.job });
  }

  async #follow(job: number): Promise<void> {
    try {
      const ended = await followJob(job, (view) => (this.job = view));
      this.last = ended;
      this.error = ended.error
        ? new BackendError(ended.error.code, ended.error.message, ended.error.details)
        : undefined;
    } catch (thrown) {
      this.error = asBackendError(thrown);
    } finally {
      this.job = undefined;
      if (!this.request?.dry_run)
        for (const part of Object.keys(freshness) as T.Stale[]) if (part !== "session") freshness[part] += 1;
    }
  }
}

export const importing = new Importing();
