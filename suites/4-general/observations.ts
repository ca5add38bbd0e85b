import { isJudgeable } from '../../src/rules/context.ts';
import { codeOf, describeAnswer, isAbout } from '../../src/rules/errors.ts';
import { expectationOf, matchesError, type ExpectedError } from '../../src/rules/expectation.ts';
import type { Rule } from '../../src/rules/judgement.ts';
import { criteria } from '../../src/rules/criterion.ts';

/** What this file decides. */
export const OBSERVATIONS = criteria('otherMethods', 'severalErrors');

/** §4, ruling 20: what methods other than GET get. */
const otherMethods: Rule = {
  name: 'other-methods',
  judges: [OBSERVATIONS.otherMethods],
  each(view, _context, into) {
    const { method } = view.exchange.request;
    if (method === 'GET' || view.status === 429) return;
    into.read(`Answer to ${method}`, describeAnswer(view), view, OBSERVATIONS.otherMethods);
  },
};

/** §7, ruling 8: which error a request gets that deserves several, and which one an empty value gets. */
const severalErrors: Rule = {
  name: 'several-errors',
  judges: [OBSERVATIONS.severalErrors],
  each(view, context, into) {
    if (!isJudgeable(view, context)) return;
    const expectation = expectationOf(view, context);
    if (expectation.kind !== 'refused') return;
    const { errors } = expectation;
    const causes = [...new Set(errors.map(causeOf))];
    if (errors.length < 2) return;
    const code = codeOf(view);
    const fitting = errors.filter(({ error }) => matchesError(error, view.status, code));
    const named = fitting.filter(
      ({ parameter }) => parameter !== undefined && isAbout(view, parameter),
    );
    const winners = [...new Set((named.length > 0 ? named : fitting).map(causeOf))];
    const question =
      causes.length > 1
        ? `Which error wins: ${causes.toSorted().join(' or ')}`
        : `Error for an empty value (${causes[0]})`;
    const winner = causes.length > 1 ? winners.join(' or ') : describeAnswer(view);
    into.read(question, winner || describeAnswer(view), view, OBSERVATIONS.severalErrors);
  },
};

/** What an error is about, in words that do not depend on the code. */
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

export const OBSERVATION_RULES: readonly Rule[] = [otherMethods, severalErrors];
