// Words of the parts of Agreement that are opened one by one.
import { many } from "./count";

export const parts = {
  views: "Parts of Agreement",
  tabs: {
    summary: "Summary",
    groups: "By group",
    people: "People",
    criteria: "Criteria",
    judges: "Judges",
    difference: "Difference",
    plan: "Planner",
  },
  by: "Group by",
  keys: {
    modality: "Modality",
    model: "Model",
    annotator: "Annotator",
    tag: "Prompt tag",
    detection_route: "Detection route",
    rubric_version: "Rubric version",
  },
  routes: { native: "Native", url: "By a link", judge: "Presence judge only", absent: "Not detected" },
  plotOf: "Plot",
  plotted: { percent: "Percent agreement", kappa: "π, and Fleiss’ κ of people" },
  judgeHuman: "Judge–human",
  peopleAmong: "People among themselves",
  othersAmong: "The person against the other people",
  ceiling:
    "People among themselves, on the same units, are the ceiling: where two people agree no better, no judge can be held to more. Fleiss’ κ is π for any number of people.",
  ceilingAnnotator:
    "Beside the judge stands how far the same person agrees with the commonest verdict of all other people.",
  groupsTitle: (by: string) => `Agreement by ${by.toLowerCase()}`,
  n: "n",
  nPeople: "n, two people",
  percent: "Agree %",
  pi: "π",
  kappaPeople: "Fleiss’ κ",
  alphaPeople: "α of people",
  percentPeople: "People %",
  interval: "95 %",
  low: "low",
  high: "high",
  ungrouped: (n: string) =>
    n === "1"
      ? "1 unit is in no group: what it would be split by is not known."
      : `${n} units are in no group: what they would be split by is not known.`,
  noGroups: "No unit can be split by this.",
  openRow: "A row opens its cases.",

  heat: "Who agrees with whom",
  heatBody:
    "Percent agreement over the units that both judged, π below it; a cell opens the cases on which the two differ. The judge counts under the set and threshold chosen above.",
  judge: "LLM judge",
  rater: "Rater",
  pairSpoken: (a: string, b: string, agree: string, n: string) =>
    `${a} and ${b} agree on ${agree} of ${n} units: open their disagreements`,
  others: "Each person against the others",
  othersBody:
    "The person against the commonest verdict of all other people; the person’s own verdict never counts among them. Ties of the others are left out.",
  settled: "Against what auditors settled",
  settledBody:
    "Over settled units alone. These are mostly disputed ones, so that nobody’s share here is their share of all units.",
  settledNone: "Nothing is settled yet.",
  all: "All people together",
  model: "Dawid–Skene: a model, not a measurement",
  modelBody: (correct: string, steps: string) =>
    `Estimated without a single right label: ${correct} % of the units are correct, found in ${steps} steps.`,
  notConverged: "The steps ran out before the estimate stood still: treat these numbers as unfinished.",
  ratings: "Ratings",
  sensitivity: "Sensitivity",
  specificity: "Specificity",
  noModel: (why: string) => `There is no such estimate: ${why}.`,
  ties: "Ties left out",

  criteria: "Criteria that tell no responses apart",
  criteriaBody:
    "A criterion that every response passes, or none, says nothing about which is better. It may be too easy or too hard, or not about the answer; few responses say little, so the exact interval of the pass rate stands beside it. Zeros that the evaluator caused are left out.",
  graded: "Criteria graded",
  neverPassed: "No response passes",
  neverFailed: "Every response passes",
  perCriterion: (n: string) => `${n} responses to a criterion on average.`,
  show: "Show",
  outcomes: {
    never_passed: "No response passes",
    never_failed: "Every response passes",
    mixed: "Some pass, some do not",
  },
  everyOutcome: "All criteria",
  criterion: "Criterion",
  prompt: "Prompt",
  responses: "Responses",
  passed: "Passed",
  passRate: "Pass rate %",
  more: "Show more",
  criteriaNone: "No criterion is like that.",
  shown: (n: string, total: string) => `${n} of ${total}`,

  judges: "Judges compared",
  judgesBody:
    "Mean score of each model by each judge, over the responses that it scored; rank in brackets. A judge’s own family is marked: a family is read off the first word of a name.",
  judgedBy: "Scores",
  judgedScores: { mmi_value: "MMI Value", gamut: "GAMUT score" },
  judgesNone: "One judge alone has graded these responses",
  judgesNoneBody:
    "Import a second judging of the same run, such as a _rubric_scored file by another rubric judge, or another evaluator’s verdicts on checks, to compare them.",
  own: "own family",
  spread: "Spread",
  pairs: "Two judges on the same responses",
  meanDifference: "Mean difference",
  rankCorrelation: "Kendall’s τ-b",
  answers: "Answers",
  selfPreference: "Self-preference",
  selfPreferenceBody:
    "How much a judge exceeds the other judges on its own family’s answers, less how much it exceeds them on the rest: a judge who is generous to everybody is not partial.",
  selfPreferenceNone: "No judge is of the family of a model.",
  onOwn: "On own",
  onOthers: "On others",
  preference: "Preference",

  intervalsBy: (interval: string, resamples: string, seed: string) =>
    `95 % intervals: ${interval}, ${resamples} resamples, seed ${seed}.`,

  difference: "Is one better than the other?",
  differenceBody:
    "Two coefficients over the same prompts, and their difference. Both are computed on every resample of the prompts, so that what they have in common cancels.",
  coefficient: "Coefficient",
  first: "First",
  second: "Second",
  human: "Human",
  judging: "Judging",
  asRun: "as first run",
  majority: "Majority",
  settledOption: "After settling",
  threshold: "Threshold",
  everyModel: "All models",
  presets: "Ready-made",
  presetSettled: "Before and after settling",
  presetMean: "All criteria, or a mean of 0.80",
  presetJudging: (name: string) => `As first run, or ${name}`,
  presetVersions: (one: string, other: string) => `Rubric: ${one}, or ${other}`,
  everyVersion: "Every version",
  units: (n: string) => many(n, "unit"),
  differs: (low: string, high: string) =>
    `The interval from ${low} to ${high} leaves 0 out: the two differ by more than chance.`,
  mayNot: (low: string, high: string) =>
    `The interval from ${low} to ${high} holds 0: these units do not tell the two apart.`,
  differenceNone: (why: string) => `There is no difference to show: ${why}.`,

  plan: "How many units must two people judge?",
  planBody:
    "An interval narrows with the root of the number of units. The plan takes what these units show as a pilot, and how much responses to one prompt resemble each other.",
  width: "Wanted width of the 95 % interval",
  from: "Start from",
  pilot: "the units above, as a pilot",
  expected: "what I expect",
  expectedAgreement: "Agreement",
  expectedFirst: "Judge says correct",
  expectedSecond: "Human says correct",
  perPrompt: "Units per prompt",
  designEffect: "Design effect",
  planned: (units: string, prompts: string, width: string) =>
    `${units} units, of about ${prompts} prompts, give an interval ${width} wide.`,
  plannedAt: (value: string, effect: string) =>
    `Expected value ${value}; units of one prompt make the variance ${effect} times that of independent ones.`,
  widths: "Width by number of units",
  unitsHead: "Units",
  widthHead: "Width",
  noPlan: (why: string) => `There is no plan: ${why}.`,
  audit: "What an audit shows",
  auditErrors: "Errors found",
  auditItems: "Items audited",
  audited: (rate: string) => `With 95 % confidence, the error rate of the whole is at most ${rate} %.`,
} as const;
