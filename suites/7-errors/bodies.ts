import { codeForm, ERRORS, errorNamed, type ErrorName } from '../../src/spec/error-codes.ts';
import { STATUS } from '../../src/spec/finding.ts';
import { READINGS } from '../../src/spec/readings.ts';
import { isJudgeable } from '../../src/judge/context.ts';
import { codeOf, describeAnswer, isAbout, isMislabelled } from '../../src/judge/errors.ts';
import {
  expectationOf,
  GENERIC_CODE,
  matchesError,
  type ExpectedError,
} from '../../src/judge/expectation.ts';
import type { Facts } from '../../src/judge/facts.ts';
import { mayBeFirewall } from '../../src/judge/origin/hostile.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { isObject, type View } from '../../src/judge/view.ts';

const isErrorStatus = (view: View): boolean => view.status >= 400 && view.status < 600;
const isGet = (view: View): boolean => view.exchange.request.method === 'GET';

/** §7: every error body has code, message and details. */
export const errorShape = judgeEach((view, _context, it) => {
  // HTML pages of a gateway (502, 504) are not error bodies.
  if (!isErrorStatus(view) || !isGet(view) || !view.isJson || mayBeFirewall(view)) return;
  const { body } = view;
  if (!isObject(body)) {
    it.found(view, {
      kind: 'no-error-object',
      facts: { status: view.status },
      expected: 'an object with code, message and details',
      actual: show(body),
      pointer: '',
    });
    return;
  }
  const fields = [
    ['code', 'a number', typeof body['code'] === 'number'],
    ['message', 'a string', typeof body['message'] === 'string'],
    ['details', 'an object', isObject(body['details'])],
  ] as const;
  for (const [name, expected, holds] of fields) {
    it.expect(view, holds, () => ({
      kind: 'error-field',
      facts: { field: name, expected },
      expected,
      actual: show(body[name]),
      pointer: `/${name}`,
    }));
  }
});

/** Code and name of an error; undefined for other answers, where a code is data. */
function errorIn(view: View): { code: number; name: ErrorName | undefined } | undefined {
  const code = codeOf(view);
  if (!isGet(view) || code === undefined || mayBeFirewall(view)) return undefined;
  if (!isErrorStatus(view) && !isMislabelled(view)) return undefined;
  return { code, name: errorNamed(code) };
}

/** §7: error codes are in the table. */
export const codeListed = judgeEach((view, _context, it) => {
  const error = errorIn(view);
  if (error === undefined) return;
  // Codes for a missing key and a used-up quota are open (rulings 7, 15).
  const open = isMissingKey(view) || view.exchange.role === 'nearQuota';
  if (error.name === undefined && open) return;
  it.expect(view, error.name !== undefined, () => ({
    kind: 'unlisted-code',
    expected: 'a code from the table in §7, in its six-digit or five-digit form',
    actual: String(error.code),
    pointer: '/code',
  }));
});

/** §7: records which of its two forms a code has. */
export const codeInForm = judgeEach((view, _context, it) => {
  const { code, name } = errorIn(view) ?? {};
  if (code === undefined || name === undefined) return;
  it.read(READINGS.codeForm.question, codeForm(code), view);
});

/** §7: status and code match. */
export const statusAgrees = judgeEach((view, context, it) => {
  const { code, name } = errorIn(view) ?? {};
  // A missing key yields 401 whatever the code.
  if (name === undefined || isMissingKey(view)) return;
  if (code === GENERIC_CODE && isFreeRefusal(view, context)) return;
  const { status } = ERRORS[name];
  it.expect(view, status === view.status, () => ({
    kind: 'status-of-code',
    facts: { code: code ?? '' },
    expected: `status ${status}`,
    actual: `status ${view.status}`,
    header: STATUS,
  }));
});

/**
 * Whether the status of a refusal is open, as for a range beyond the recent window (ruling 5), so that the generic code
 * fits. Not for refusals of the key or by the limiter.
 */
function isFreeRefusal(view: View, facts: Facts): boolean {
  const { status, exchange } = view;
  const { kind } = expectationOf(view, facts);
  return exchange.role === 'valid' && kind === 'open' && [403, 404, 409, 416, 422].includes(status);
}

const isMissingKey = ({ exchange, status }: View): boolean =>
  exchange.role === 'none' && status === 401;

/** §7, ruling 8: records which error wins if several apply, and the error for an empty value. */
export const severalErrors = judgeEach((view, context, it) => {
  if (!isJudgeable(view, context)) return;
  const expectation = expectationOf(view, context);
  if (expectation.kind !== 'refused') return;
  const { errors } = expectation;
  const causes = [...new Set(errors.map(causeOf))];
  if (errors.length < 2) return;
  const code = codeOf(view);
  // A wrong status does not make a listed code another answer.
  const name = errorNamed(code ?? 0);
  const status = name === undefined ? view.status : ERRORS[name].status;
  const fitting = errors.filter(({ error }) => matchesError(error, status, code));
  const named = fitting.filter(
    ({ parameter }) => parameter !== undefined && isAbout(view, parameter),
  );
  const winners = [...new Set((named.length > 0 ? named : fitting).map(causeOf))];
  const question =
    causes.length > 1
      ? `Which error wins: ${causes.toSorted().join(' or ')}`
      : `Error for an empty value (${causes[0]})`;
  const winner = causes.length > 1 ? winners.join(' or ') : describeAnswer(view);
  it.read(question, winner || describeAnswer(view), view);
});

/** What an error is about, independent of its code. */
function causeOf({ error, parameter }: ExpectedError): string {
  if (parameter !== undefined) return `bad ${parameter}`;
  const causes: Readonly<Record<string, string>> = {
    unauthenticated: 'missing key',
    invalidKey: 'bad key',
    expiredKey: 'expired key',
    forbidden: 'key without access',
    notFound: 'unknown identifier',
    unknownEndpoint: 'wrong path',
  };
  return causes[error] ?? 'bad parameter';
}
