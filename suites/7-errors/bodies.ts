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
import { check, part } from '../../src/ask/index.ts';
import { must, observe, should } from '../../src/requirements/definition.ts';
import {
  refusals,
  twoBadParameters,
  unknownCurrencyWithUnknownKey,
  wrongPathWithoutKey,
} from './requests.ts';

const isErrorStatus = (view: View): boolean => view.status >= 400 && view.status < 600;
const isGet = (view: View): boolean => view.exchange.request.method === 'GET';

/** Code and name of an error; undefined for other answers, where a code is data. */
function errorIn(view: View): { code: number; name: ErrorName | undefined } | undefined {
  const code = codeOf(view);
  if (!isGet(view) || code === undefined || mayBeFirewall(view)) return undefined;
  if (!isErrorStatus(view) && !isMislabelled(view)) return undefined;
  return { code, name: errorNamed(code) };
}

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

/** Requirements on the body of any error. */
export const BODIES = {
  '7/error-shape': must({
    title: 'Every error body has `code` (number), `message` (string) and `details` (object)',
    clauses: ['7 error body', '7 500001', '7 500301'],
    explains: 'error bodies of another shape',
    shownBy: 'a refused request',
    why: 'Clients read `code`, `message` and `details` in every error; a different shape breaks their error handling.',
    usually: [
      'Errors from the gateway, router or framework have their own shape: check 404 and 405.',
      '`code` is a string, or `details` is null or missing.',
    ],
    checks: [check(refusals)],
    judge: judgeEach((view, _context, it) => {
      // HTML pages of a gateway (502, 504) are not error bodies.
      if (!isErrorStatus(view) || !isGet(view) || !view.isJson || mayBeFirewall(view)) return;
      const body = isObject(view.body) ? view.body : {};
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
    }),
  }),
  '7/status-agrees': must({
    title: 'The status of an error matches its code',
    clauses: Object.values(ERRORS).map(({ code }) => `7 ${code}`),
    shownBy: 'a refused request',
    why: 'Some clients use the status, others the code; when the two disagree, one of them is wrong.',
    usually: [
      'All errors have status 200 or 400, and only the code carries the meaning.',
      'A gateway changes the status but not the body.',
    ],
    checks: [check(refusals)],
    judge: judgeEach((view, context, it) => {
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
    }),
  }),
  '7/code-listed': should({
    title: 'Error codes are listed in the table in §7, in either form',
    clauses: ['7 note 1'],
    shownBy: 'a refused request',
    rulings: [6],
    explains: 'custom error codes',
    why: 'A code outside the table has no documented meaning.',
    usually: ['Codes from an internal service or framework are passed through.'],
    checks: [check(refusals)],
    judge: judgeEach((view, _context, it) => {
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
    }),
  }),
  '7/code-form': observe({
    title: 'Six-digit or five-digit error codes',
    clauses: ['7 note 1'],
    shownBy: 'a refused request',
    basis: 'contradictory',
    rulings: [6],
    checks: [check(refusals)],
    judge: judgeEach((view, _context, it) => {
      const { code, name } = errorIn(view) ?? {};
      if (code === undefined || name === undefined) return;
      it.read(READINGS.codeForm.question, codeForm(code), view);
    }),
  }),
};

export const SEVERAL_ERRORS = {
  '7/several-errors': observe({
    title: 'Which error is returned when several apply',
    clauses: ['7 error body'],
    shownBy: 'a refused request with several errors',
    rulings: [8],
    checks: [
      part('no key and a wrong path', wrongPathWithoutKey),
      part('an unknown key and an unknown currency', unknownCurrencyWithUnknownKey),
      part('two bad parameters', twoBadParameters),
    ],
    judge: judgeEach((view, context, it) => {
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
    }),
  }),
};
