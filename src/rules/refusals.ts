import type { Context } from './context.ts';
import { isJudgeable } from './context.ts';
import { because, codeOf, describeAnswer } from './errors.ts';
import { describeError, expectationOf, matchesError } from './expectation.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { isMaintenance, place } from './transport.ts';
import { isObject, type View } from './view.ts';

/** §4, §5, §7: a request that must be refused is refused, with the status and code of an error that applies. */
const refusals: Rule = {
  name: 'refusals',
  requirements: [
    '5/key-required',
    '5/unknown-key',
    '5/disabled-key',
    '5/expired-key',
    '5/forbidden',
    '7/malformed-currency-id',
    '7/currency-not-found',
    '7/unknown-path',
    '7/unknown-resource',
    '7/unknown-resource-no-record',
    '4.1/klines-interval-required',
    '4.1/klines-interval-enum',
    '4.5/klines-interval-required',
    '4.5/klines-interval-enum',
    '4.2/featured-page-required',
    '4.2/featured-page-size-required',
    '4.3/symbol-required',
    '4.3/symbol-enum',
    '4.3/country-required',
    '4.3/country-enum',
    '4.3/country-enum-code',
    '4.3/unlisted',
  ],
  each(view, context, into) {
    const expectation = expectationOf(view, context);
    if (expectation.kind !== 'refused') return;
    const [first] = expectation.errors;
    if (first === undefined || isUnprobedPath(view, context)) return;
    judgeUnknownResource(view, first.requirement, context, into);
    if (!isJudgeable(view, context)) return;
    const code = codeOf(view);
    const holds = expectation.errors.some(({ error }) => matchesError(error, view.status, code));
    into.expect(first.requirement, view, holds, () => ({
      message: `${place(view)} ${because(view)}answered ${describeAnswer(view)}`,
      expected: [...new Set(expectation.errors.map(({ error }) => describeError(error)))].join(
        ' or ',
      ),
      actual: describeAnswer(view),
      pointer: view.status >= 400 ? '/code' : null,
    }));
    if (first.requirement === '4.3/country-enum' && expectation.errors.length === 1 && holds) {
      into.expect(
        '4.3/country-enum-code',
        view,
        matchesError('invalidValue', view.status, code),
        () => ({
          message: 'The refusal of an unknown country_code has another code',
          expected: describeError('invalidValue'),
          actual: describeAnswer(view),
          pointer: '/code',
        }),
      );
    }
  },
};

/**
 * A service may have more paths than §4 names. One that succeeds is a wrong path only where a check made it up: then
 * the facts list it as unknown.
 */
function isUnprobedPath(view: View, context: Context): boolean {
  const { endpoint, request } = view.exchange;
  const probes = context.unknownIds['path'] ?? [];
  return endpoint === null && view.status < 400 && !probes.includes(request.path);
}

/** Ruling 11: whatever the refusal looks like, no record may be made up, and the server may not fail. */
function judgeUnknownResource(
  view: View,
  requirement: string,
  context: Context,
  into: Judgement,
): void {
  if (requirement !== '7/unknown-resource' || isMaintenance(view)) return;
  if (view.status < 500 && !isJudgeable(view, context)) return;
  const expected = 'status 404 and code 400401 (or 40401), no record';
  if (view.status >= 500) {
    into.found('7/unknown-resource-no-record', view, {
      message: `${place(view)} failed for an identifier that does not exist`,
      expected,
      actual: `status ${view.status}`,
    });
    return;
  }
  if (view.ok && !view.isJson) return;
  into.expect('7/unknown-resource-no-record', view, !view.ok || holdsNothing(view.body), () => ({
    message: `${place(view)} answered with a record for an identifier that does not exist`,
    expected,
    actual: `status ${view.status} ${show(view.body)}`,
    pointer: '',
  }));
}

/** True for null, an empty list or object, and an object whose members are all so, such as an empty page. */
function holdsNothing(body: unknown): boolean {
  if (body === null || body === undefined) return true;
  if (Array.isArray(body)) return body.length === 0;
  if (!isObject(body)) return false;
  const { list } = body;
  if (Array.isArray(list)) return list.length === 0;
  return Object.values(body).every(holdsNothing);
}

export const REFUSAL_RULES: readonly Rule[] = [refusals];
