// Where the app stands: facts, study, session, and which screen is shown. The one store that outlives a screen.
import { asBackendError, type BackendError, call, setMediaBase, type T } from "$ui/backend";
import { toasts } from "$ui/components/toast.svelte";
import { attempt } from "./attempt";

export const screens = [
  "home",
  "overview",
  "authoring",
  "reviewing",
  "curation",
  "judging",
  "grading",
  "disagreements",
  "agreement",
  "results",
  "history",
  "people",
  "audits",
  "quiz",
] as const;
export type ScreenName = (typeof screens)[number];

/** What a role finds in its house, in order; the first is where it lands. */
export const rooms: Record<T.Role, readonly ScreenName[]> = {
  author: ["authoring", "reviewing", "curation", "history"],
  judge: ["judging", "quiz", "history"],
  auditor: ["disagreements", "agreement", "results", "overview", "history", "grading", "audits", "curation"],
  lead: ["overview", "disagreements", "agreement", "results", "history", "people", "curation", "audits"],
};

/** A screen with what it was asked to show: `{ screen: "history", prompt: … }`. */
export interface Route {
  screen: ScreenName;
  [key: string]: string | number | boolean | undefined;
}

export interface Status {
  /** Place in the queue, shown as "18 of 60". */
  done?: number;
  total?: number;
  /** "saving", "saved" or "failed"; nothing when the screen keeps no draft. */
  saved?: "saving" | "saved" | "failed";
  /** A short line before it. */
  note?: string;
}

class AppState {
  facts: T.AppFacts | undefined = $state.raw();
  standing: T.Standing = $state.raw({});
  route: Route = $state.raw({ screen: "home" });
  /** What the screen shows in the top bar; reset when the screen changes. */
  status: Status = $state({});
  ready = $state(false);
  startError: BackendError | undefined = $state.raw();

  get role(): T.Role | undefined {
    return this.standing.session?.role;
  }
  get rooms(): readonly ScreenName[] {
    const all = this.role ? rooms[this.role] : [];
    return this.hasQuiz ? all : all.filter((room) => room !== "quiz");
  }

  /** Has the judge a quiz, to hand in or handed in? Without one its room is not in the house. */
  hasQuiz = $state(false);
  /** Looks for a judge's quiz; one that is to be handed in comes before all work. */
  async lookForQuiz(lead = false): Promise<void> {
    const before = this.standing.session;
    if (before?.role !== "judge") return;
    const { open, attempts } = await call("quiz");
    if (this.standing.session !== before) return;
    this.hasQuiz = open != null || attempts.length > 0;
    if (lead && open && this.route.screen === "judging") this.go({ screen: "quiz" });
  }

  /** Shows a screen; a screen that the role does not have is not shown. */
  go(route: Route): void {
    if (route.screen !== "home" && !this.rooms.includes(route.screen)) return;
    this.status = {};
    this.route = route;
  }

  /** Takes over a new standing and goes where it leads. What was said to one person is not left for the next. */
  stand(standing: T.Standing): void {
    toasts.length = 0;
    this.standing = standing;
    this.status = {};
    this.hasQuiz = false;
    const first = this.rooms[0];
    this.route = { screen: first ?? "home" };
    void attempt(() => this.lookForQuiz(true));
  }

  async start(): Promise<void> {
    this.startError = undefined;
    try {
      const facts = await call("app_facts");
      setMediaBase(facts.media_base);
      this.facts = facts;
      this.stand(await call("standing"));
      this.ready = true;
      // Not being able to take it up must not keep anyone from working.
      await attempt(() => this.takeFile());
    } catch (thrown) {
      this.startError = asBackendError(thrown);
    }
  }

  /** The package that is to be opened, or "" to ask which; nothing while none is. */
  openPackage: string | undefined = $state();

  /** Takes up a file that the app was asked to open from outside: a study opens, a package asks for its passphrase. */
  async takeFile(): Promise<void> {
    const { path } = await call("file_to_open");
    if (!path) return;
    if (/\.assize[\\/]?$/.test(path)) this.stand(await call("open_study", { path }));
    else this.openPackage = path;
  }

  #demoTaken = false;
  /** True once, when the app was started to show the demo and nothing is open. */
  takeDemo(): boolean {
    if (this.#demoTaken || !this.facts?.start_with_demo || this.standing.study) return false;
    this.#demoTaken = true;
    return true;
  }

  async endSession(): Promise<void> {
    this.stand(await call("end_session"));
  }
  async closeStudy(): Promise<void> {
    this.stand(await call("close_study"));
  }
}

export const app = new AppState();
