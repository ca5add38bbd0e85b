import { MOVING_LIST_MS } from '../numbers.ts';
import { judgeAll, type OwnJudgement } from '../../src/judge/judge.ts';
import { PAGE_PARAMETERS, PAGES, locatePage, type LocatedPage } from '../../src/judge/pages.ts';
import { requestsBetween, sameList } from '../../src/judge/relations.ts';

/** §4.2: without `page`, news is page 1. If page 1 was not requested in the same language, only the envelope tells. */
export const firstByDefault = judgeAll((views, context, it) => {
  for (const group of sameList(views, '/news', PAGE_PARAMETERS, context)) {
    const pages = group.flatMap((view) => locatePage(PAGES['/news'], view) ?? []);
    const explicit = pages.filter(({ askedPage }) => askedPage === 1);
    for (const page of pages) if (!page.view.query.has('page')) judgeDefault(page, explicit, it);
  }
});

function judgeDefault(page: LocatedPage, explicit: readonly LocatedPage[], it: OwnJudgement): void {
  const { view } = page;
  if (page.page !== undefined && page.page !== 1) {
    it.found(view, {
      kind: 'default-other-page',
      expected: 'page: 1',
      actual: `page: ${page.page}`,
      pointer: `${view.root}/page`,
    });
    return;
  }
  const compared = explicit
    .filter((other) => Math.abs(other.view.now - view.now) <= MOVING_LIST_MS)
    .map((near) => {
      const length = Math.min(near.rows, page.rows);
      const head = new Set(near.items.slice(0, length));
      const shared = page.items.slice(0, length).filter((item) => head.has(item)).length;
      return { near, length, shared };
    });
  const isSame = compared.some(({ length, shared }) => shared * 2 >= length);
  // Allow one new item per request in between.
  const apart = compared.find(
    ({ near, length, shared }) => length - shared > requestsBetween(near.view, view),
  );
  if (!isSame && apart !== undefined) {
    const { near, length, shared } = apart;
    it.found(view, {
      kind: 'default-other-items',
      expected: `the items of ${near.view.exchange.id}`,
      against: [near.view],
      actual: `${shared} of ${length} are the same`,
      pointer: `${view.root}/list`,
    });
  } else if (isSame || page.page === 1) it.judged(view);
}
