import { KEY_HEADER } from '../contract/limits.ts';
import { isJudgeable } from './context.ts';
import { codeOf, describeAnswer, detailsOf } from './errors.ts';
import { show, type Rule } from './judgement.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';

/** §5 rule 2, §7: what authentication errors carry in details. */
const authenticationDetails: Rule = {
  name: 'authentication-details',
  requirements: ['5/details-header', '5/details-solution', '5/missing-key-code'],
  each(view, context, into) {
    if (view.status !== 401 || !isJudgeable(view, context) || !view.isJson) return;
    if (view.exchange.request.method !== 'GET') return;
    const details = detailsOf(view);
    const header = details['header'];
    const matches = typeof header === 'string' && header.toUpperCase() === KEY_HEADER;
    into.expect('5/details-header', view, matches, () => ({
      message: `The authentication error of ${place(view)} does not name the key header`,
      expected: `details.header: "${KEY_HEADER}"`,
      actual: `details.header: ${show(header)}`,
      pointer: '/details/header',
    }));
    const { solution } = details;
    into.expect(
      '5/details-solution',
      view,
      typeof solution === 'string' && solution !== '',
      () => ({
        message: `The authentication error of ${place(view)} offers no solution`,
        expected: 'details.solution: a non-empty string',
        actual: `details.solution: ${show(solution)}`,
        pointer: '/details/solution',
      }),
    );
    if (view.exchange.role === 'none') {
      into.read(
        'Error code when the key is missing',
        String(codeOf(view) ?? 'none'),
        view,
        '5/missing-key-code',
      );
    }
  },
};

/** The name of the key header as sent, when that is another spelling than the stated one. */
function otherSpelling({ exchange }: View): string | undefined {
  const names = Object.keys(exchange.request.headers);
  return names.find((name) => name.toUpperCase() === KEY_HEADER && name !== KEY_HEADER);
}

/** True for a refusal of a key that was sent under another spelling of the header: it says nothing about anything else. */
export function isHeaderCaseRefusal(view: View): boolean {
  return view.status === 401 && otherSpelling(view) !== undefined;
}

/**
 * §5 rule 2: names of HTTP headers have no letter case, so a key in another spelling of the header is the same key. A
 * refusal is judged only when the key works elsewhere.
 */
const headerCase: Rule = {
  name: 'header-case',
  requirements: ['5/header-case'],
  each(view, context, into) {
    const { role, request } = view.exchange;
    const name = otherSpelling(view);
    if (role !== 'valid' || name === undefined) return;
    if (!isJudgeable(view, context) || request.method !== 'GET') return;
    into.expect('5/header-case', view, view.status !== 401, () => ({
      message: `${place(view)} does not find the key in the header ${name}`,
      expected: `the same answer as with ${KEY_HEADER}`,
      actual: describeAnswer(view),
    }));
  },
};

export const AUTHENTICATION_RULES: readonly Rule[] = [authenticationDetails, headerCase];
