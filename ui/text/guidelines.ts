// Words of the dialog for a study's guidelines.
export const guidelines = {
  button: "Guidelines",
  title: "Guidelines for judges",
  now: (version: number) =>
    version === 0
      ? "The guidelines that the app brings along are in force. What you publish becomes version 1."
      : `Version ${version} is in force. A change becomes version ${version + 1}; every verdict keeps the version that it was given under.`,
  comments: "A comment is needed",
  always: "with every verdict",
  incorrect: "with “incorrect”",
  never: "never",
  played: "Least played, per cent",
  pages: "Least pages seen, per cent",
  leastText: "Least text in view, per cent",
  picture: "Least time at a picture, seconds",
  secondsBad: "A whole number from 0 to 60.",
  percentBad: "A whole number from 0 to 100.",
  leastHint:
    "0 asks for nothing. Who cannot play or see it here says instead how they perceived it: by captions, a transcript, a screen reader.",
  text: "Text (Markdown)",
  again: "Have everything judged again that was judged under older ones",
  againHint: "Finished verdicts stay and count; they are marked with their version and queued once more.",
  publish: "Publish",
  published: (version: number) => `Published: version ${version}.`,
  same: "Nothing was changed.",
} as const;
