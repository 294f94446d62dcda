// Words of the Judging screen.
const list = (names: readonly string[]): string => names.join(", ");
const article = (modality: string): string => (/^[aeiou]/i.test(modality) ? "an" : "a");
const nouns: Record<string, string> = {
  Text: "text",
  Image: "image",
  Audio: "audio",
  Video: "video",
  Document: "document",
};
const noun = (modality: string): string => nouns[modality] ?? modality;

export const judging = {
  returned: "This came back to you",
  prompt: "Prompt",
  inputs: (what: string) => `Inputs · ${what}`,
  noInputs: "No inputs",
  expected: "Expected",
  response: "Response",
  unexpected: "not asked for",
  unexpectedTitle: "This modality was not expected: it gets no verdict.",
  correct: "Correct",
  incorrect: "Incorrect",
  done: "done",
  open: "open",
  wantsComment: "comment missing",
  played: (at: string, of: string) => `played ${at} of ${of}`,
  commentFor: (modality: string) => `Comment on ${noun(modality)}`,
  commentPlaceholder: "Why? One line is enough.",
  flags: {
    broken_link: "broken link",
    cannot_show: "cannot show here",
    ai_background: "AI for background",
    doubt: "in doubt",
  },
  /** The mark's name for what one looks at, and for what one plays. */
  cannot: (modality: string): string =>
    modality === "Audio" || modality === "Video" ? "cannot play here" : "cannot render here",
  unshown: (modality: string, code: string) =>
    `The ${noun(modality)} cannot be ${modality === "Audio" || modality === "Video" ? "played" : "shown"} here (${code.replaceAll("_", " ")}). Record that with`,
  flagsLabel: "Marks",
  absent: (modality: string) =>
    `The response holds no ${noun(modality)}. The guideline then asks for “incorrect”: accept with`,
  failed: "There is no answer: the provider failed.",
  failedBody: "Nothing came back for this prompt, so every expected modality is absent.",
  emptyResponse: "The response is empty",
  emptyResponseBody: "Neither text nor files came back.",
  next: "Next",
  submit: "Submit",
  resubmit: "Submit change",
  submitting: "writing…",
  opens: (names: readonly string[]) => `open: ${list(names)}`,
  missing: (names: readonly string[]) => `comment: ${list(names)}`,
  blockedOpen: (modality: string) => `${modality} has no verdict yet: C for correct, I for incorrect.`,
  blockedComment: (modality: string) => `${modality} needs ${article("short")} short comment: why is it so?`,
  guidelines: "Guidelines",
  guidelinesVersion: (n: number) => (n === 0 ? "built-in guidelines" : `version ${n}`),
  previous: "Previous",
  following: "Following",
  jumpOpen: "Next unfinished",
  place: (place: number, total: number) => `item ${place} of ${total}`,
  already: "You judged this one. What you submit now replaces it.",
  undone: "Your last judgement is taken back: here it is again.",
  nothingToUndo: "There is nothing to take back.",
  allDone: "All judged",
  allDoneBody: (n: number) =>
    `Your ${n === 1 ? "one response is" : `${n} responses are`} judged and on disk. U takes back the last one.`,
  nothing: "No work yet",
  nothingBody: "The lead has not handed out responses to you. Open the study again when they have.",
  reviewLast: "Take back the last one",
  loading: "Item on its way…",
  linkCopied: "Address copied. Open it in a browser of your own if you want to check it.",
  inputFacts: "Inputs of the prompt",
} as const;
