import { ERRORS } from '../spec/error-codes.ts';
import { READINGS } from '../spec/readings.ts';
import type { RequirementId } from '../spec/requirement-id.ts';

/** One of the forms that the specification gives for the same thing. */
export interface TextForm {
  /** What it says, in our words. */
  readonly says: string;
  /** Where it stands: section, and table, rule or example. */
  readonly where: string;
  /** Answers to the question of the contradiction that mean this form. */
  readonly answers: readonly string[];
  /** Where the judgement tells the form: JSON type of what it finds in place of the first one. */
  readonly jsonType?: 'number' | 'string';
}

/** A place where the specification says one thing in two ways. */
export interface Contradiction {
  /** What it is about, as a heading. */
  readonly about: string;
  readonly forms: readonly [TextForm, TextForm];
  /** The reading that tells which form was seen; null where the judgement tells it: what passes has the first form. */
  readonly question: string | null;
  /** The requirement on whose exchanges the forms are counted. */
  readonly counted: RequirementId;
  /** Further requirements that are judged by the same ruling. */
  readonly also: readonly RequirementId[];
  /** Why a target may have the one or the other: number of the ruling; null where the text itself says which holds. */
  readonly ruling: number | null;
}

/** Every contradiction of the specification, in the order of its sections. */
export const CONTRADICTIONS: readonly Contradiction[] = [
  {
    about: '`date` of an ETF history row',
    forms: [
      { says: 'a string of the form YYYY-MM-DD', where: '§2.8, table 2', answers: [] },
      {
        says: 'a timestamp number, in an older description',
        where: '§2.8, table 2',
        answers: [],
        jsonType: 'number',
      },
    ],
    question: null,
    counted: '2.8/history-date',
    also: [],
    ruling: null,
  },
  {
    about: 'Maximum number of news items in one response',
    forms: [
      {
        says: '100, the maximum of page_size',
        where: '§4.2, GET /news',
        answers: [READINGS.newsMaximum.refused, READINGS.newsMaximum.broughtDown],
      },
      {
        says: '200 per request',
        where: '§4.2, rule 4; §8',
        answers: [READINGS.newsMaximum.upTo200],
      },
    ],
    question: READINGS.newsMaximum.question,
    counted: '4.2/page-size-reading',
    also: [],
    ruling: 4,
  },
  {
    about: '`volume` of an ETF history row',
    forms: [
      {
        says: 'a JSON number of shares',
        where: '§2.8, table 2',
        answers: [READINGS.volumeType.number],
      },
      {
        says: 'a string that repeats value_traded',
        where: '§4.4, rule 3 (known issue)',
        answers: [READINGS.volumeType.text],
      },
    ],
    question: READINGS.volumeType.question,
    counted: '4.4/volume-reading',
    also: ['2.8/history-volume', '4.4/volume-equals-turnover'],
    ruling: 1,
  },
  {
    about: 'Error codes',
    forms: [
      {
        says: 'six digits, such as 400001',
        where: '§7, table of codes',
        answers: [READINGS.codeForm.sixDigit],
      },
      {
        says: 'five digits, such as 40001',
        where: '§7, example of an error',
        answers: [READINGS.codeForm.fiveDigit],
      },
    ],
    question: READINGS.codeForm.question,
    counted: '7/code-form',
    also: [],
    ruling: 6,
  },
  {
    about: 'Error code of the rate limiter',
    forms: [
      {
        says: String(ERRORS.tooManyRequests.code),
        where: '§7, table of codes',
        answers: [String(ERRORS.tooManyRequests.code)],
      },
      {
        says: String(ERRORS.tooManyRequests.twin),
        where: '§8, example of a refusal',
        answers: [String(ERRORS.tooManyRequests.twin)],
      },
    ],
    question: READINGS.refusalCode.question,
    counted: '8/refusal-code',
    also: [],
    ruling: 6,
  },
];
