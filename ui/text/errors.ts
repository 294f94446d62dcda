// Error code -> what happened, and what to do next. The backend's own message names the thing and is shown below it.
// A new code without a sentence does not compile.

export interface Sentence {
  title: string;
  todo: string;
}

export const errors = {
  bad_request: { title: "That cannot be done as asked", todo: "Correct what is named below and try again." },
  no_command: {
    title: "This app and its backend do not fit together",
    todo: "Restart the app; if it stays, install it again.",
  },
  no_study: { title: "No study is open", todo: "Open one from Home." },
  no_session: { title: "Nobody has said who they are", todo: "Pick your name and role on Home." },
  not_allowed: { title: "Your role does not do this", todo: "Switch to a role that does, if you hold one." },
  not_found: {
    title: "It is not there",
    todo: "Check what is named below: it may have been moved or changed, or the name is another.",
  },
  not_a_study: { title: "This folder is not a study", todo: "Pick a folder whose name ends in .assize." },
  too_new: {
    title: "This study was made by a newer version",
    todo: "Install the newest version of the app. Nothing was changed.",
  },
  unsafe_place: { title: "A study cannot live here", todo: "Move it to a disk of this computer." },
  exists: { title: "There is already something of that name", todo: "Choose another name or place." },
  busy: { title: "The study is being worked on", todo: "Wait for the other job to end, then try again." },
  incomplete: { title: "Something is still missing", todo: "Fill in what is named below." },
  lint_errors: {
    title: "The rubric still has errors",
    todo: "Mend the lines marked as errors, then submit again.",
  },
  nothing_to_undo: {
    title: "There is nothing to undo",
    todo: "Only your own statements that are in force can be taken back.",
  },
  stale: {
    title: "This was changed elsewhere in the meantime",
    todo: "Open it again and look at what is new, then state yours.",
  },
  cancelled: {
    title: "It was cancelled",
    todo: "Start it again when you like: it goes on where it stopped.",
  },
  damaged: {
    title: "The study is damaged",
    todo: "Run “assize check” on it and restore from a backup what it names.",
  },
  disk: {
    title: "The disk did not take it",
    todo: "Free some space or check the folder's rights. What you typed is still here.",
  },
  no_worker: {
    title: "The reader of untrusted files is missing",
    todo: "Install the app again: the program “assize” belongs beside it.",
  },
  sealed: { title: "This package is sealed", todo: "Type the passphrase that its lead gave you." },
  wrong_passphrase: {
    title: "This passphrase does not open the package",
    todo: "Type it again, or ask the lead who packed it.",
  },
  nothing_imported: {
    title: "Nothing was recognised",
    todo: "Pick a harness run, a dataset or a verdict file.",
  },
  which_folder: { title: "Which results folder?", todo: "Name the results folder that the file belongs to." },
  internal: {
    title: "Something went wrong inside the app",
    todo: "Try again. What you submitted before is safe on disk.",
  },
  unreachable: {
    title: "The backend does not answer",
    todo: "Start the app again; what you submitted before is safe on disk.",
  },
} as const satisfies Record<string, Sentence>;

/** The sentence for a code; codes that are not known read as an internal error. */
export const sentence = (code: string): Sentence =>
  code in errors ? errors[code as keyof typeof errors] : errors.internal;
