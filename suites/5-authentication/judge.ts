import { KEY_HEADER } from '../../src/contract/limits.ts';
import { isJudgeable } from '../../src/rules/context.ts';
import { codeOf, describeAnswer, detailsOf } from '../../src/rules/errors.ts';
import { sendsEmptyKey } from '../../src/rules/expectation.ts';
import { otherSpelling } from '../../src/rules/key-header.ts';
import { show, type Rule } from '../../src/rules/judgement.ts';
import { place } from '../../src/rules/transport.ts';
import { criteria } from '../../src/rules/criterion.ts';

/** What this file decides. */
export const AUTHENTICATION = criteria(
  'detailsHeader',
  'detailsSolution',
  'missingKeyCode',
  'headerCase',
);

/** §5 rule 2, §7: what authentication errors carry in details. */
const authenticationDetails: Rule = {
  name: 'authentication-details',
  judges: [
    AUTHENTICATION.detailsHeader,
    AUTHENTICATION.detailsSolution,
    AUTHENTICATION.missingKeyCode,
  ],
  each(view, context, into) {
    if (view.status !== 401 || !isJudgeable(view, context) || !view.isJson) return;
    if (view.exchange.request.method !== 'GET') return;
    const details = detailsOf(view);
    const header = details['header'];
    const matches = typeof header === 'string' && header.toUpperCase() === KEY_HEADER;
    into.expect(AUTHENTICATION.detailsHeader, view, matches, () => ({
      message: `The authentication error of ${place(view)} does not name the key header`,
      expected: `details.header: "${KEY_HEADER}"`,
      actual: `details.header: ${show(header)}`,
      pointer: '/details/header',
    }));
    const { solution } = details;
    into.expect(
      AUTHENTICATION.detailsSolution,
      view,
      typeof solution === 'string' && solution !== '',
      () => ({
        message: `The authentication error of ${place(view)} offers no solution`,
        expected: 'details.solution: a non-empty string',
        actual: `details.solution: ${show(solution)}`,
        pointer: '/details/solution',
      }),
    );
    if (view.exchange.role === 'none' && !sendsEmptyKey(view)) {
      into.read(
        'Error code when the key is missing',
        String(codeOf(view) ?? 'none'),
        view,
        AUTHENTICATION.missingKeyCode,
      );
    }
  },
};

/**
 * §5 rule 2: names of HTTP headers have no letter case, so a key in another spelling of the header is the same key. A
 * refusal is judged only when the key works elsewhere.
 */
const headerCase: Rule = {
  name: 'header-case',
  judges: [AUTHENTICATION.headerCase],
  each(view, context, into) {
    const { role, request } = view.exchange;
    const name = otherSpelling(view);
    if (role !== 'valid' || name === undefined) return;
    if (!isJudgeable(view, context) || request.method !== 'GET') return;
    into.expect(AUTHENTICATION.headerCase, view, view.status !== 401, () => ({
      message: `${place(view)} does not find the key in the header ${name}`,
      expected: `the same answer as with ${KEY_HEADER}`,
      actual: describeAnswer(view),
    }));
  },
};

export const AUTHENTICATION_RULES: readonly Rule[] = [authenticationDetails, headerCase];
