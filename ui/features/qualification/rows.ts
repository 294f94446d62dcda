// One row for each person and modality.
import type { T } from "$ui/backend";
import { common, count, percent } from "$ui/text";

export interface Row {
  person: string;
  name: string;
  /** What came of the last quiz. */
  quiz: T.QuizResult | undefined;
  own: T.ModalityQualification;
}

export const rowsOf = (people: readonly T.PersonQualification[]): Row[] =>
  people.flatMap((person) =>
    person.modalities.map((own) => ({
      person: person.person,
      name: person.display || person.person,
      quiz: person.attempts.at(-1)?.result,
      own,
    })),
  );

/** "19 of 20, 95.0 % (75.1–99.9)"; a dash before anything is answered. */
export function known(own: T.ModalityQualification): string {
  const { answered, right, accuracy } = own.window;
  if (answered === 0) return common.none;
  const ends = accuracy.ci95 ? ` (${percent(accuracy.ci95[0])}–${percent(accuracy.ci95[1])})` : "";
  return `${count(right)} of ${count(answered)}, ${percent(accuracy.value)} %${ends}`;
}
