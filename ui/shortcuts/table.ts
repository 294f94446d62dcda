// THE table of keys. Menus, buttons, the `?` overlay and the command palette all read it; `table.test.ts` forbids two
// shortcuts on one chord wherever both could be listening. Ids say scope and act; chords are written as in `chord.ts`.

export interface Shortcut {
  /** `scope.act`. */
  id: string;
  /** Where it listens. */
  scope: string;
  /** Every chord that does it; the first is the one shown. */
  keys: readonly string[];
  /** What it does, as people read it. */
  label: string;
  /** Works while a text is being typed. Only chords with Mod or Alt, Escape and function keys may say so. */
  typing?: boolean;
  /** Works while a dialog is open above its layer. */
  overDialogs?: boolean;
  /** Works although a button has the focus (Enter and Space otherwise belong to the button). */
  overButtons?: boolean;
}

export const table = [
  { id: "app.palette", scope: "app", keys: ["Mod+K"], label: "Command palette", typing: true },
  { id: "app.keys", scope: "app", keys: ["?"], label: "Keys of this screen", overDialogs: true },
  { id: "app.home", scope: "app", keys: ["Mod+Shift+H"], label: "Go home", typing: true },
  { id: "app.main", scope: "app", keys: ["F6"], label: "Next region of the window", typing: true },
  { id: "app.theme", scope: "app", keys: ["Mod+Shift+L"], label: "Switch light and dark", typing: true },
  { id: "app.larger", scope: "app", keys: ["Mod+=", "Mod++"], label: "Larger text", typing: true },
  { id: "app.smaller", scope: "app", keys: ["Mod+-"], label: "Smaller text", typing: true },
  { id: "app.textReset", scope: "app", keys: ["Mod+0"], label: "Text at 100 %", typing: true },
  { id: "app.screen1", scope: "app", keys: ["Mod+1"], label: "First screen", typing: true },
  { id: "app.screen2", scope: "app", keys: ["Mod+2"], label: "Second screen", typing: true },
  { id: "app.screen3", scope: "app", keys: ["Mod+3"], label: "Third screen", typing: true },
  { id: "app.screen4", scope: "app", keys: ["Mod+4"], label: "Fourth screen", typing: true },
  { id: "app.screen5", scope: "app", keys: ["Mod+5"], label: "Fifth screen", typing: true },

  { id: "home.open", scope: "home", keys: ["O"], label: "Open a study by its path" },
  { id: "home.import", scope: "home", keys: ["N"], label: "New study from a harness run" },
  { id: "home.demo", scope: "home", keys: ["D"], label: "Open the demo study" },

  { id: "overview.import", scope: "overview", keys: ["I"], label: "Import a file or folder" },
  { id: "overview.person", scope: "overview", keys: ["P"], label: "Add a person" },
  { id: "overview.assign", scope: "overview", keys: ["A"], label: "Hand out work" },

  { id: "authoring.next", scope: "authoring", keys: ["Alt+PageDown"], label: "Next prompt", typing: true },
  {
    id: "authoring.previous",
    scope: "authoring",
    keys: ["Alt+PageUp"],
    label: "Previous prompt",
    typing: true,
  },
  {
    id: "authoring.submit",
    scope: "authoring",
    keys: ["Mod+Enter"],
    label: "Submit the rubric",
    typing: true,
  },
  {
    id: "authoring.up",
    scope: "authoring",
    keys: ["Alt+ArrowUp"],
    label: "Move the criterion up",
    typing: true,
  },
  {
    id: "authoring.down",
    scope: "authoring",
    keys: ["Alt+ArrowDown"],
    label: "Move the criterion down",
    typing: true,
  },
  {
    id: "authoring.remove",
    scope: "authoring",
    keys: ["Alt+Backspace", "Alt+Delete"],
    label: "Delete the criterion",
    typing: true,
  },
  { id: "authoring.fix", scope: "authoring", keys: ["Alt+S"], label: "Apply the lint's fix", typing: true },
  {
    id: "authoring.dismiss",
    scope: "authoring",
    keys: ["Alt+K"],
    label: "Keep as it is, because…",
    typing: true,
  },
  {
    id: "authoring.undo",
    scope: "authoring",
    keys: ["Alt+Z"],
    label: "Undo the last change of the list",
    typing: true,
  },
  { id: "authoring.flag", scope: "authoring", keys: ["Alt+F"], label: "This list is wrong…", typing: true },
  { id: "authoring.tab1", scope: "authoring", keys: ["Alt+1"], label: "First modality", typing: true },
  { id: "authoring.tab2", scope: "authoring", keys: ["Alt+2"], label: "Second modality", typing: true },
  { id: "authoring.tab3", scope: "authoring", keys: ["Alt+3"], label: "Third modality", typing: true },
  { id: "authoring.tab4", scope: "authoring", keys: ["Alt+4"], label: "Fourth modality", typing: true },
  { id: "authoring.tab5", scope: "authoring", keys: ["Alt+5"], label: "Fifth modality", typing: true },
  { id: "authoring.save", scope: "authoring", keys: ["Mod+S"], label: "Save a revision", typing: true },
  { id: "authoring.focus", scope: "authoring", keys: ["E"], label: "Edit the criteria" },
  { id: "authoring.open", scope: "authoring", keys: ["O"], label: "Next open prompt" },
  { id: "authoring.takeBack", scope: "authoring", keys: ["U"], label: "Take back the last revision" },
  { id: "authoring.guidelines", scope: "authoring", keys: ["G"], label: "Guidelines" },

  { id: "disagreements.next", scope: "disagreements", keys: ["J"], label: "Next case" },
  { id: "disagreements.previous", scope: "disagreements", keys: ["K"], label: "Previous case" },
  { id: "disagreements.nextOpen", scope: "disagreements", keys: ["N"], label: "Next open case" },
  { id: "disagreements.correct", scope: "disagreements", keys: ["C"], label: "It is correct" },
  { id: "disagreements.incorrect", scope: "disagreements", keys: ["I"], label: "It is incorrect" },
  { id: "disagreements.cause1", scope: "disagreements", keys: ["1"], label: "Cause: Judge error" },
  { id: "disagreements.cause2", scope: "disagreements", keys: ["2"], label: "Cause: Human error" },
  { id: "disagreements.cause3", scope: "disagreements", keys: ["3"], label: "Cause: Rubric too strict" },
  { id: "disagreements.cause4", scope: "disagreements", keys: ["4"], label: "Cause: Rubric gap" },
  {
    id: "disagreements.cause5",
    scope: "disagreements",
    keys: ["5"],
    label: "Cause: Ambiguous or subjective prompt",
  },
  { id: "disagreements.cause6", scope: "disagreements", keys: ["6"], label: "Cause: Input not respected" },
  { id: "disagreements.cause7", scope: "disagreements", keys: ["7"], label: "Cause: Cross-modal mismatch" },
  { id: "disagreements.cause8", scope: "disagreements", keys: ["8"], label: "Cause: Asset fault" },
  { id: "disagreements.cause9", scope: "disagreements", keys: ["9"], label: "Cause: Evaluator error" },
  { id: "disagreements.cause10", scope: "disagreements", keys: ["0"], label: "Cause: Capture failure" },
  { id: "disagreements.cause11", scope: "disagreements", keys: ["-"], label: "Cause: Wrong gold modalities" },
  { id: "disagreements.note", scope: "disagreements", keys: ["/"], label: "Write the note" },
  {
    id: "disagreements.leave",
    scope: "disagreements",
    keys: ["Escape"],
    label: "Leave the note",
    typing: true,
  },
  { id: "disagreements.sendBack", scope: "disagreements", keys: ["R"], label: "Send the rubric back" },
  {
    id: "disagreements.settle",
    scope: "disagreements",
    keys: ["Enter"],
    label: "Settle and next",
    overButtons: true,
  },
  {
    id: "disagreements.settleTyping",
    scope: "disagreements",
    keys: ["Mod+Enter"],
    label: "Settle and next, from the note",
    typing: true,
    overButtons: true,
  },
  { id: "disagreements.undo", scope: "disagreements", keys: ["U"], label: "Undo your last settlement" },
  { id: "disagreements.blink", scope: "disagreements", keys: ["B"], label: "Blink input and output" },
  { id: "disagreements.draw", scope: "disagreements", keys: ["D"], label: "Draw a sample" },
  { id: "disagreements.open", scope: "disagreements", keys: ["O"], label: "Open cases only" },
  { id: "disagreements.cellNext", scope: "disagreements", keys: ["]"], label: "Next cell of the table" },
  {
    id: "disagreements.cellPrevious",
    scope: "disagreements",
    keys: ["["],
    label: "Previous cell of the table",
  },

  { id: "agreement.open", scope: "agreement", keys: ["D"], label: "Open the disagreements" },
  { id: "agreement.copyMarkdown", scope: "agreement", keys: ["M"], label: "Copy the figures as Markdown" },
  { id: "agreement.copyCsv", scope: "agreement", keys: ["V"], label: "Copy the figures as CSV" },
  { id: "agreement.copyLatex", scope: "agreement", keys: ["T"], label: "Copy the figures as LaTeX" },
  { id: "agreement.nextPart", scope: "agreement", keys: ["]"], label: "Next part" },
  { id: "agreement.previousPart", scope: "agreement", keys: ["["], label: "Previous part" },
  { id: "agreement.reset", scope: "agreement", keys: ["X"], label: "Take the filter off" },

  { id: "results.copyMarkdown", scope: "results", keys: ["M"], label: "Copy the table as Markdown" },
  { id: "results.copyCsv", scope: "results", keys: ["V"], label: "Copy the table as CSV" },
  { id: "results.copyLatex", scope: "results", keys: ["T"], label: "Copy the table as LaTeX" },
  { id: "results.report", scope: "results", keys: ["R"], label: "Write the report" },
  { id: "results.strict", scope: "results", keys: ["S"], label: "Strict or lenient" },

  { id: "history.next", scope: "history", keys: ["J"], label: "Next record" },
  { id: "history.previous", scope: "history", keys: ["K"], label: "Previous record" },
  { id: "history.undo", scope: "history", keys: ["U"], label: "Take the chosen record back" },
  { id: "history.search", scope: "history", keys: ["/"], label: "Find a prompt" },
  { id: "history.about", scope: "history", keys: ["O"], label: "Everything about this prompt" },
  { id: "history.reset", scope: "history", keys: ["X"], label: "Take the filter off" },

  { id: "judging.correct", scope: "judging", keys: ["C"], label: "Correct" },
  { id: "judging.incorrect", scope: "judging", keys: ["I"], label: "Incorrect" },
  { id: "judging.comment", scope: "judging", keys: ["/"], label: "Comment" },
  { id: "judging.next", scope: "judging", keys: ["Enter"], label: "Next" },
  { id: "judging.undo", scope: "judging", keys: ["U"], label: "Undo" },
  { id: "judging.guidelines", scope: "judging", keys: ["G"], label: "Guidelines" },
  { id: "judging.previous", scope: "judging", keys: ["P"], label: "Previous" },
  { id: "judging.following", scope: "judging", keys: ["N"], label: "Following" },
  { id: "judging.open", scope: "judging", keys: ["O"], label: "Next unfinished item" },
  { id: "judging.up", scope: "judging", keys: ["ArrowUp"], label: "Card above" },
  { id: "judging.down", scope: "judging", keys: ["ArrowDown"], label: "Card below" },
  { id: "judging.card1", scope: "judging", keys: ["1"], label: "First card" },
  { id: "judging.card2", scope: "judging", keys: ["2"], label: "Second card" },
  { id: "judging.card3", scope: "judging", keys: ["3"], label: "Third card" },
  { id: "judging.card4", scope: "judging", keys: ["4"], label: "Fourth card" },
  { id: "judging.card5", scope: "judging", keys: ["5"], label: "Fifth card" },
  { id: "judging.link", scope: "judging", keys: ["K"], label: "Mark: broken link" },
  { id: "judging.cannot", scope: "judging", keys: ["X"], label: "Mark: cannot play here" },
  { id: "judging.ai", scope: "judging", keys: ["B"], label: "Mark: AI for background" },
  { id: "judging.doubt", scope: "judging", keys: ["D"], label: "Mark: in doubt" },
  { id: "judging.leave", scope: "judging", keys: ["Escape"], label: "Back to the cards", typing: true },
  {
    id: "judging.submit",
    scope: "judging",
    keys: ["Mod+Enter"],
    label: "Submit, also while typing",
    typing: true,
  },

  { id: "document.find", scope: "document", keys: ["Mod+F"], label: "Find in the document", typing: true },
  { id: "document.nextHit", scope: "document", keys: ["F3", "Mod+G"], label: "Next hit", typing: true },
  {
    id: "document.previousHit",
    scope: "document",
    keys: ["Mod+Shift+G"],
    label: "Previous hit",
    typing: true,
  },
  { id: "document.zoomIn", scope: "document", keys: ["Alt+=", "Alt++"], label: "Zoom in", typing: true },
  { id: "document.zoomOut", scope: "document", keys: ["Alt+-"], label: "Zoom out", typing: true },
  { id: "document.fitWidth", scope: "document", keys: ["Alt+0"], label: "Fit the width", typing: true },
  { id: "document.fitPage", scope: "document", keys: ["Alt+9"], label: "Fit the page", typing: true },
  { id: "document.nextPage", scope: "document", keys: ["Alt+ArrowRight"], label: "Next page or sheet" },
  {
    id: "document.previousPage",
    scope: "document",
    keys: ["Alt+ArrowLeft"],
    label: "Previous page or sheet",
  },
  { id: "document.goTo", scope: "document", keys: ["Alt+G"], label: "Go to a page", typing: true },
  { id: "document.thumbnails", scope: "document", keys: ["Alt+T"], label: "Column of pages", typing: true },
  {
    id: "document.other",
    scope: "document",
    keys: ["Alt+V"],
    label: "Other view of the document",
    typing: true,
  },
  {
    id: "document.notes",
    scope: "document",
    keys: ["Alt+N"],
    label: "What is not shown faithfully",
    typing: true,
  },
  { id: "document.hidden", scope: "document", keys: ["H"], label: "Hidden characters of the text" },
  { id: "document.source", scope: "document", keys: ["S"], label: "Text as it was written" },
  { id: "document.compare", scope: "document", keys: ["V"], label: "Compare the text with the input" },

  { id: "player.toggle", scope: "player", keys: ["Space"], label: "Play or pause" },
  { id: "player.back", scope: "player", keys: ["ArrowLeft"], label: "Back 5 s" },
  { id: "player.on", scope: "player", keys: ["ArrowRight"], label: "On 5 s" },
  { id: "player.stepBack", scope: "player", keys: [","], label: "One frame back" },
  { id: "player.stepOn", scope: "player", keys: ["."], label: "One frame on" },
  { id: "player.slower", scope: "player", keys: ["<"], label: "Slower" },
  { id: "player.faster", scope: "player", keys: [">"], label: "Faster" },
  { id: "player.loop", scope: "player", keys: ["L"], label: "Loop" },
  { id: "player.from", scope: "player", keys: ["{"], label: "Loop from here" },
  { id: "player.to", scope: "player", keys: ["}"], label: "Loop to here" },
  { id: "player.changeOver", scope: "player", keys: ["W"], label: "Switch to the other clip" },
  { id: "player.enlarge", scope: "player", keys: ["Z"], label: "Enlarge the picture" },

  { id: "image.in", scope: "image", keys: ["+", "="], label: "Zoom in" },
  { id: "image.out", scope: "image", keys: ["-"], label: "Zoom out" },
  { id: "image.fit", scope: "image", keys: ["0", "F"], label: "Fit into the view" },
  { id: "image.actual", scope: "image", keys: ["1"], label: "100 %: one pixel of it is one of the screen" },
  { id: "image.rotate", scope: "image", keys: ["R"], label: "Turn the view clockwise" },
  { id: "image.left", scope: "image", keys: ["ArrowLeft"], label: "Look further left" },
  { id: "image.right", scope: "image", keys: ["ArrowRight"], label: "Look further right" },
  { id: "image.up", scope: "image", keys: ["ArrowUp"], label: "Look further up" },
  { id: "image.down", scope: "image", keys: ["ArrowDown"], label: "Look further down" },
  {
    id: "image.ground",
    scope: "image",
    keys: ["K"],
    label: "Checkerboard, white or black behind transparency",
  },
  { id: "image.play", scope: "image", keys: ["Space"], label: "Play or hold a moving picture" },
  { id: "image.back", scope: "image", keys: [",", "PageUp"], label: "One frame or page back" },
  { id: "image.on", scope: "image", keys: [".", "PageDown"], label: "One frame or page on" },
  { id: "image.beside", scope: "image", keys: ["S"], label: "Another picture beside it" },
  { id: "image.blink", scope: "image", keys: ["B"], label: "The other picture in its place, and back" },
  { id: "image.other", scope: "image", keys: ["O"], label: "Compare with the next picture" },
] as const satisfies readonly Shortcut[];

export type ShortcutId = (typeof table)[number]["id"];
export type Scope = (typeof table)[number]["scope"];
export type IdsOf<S extends Scope> = Extract<(typeof table)[number], { scope: S }>["id"];

/** Scopes that can listen at the same time as another. `app` listens with every one. */
export const together: readonly (readonly [string, string])[] = [
  ["judging", "player"],
  ["disagreements", "player"],
  ["judging", "document"],
  ["disagreements", "document"],
  ["authoring", "document"],
  ["player", "document"],
];

const byId = new Map<string, Shortcut>(table.map((row) => [row.id, row]));

/** The shortcut of an id. */
export function shortcut(id: ShortcutId): Shortcut {
  const found = byId.get(id);
  if (!found) throw new Error(`no shortcut ${id}`);
  return found;
}

/** The chord shown for an id. */
export const keyOf = (id: ShortcutId): string => shortcut(id).keys[0] ?? "";
