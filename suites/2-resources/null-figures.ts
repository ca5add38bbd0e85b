// §2, ruling 3: null for a figure or date that may not exist or be known.
import { RELEASE_SLACK_MS } from '../numbers.ts';
import { check } from '../../src/ask/index.ts';
import { PAIRS } from '../4.1-currencies/pair-pages.ts';
import { MAY_NOT_EXIST } from '../../src/spec/resources.ts';
import { should } from '../../src/requirements/definition.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { MACRO_RELEASES } from '../../src/judge/series.ts';
import { fieldFinding, fieldProblems } from '../../src/judge/shapes.ts';
import type { View } from '../../src/judge/view.ts';
import { withoutIndexes } from '../../src/text/json-value.ts';
import { shownAt } from '../families/resource-requests.ts';

export const NULL_FIGURES = {
  '2/null-figures': should({
    title: 'An unknown or missing figure or date is null only where the specification allows it',
    clauses: ['2 type names'],
    rulings: [3],
    why: 'No clause allows null here, so typed clients may fail, even if the service has no value to send.',
    usually: [
      'A supply, a high or a low was never recorded.',
      'A source failed, and its figures are null for all records.',
    ],
    checks: [
      check(
        shownAt(
          '/currencies/{currency_id}/market-snapshot',
          PAIRS,
          '/crypto-stocks/{stock_ticker}/market-snapshot',
        ),
      ),
    ],
    judge: judgeEach((view, context, it) => {
      const problems = fieldProblems(view, context);
      if (problems === undefined || view.resource === null) return;
      if (view.records.length > 0 && MAY_NOT_EXIST[view.resource].length > 0) it.judged(view);
      for (const problem of problems.filter(({ isReasonedNull }) => isReasonedNull)) {
        if (isPlainlyAbsent(view, problem.pointer)) {
          const field = problem.pointer.split('/').at(-1) ?? '';
          it.note(`A missing ${field} is sent as`, 'null', view);
        } else it.found(view, fieldFinding(view, problem));
      }
    }),
  }),
};

/**
 * Whether a null obviously means that there is no figure (ruling 3): trailing P/E of a company with losses, a macro
 * figure without release or forecast, an undisclosed amount. `pointer` is the JSON pointer from the body without its
 * envelope.
 */
function isPlainlyAbsent(view: View, pointer: string): boolean {
  const pattern = withoutIndexes(pointer);
  switch (view.resource) {
    case 'stock-snapshot':
      return pattern === '/pe_ttm';
    case 'fundraising':
      return pattern === '/fundraising_rounds/*/amount';
    case 'macro-history-row':
      return pattern === '/*/forecast' || (pattern === '/*/actual' && isUnreleased(view, pointer));
    default:
      return false;
  }
}

/** Whether the row's day is not over; for unreadable dates, whether it is the first or last row. */
function isUnreleased({ body, now }: View, pointer: string): boolean {
  const index = Number(/^\/(\d+)/.exec(pointer)?.[1]);
  if (!Array.isArray(body)) return false;
  const released = MACRO_RELEASES.timeOf(body[index]);
  if (released !== undefined) return released > now - RELEASE_SLACK_MS;
  return index === 0 || index === body.length - 1;
}
