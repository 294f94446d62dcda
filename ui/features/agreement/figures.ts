// What an agreement result says in words, and which of its numbers are shown where. Nothing is computed here that the
// result has, except chance agreement and the two rates, which follow from its table.
import type { T } from "$ui/backend";
import { figure, percent } from "$ui/text";
import { agreement as words } from "$ui/text/agreement";

export type Numbers = Omit<T.AgreementResult, "by" | "method" | "sweep">;
export type CoefficientName = keyof typeof words.names;

export interface Four {
  bothCorrect: number;
  judgeOnly: number;
  humanOnly: number;
  bothIncorrect: number;
  n: number;
}

/** The four cells of a result of judge against human; nothing for other shapes. */
export function fourOf(numbers: Pick<Numbers, "confusion">): Four | undefined {
  const { confusion } = numbers;
  if (confusion?.labels.length !== 2) return undefined;
  const yes = confusion.labels.indexOf("correct");
  if (yes < 0) return undefined;
  const at = (row: number, column: number): number => confusion.counts[row]?.[column] ?? 0;
  const no = 1 - yes;
  const four = {
    bothCorrect: at(yes, yes),
    judgeOnly: at(yes, no),
    humanOnly: at(no, yes),
    bothIncorrect: at(no, no),
  };
  return { ...four, n: four.bothCorrect + four.judgeOnly + four.humanOnly + four.bothIncorrect };
}

/** How often each says "correct"; nothing without units. */
export function rates(four: Four): { judge: number; human: number } | undefined {
  if (four.n === 0) return undefined;
  return {
    judge: (four.bothCorrect + four.judgeOnly) / four.n,
    human: (four.bothCorrect + four.humanOnly) / four.n,
  };
}

/** Agreement that Scott's π expects by chance: both raters' labels pooled. */
export function chance(four: Four): number | undefined {
  const both = rates(four);
  if (!both) return undefined;
  const yes = (both.judge + both.human) / 2;
  return yes ** 2 + (1 - yes) ** 2;
}

/** Landis and Koch (1977). */
export function band(pi: number): keyof typeof words.bands {
  if (pi <= 0) return "poor";
  if (pi <= 0.2) return "slight";
  if (pi <= 0.4) return "fair";
  if (pi <= 0.6) return "moderate";
  if (pi <= 0.8) return "substantial";
  return "perfect";
}

/** The value as text, or why there is none; never a number in its place. */
export const valueText = (
  c: T.Coefficient | null | undefined,
  show: (v: number) => string = figure,
): string =>
  typeof c?.value === "number" ? show(c.value) : words.undefined(c?.undefined ?? words.noInterval);

export const intervalText = (
  c: T.Coefficient | null | undefined,
  show: (v: number) => string = figure,
): string => {
  const [low, high] = c?.ci95 ?? [];
  return low === undefined || high === undefined ? "–" : `${show(low)} to ${show(high)}`;
};

/** What the two first figures mean here, in sentences. */
export function meaning(numbers: Numbers, who: string): string[] {
  const four = fourOf(numbers);
  const agree = numbers.percent_agreement.value;
  const out: string[] = [];
  if (typeof agree === "number")
    out.push(words.agreeOn(who, percent(agree), String(four?.n ?? numbers.pairable_units)));
  if (!four) return out;
  const both = rates(four);
  const expected = chance(four);
  const pi = numbers.scott_pi.value;
  if (expected !== undefined && typeof pi === "number") {
    out.push(words.byChance(percent(expected)));
    if (pi >= 1) out.push(words.piFull);
    else if (pi < -0.005) out.push(words.piBelow);
    else if (pi < 0.005) out.push(words.piChance);
    else out.push(words.piMeans(percent(pi, 0), words.bands[band(pi)]));
    const low = numbers.scott_pi.ci95?.[0];
    if (pi > 0 && low !== undefined && low <= 0) out.push(words.piWide);
  }
  if (both) {
    const lean = both.judge - both.human;
    out.push(
      `${words.rates(percent(both.judge), percent(both.human))} ${
        words.leans[Math.abs(lean) < 0.005 ? "even" : lean < 0 ? "strict" : "lenient"]
      }`,
    );
  }
  return out;
}

export interface NamedCoefficient {
  name: CoefficientName;
  coefficient: T.Coefficient;
}

/** Everything a result has, in the order it is shown: the two first, then the rest. */
export function coefficients(numbers: Numbers): NamedCoefficient[] {
  const order = Object.keys(words.names) as CoefficientName[];
  return order.flatMap((name) => {
    const coefficient =
      name === "sensitivity" || name === "specificity" ? numbers.judge_as_test?.[name] : numbers[name];
    return coefficient ? [{ name, coefficient }] : [];
  });
}

/** The threshold at which Scott's π is highest; the higher threshold where several are. */
export function bestOf(sweep: readonly T.SweepPoint[]): T.SweepPoint | undefined {
  let best: T.SweepPoint | undefined;
  for (const point of sweep)
    if (typeof point.scott_pi === "number" && (best === undefined || point.scott_pi >= (best.scott_pi ?? -2)))
      best = point;
  return best;
}
