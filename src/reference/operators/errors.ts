import { ERRORS } from '../../spec/error-codes.ts';
import type { ErrorName } from '../../spec/error-codes.ts';
import type { Answer, Hooks } from '../hooks.ts';
import { isObject } from '../json.ts';
import { onAnswer, withHeader } from '../vocabulary.ts';
import type { Json, JsonObject } from '../world.ts';
import { CASES, isCase } from './error-cases.ts';
import type { Case } from './error-cases.ts';
import { entriesOf, faultsBy, nameOf, SHOULD, slugOf } from './operator.ts';
import type { OperatorEntry, OperatorFault } from './operator.ts';
import { withoutMember } from './words.ts';

/** One way in which a refusal can be wrong. */
interface Defect {
  readonly name: string;
  readonly says: string;
  readonly isShould?: true;
  readonly applies?: (one: Case) => boolean;
  readonly change: (answer: Answer, body: JsonObject, one: Case) => Answer;
}

const status = (name: string, code: number): Defect => ({
  name,
  says: `has status ${code}`,
  applies: ({ error }) => ERRORS[error].status !== code,
  change: (answer) => ({ ...answer, status: code }),
});
const body = (
  name: string,
  says: string,
  change: (body: JsonObject, one: Case) => Json,
  more: Partial<Defect> = {},
): Defect => ({
  name,
  says,
  ...more,
  change: (answer, value, one) => ({ ...answer, value: change(value, one) }),
});

const PAGE = '<!doctype html><html><head><title>Error</title></head><body>Error</body></html>';

/** Another error of the same status, or the nearest one. */
const NEIGHBOUR: Readonly<Partial<Record<ErrorName, ErrorName>>> = {
  invalidFormat: 'invalidValue',
  missingParameter: 'invalidFormat',
  invalidValue: 'invalidFormat',
  invalidKey: 'forbidden',
  expiredKey: 'forbidden',
  forbidden: 'invalidKey',
  notFound: 'unknownEndpoint',
  unknownEndpoint: 'notFound',
  tooManyRequests: 'unavailable',
};

const DEFECTS: readonly Defect[] = [
  status('status-200', 200),
  status('status-422', 422),
  status('status-400', 400),
  status('status-404', 404),
  status('status-500', 500),
  body('other-code', 'has the code of another error', (value, { error }) => ({
    ...value,
    code: ERRORS[NEIGHBOUR[error] ?? 'internal'].code,
  })),
  body('code-text', 'has a string as code', (value) => ({
    ...value,
    code: JSON.stringify(value['code']),
  })),
  body('code-status', 'has the status as its code', (value, { error }) => ({
    ...value,
    code: ERRORS[error].status,
  })),
  body('code-missing', 'has no code', (value) => withoutMember('code', value)),
  body('message-missing', 'has no message', (value) => withoutMember('message', value)),
  body('message-null', 'has null as message', (value) => ({ ...value, message: null })),
  body(
    'message-other',
    'has a different message',
    (value) => ({ ...value, message: 'Something went wrong' }),
    { applies: ({ message }) => message },
  ),
  body('details-missing', 'has no details', (value) => withoutMember('details', value)),
  body('details-null', 'has null as details', (value) => ({ ...value, details: null })),
  body('details-array', 'has an array for details', (value) => ({
    ...value,
    details: [value['details'] ?? null],
  })),
  body('details-text', 'has a string as details', (value) => ({ ...value, details: 'see above' })),
  body('nested', 'is wrapped in error', (value) => ({ error: value })),
  body('in-array', 'is wrapped in an array', (value) => [value]),
  {
    name: 'html',
    says: 'is an HTML page',
    change: (answer) => ({
      ...withHeader(answer, 'content-type', 'text/html; charset=utf-8'),
      text: PAGE,
    }),
  },
  { name: 'empty', says: 'has no body', change: (answer) => ({ ...answer, text: '' }) },
  {
    name: 'content-type',
    says: 'has the content type text/plain',
    isShould: true,
    change: (answer) => withHeader(answer, 'content-type', 'text/plain'),
  },
];

const changing = (one: Case, change: (answer: Answer, value: JsonObject) => Answer): Hooks =>
  onAnswer(
    (answer, context) => isObject(answer.value) && isCase(one, answer, context),
    (answer) => (isObject(answer.value) ? change(answer, answer.value) : answer),
  );

/** Represents the refusals of all purpose-only endpoints (§4.7). */
const FEW: ReadonlySet<string> = new Set(['status-500', 'code-missing', 'details-array', 'html']);

/**
 * One request shows every defect of one refusal. So the refusals of single endpoints share the defects out among them:
 * each has a third, and each defect is met on a third of the endpoints.
 */
const SHARES = 3;

function entriesIn(one: Case, caseIndex: number): readonly OperatorEntry[] {
  const [place, where] =
    one.endpoint === null ? ['', ''] : [`${slugOf(one.endpoint)}.`, `${nameOf(one.endpoint)}: `];
  const entry = entriesOf(`${place}${one.name}/`, `${where}the refusal of ${one.says} `);
  const detail = (key: string, how: string, change: (details: JsonObject) => JsonObject) =>
    entry(
      `details-${key}-${how}`,
      `has ${how === 'null' ? 'null for' : 'no'} details.${key}`,
      changing(one, (answer, value) => {
        const { details } = value;
        return isObject(details)
          ? { ...answer, value: { ...value, details: change(details) } }
          : answer;
      }),
      isStated(one, key) ? {} : SHOULD,
    );
  return [
    ...DEFECTS.filter(
      ({ name, applies }) => applies?.(one) !== false && (one.section !== '4.7' || FEW.has(name)),
    )
      .filter((_, index) => one.endpoint === null || (index + caseIndex) % SHARES === 0)
      .map(({ name, says, isShould = isLoose(one, name), change }) =>
        entry(
          name,
          says,
          changing(one, (answer, value) => change(answer, value, one)),
          isShould ? SHOULD : {},
        ),
      ),
    ...one.keys.flatMap((key) => [
      detail(key, 'missing', (details) => withoutMember(key, details)),
      detail(key, 'null', (details) => ({ ...details, [key]: null })),
    ]),
  ];
}

/** Keys of details that a clause states literally. */
const MUST_DETAILS: ReadonlySet<string> = new Set(['header', 'limit', 'window', 'retry_after']);

/** `header` and the figures of the limiter; the list of allowed values only where §4.3 rule 1 asks for it. */
const isStated = (one: Case, key: string): boolean =>
  MUST_DETAILS.has(key) || (key === 'constraint' && one.name === 'symbol-unknown');

/** Which error an identifier gets is a should where no clause names the case; its shape and a 5xx are not. */
const LOOSE: ReadonlySet<string> = new Set([
  'status-422',
  'status-400',
  'status-404',
  'other-code',
  'code-status',
  'message-other',
]);

const isLoose = (one: Case, name: string): boolean =>
  LOOSE.has(name) && (one.stated === false || one.name === 'country_code-unknown');

/** Every stated refusal with every defect (§7). */
export const errorOperators = (): readonly OperatorFault[] =>
  CASES.flatMap((one, caseIndex) => faultsBy('error', one.endpoint, entriesIn(one, caseIndex)));
