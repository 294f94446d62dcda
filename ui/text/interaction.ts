// Words of the interaction scores in Results.
import { many } from "./count";

export const interaction = {
  title: "Interaction: accuracy and consistency",
  body: "Accuracy is the mean over samples of the share of their variants that are answered right, in percent; “the same” is the share of samples whose variants are all answered the same. Intervals draw samples.",
  samples: (n: string) => `${many(n, "sample counts", "samples count")}.`,
  discarded: (n: string) =>
    n === "1" ? "1 was discarded by curation and does not." : `${n} were discarded by curation and do not.`,
  none: "There are no predictions yet: import a file of them.",
  model: "Model",
  vision: "Vision",
  text: "Text",
  synergy: "Synergy",
  overall: "Overall",
  sameVision: "Same, vision",
  sameText: "Same, text",
  plot: "Accuracy by model, with 95 % intervals",
  scatter: "Consistency: samples that turn on vision, and on text",
  samplesHead: "Samples",
  missing: "Unanswered",
  by: "Accuracy by",
  bys: {
    by_level: "Level",
    by_pattern_and_level: "Pattern and level",
    by_task: "Task",
    by_context: "Context",
  },
  labels: {
    "1": "1 recognition",
    "2": "2 understanding",
    "3": "3 reasoning",
    correct_guidance: "Correct guidance",
    global_description: "Global description",
    local_description: "Local description",
    unrelated: "Unrelated",
    misleading: "Misleading",
    none: "No context",
  },
} as const;
