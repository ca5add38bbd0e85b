import { CONTRADICTIONS } from '../../requirements/contradictions.ts';
import type { Contradiction, TextForm } from '../../requirements/contradictions.ts';
import { isJudged } from '../model/status.ts';
import { valueAt } from '../../text/json-layout.ts';
import type { ReadingResult, RequirementResult, Results } from '../model/results.ts';

/** How often a form was seen, and where. */
export interface SeenForm {
  readonly form: TextForm;
  /** Null when it was seen but not counted. */
  readonly count: number | null;
  /** Ids of exchanges that show it; not always all of them. */
  readonly exchanges: readonly string[];
}

/** A contradiction of the specification, and what the target does. */
export type SeenContradiction = ReturnType<typeof seenOf>;

/** How often something was seen, and where; the form is undefined when it is neither. */
type Given = Omit<SeenForm, 'form'> & { readonly form: TextForm | undefined };

/** The answers of a reading. A mixed one lists at most three exchanges of each answer, one answer after the other. */
function givenBy(
  { answer: only, mixed, forms: answers = [], exchanges }: ReadingResult,
  forms: Contradiction['forms'],
  judged: readonly string[],
): readonly Given[] {
  const formOf = (answer: string): TextForm | undefined =>
    forms.find((form) => form.answers.includes(answer));
  if (!mixed) return [{ form: formOf(only), count: judged.length, exchanges: judged }];
  let end = 0;
  return answers.map(({ answer, count }) => {
    const start = end;
    end += Math.min(3, count ?? 0);
    return { form: formOf(answer), count, exchanges: exchanges.slice(start, end) };
  });
}

/** Without a reading the judgement tells: an exchange without a finding has the first form. */
function givenByJudgement(
  requirement: RequirementResult,
  [first, second]: Contradiction['forms'],
  results: Results,
): readonly Given[] {
  return requirement.exchanges.map((id): Given => {
    const finding = requirement.findings.find(({ exchange }) => exchange === id);
    const text = results.exchanges.find((one) => one.id === id)?.response?.text ?? '';
    const isSecond = typeof valueAt(text, finding?.pointer ?? '') === second.jsonType;
    const form = finding === undefined ? first : isSecond ? second : undefined;
    return { form, count: 1, exchanges: [id] };
  });
}

const sum = (given: readonly Given[]): number | null =>
  given.reduce<number | null>(
    (total, { count }) => (total === null || count === null ? null : total + count),
    0,
  );

function seenOf(contradiction: Contradiction, results: Results) {
  const { question, counted, forms } = contradiction;
  const requirement = results.requirements.find(({ id }) => id === counted);
  const reading = results.readings.find((one) => one.question === question);
  let given: readonly Given[] = [];
  if (requirement !== undefined && reading !== undefined)
    given = givenBy(reading, forms, requirement.exchanges);
  else if (requirement !== undefined && question === null && isJudged(requirement))
    given = givenByJudgement(requirement, forms, results);
  const seen = (form: TextForm): SeenForm => {
    const own = given.filter((one) => one.form === form);
    return { form, count: sum(own), exchanges: own.flatMap(({ exchanges }) => exchanges) };
  };
  return {
    ...contradiction,
    /** The counted requirement as judged in this run; undefined when it is not in the run. */
    requirement,
    seen: [seen(forms[0]), seen(forms[1])] as const,
    /** How often neither form was seen where one is due; null when not counted. */
    other: sum(given.filter(({ form }) => form === undefined)),
  };
}

/** True for a form that was seen at least once. */
export const isSeen = ({ count }: SeenForm): boolean => count !== 0;

/** Every contradiction of the specification with the forms seen; those with both come first, as callers have to handle both. */
export function contradictionsOf(results: Results): readonly SeenContradiction[] {
  const all = CONTRADICTIONS.map((one) => seenOf(one, results));
  const rank = ({ seen }: SeenContradiction): number => -seen.filter(isSeen).length;
  return all.toSorted((a, b) => rank(a) - rank(b));
}

export const NOT_ASKED = 'not tested';

/** Which forms of a contradiction were seen, in a few words. */
export function seenWords({ seen, other, requirement }: SeenContradiction): string {
  const [one, two] = seen.map(isSeen);
  if (one && two) return 'both forms';
  if (one || two) return one ? 'only the first form' : 'only the second form';
  if (other !== 0) return 'neither form';
  return requirement === undefined || !isJudged(requirement) ? NOT_ASKED : 'no evidence';
}
