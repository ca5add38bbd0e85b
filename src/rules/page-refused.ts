import { describeAnswer } from './errors.ts';
import { isInvalidRequestStatus } from './expectation.ts';
import type { Judgement, Rule } from './judgement.ts';
import { PAGE_PARAMETERS, PAGED, pageOf, type PagedFacts } from './pages.ts';
import { counted, sameList, wholeNumber } from './relations.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';

/** A list may lose so many items between two requests, and its last page with them. */
const SLACK = 3;

/**
 * §4.1, §4.2: a page is refused only where there is none. That there is one is known from `total` on another page of
 * the same list.
 */
export const pageRefused: Rule = {
  name: 'page-refused',
  judges: PAGED.flatMap(({ judges }) => judges.join ?? judges.differ ?? []),
  all(views, context, into) {
    for (const facts of PAGED) {
      for (const group of sameList(views, facts.endpoint, PAGE_PARAMETERS, context)) {
        for (const view of group) judgeRefused(facts, view, group, into);
      }
    }
  },
};

function judgeRefused(
  facts: PagedFacts,
  view: View,
  group: readonly View[],
  into: Judgement,
): void {
  const criterion = facts.judges.join ?? facts.judges.differ;
  const page = wholeNumber(view.query.get('page'));
  const size = view.query.has('page_size')
    ? wholeNumber(view.query.get('page_size'))
    : (facts.fallback ?? undefined);
  if (criterion === undefined || page === undefined || size === undefined) return;
  if (page < 2 || size < facts.minimum || size > facts.maximum) return;
  if (!isInvalidRequestStatus(view.status) && view.status !== 404) return;
  const before = (page - 1) * size;
  const known = group.find((other) => (pageOf(facts, other)?.total ?? 0) > before + SLACK);
  if (known === undefined) return;
  into.found(criterion, view, {
    message: `${place(view)} refuses page ${page}, although there is one`,
    expected: `the ${facts.item}s from number ${before + 1} on: ${known.exchange.id} counts ${counted(pageOf(facts, known)?.total ?? 0, facts.item)}`,
    actual: describeAnswer(view),
  });
}
