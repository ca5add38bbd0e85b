import { WINDOW_TOLERANCE_MS, WINDOWS } from '../contract/limits.ts';
import type { Criterion } from './criterion.ts';
import type { Context } from './context.ts';
import { describeAnswer } from './errors.ts';
import type { FindingText, Judgement, Rule } from './judgement.ts';
import { isNewsList, newsItems, releaseTimeOf } from './news-items.ts';
import {
  PAGE_PARAMETERS,
  PAGED,
  pageInUse,
  pageOf,
  sizeInUse,
  type Page,
  type PagedFacts,
} from './pages.ts';
import { counted, hasRecords, opensOnly, reactionOf, sameList, wholeNumber } from './relations.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';

/** The paging parameters of a request, in words. */
function shown({ query }: View): string {
  const parts = PAGE_PARAMETERS.flatMap((name) => {
    const value = query.get(name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
  return parts.length === 0 ? 'neither page nor page_size' : parts.join(' and ');
}

/** §8, ruling 4: sizes and numbers of pages, inside and outside of their bounds. */
const pageBounds: Rule = {
  name: 'page-bounds',
  judges: PAGED.flatMap(({ judges }) => [
    judges.over,
    judges.accepted,
    ...[judges.invalid, judges.belowPage, judges.belowSize].flatMap((id) => id ?? []),
  ]),
  all(views, context, into) {
    for (const facts of PAGED) {
      for (const group of sameList(views, facts.endpoint, PAGE_PARAMETERS, context)) {
        for (const view of group) {
          judgeOutOfBounds(facts, view, { group, views }, context, into);
          const page = pageOf(facts, view);
          if (page !== undefined) judgeAccepted(facts, page, into);
        }
      }
    }
  },
};

/**
 * True when a list that one answer showed cannot have become empty before another was asked for. News leave the recent
 * window, at midnight those of a whole day at once: only what is younger by a day is there still.
 */
function isStillThere(before: View, { exchange: { sentAt, skewMs } }: View): boolean {
  if (!isNewsList(before)) return true;
  const oldest = sentAt + skewMs - WINDOWS.news.maxMs + WINDOW_TOLERANCE_MS;
  return newsItems(before).some((item) => {
    const time = releaseTimeOf(item);
    return time === undefined || time > oldest;
  });
}

/** What the paging parameters of this request put to the test; undefined when they are in bounds. */
function testedBound(facts: PagedFacts, { query }: View): Criterion | undefined {
  const { judges } = facts;
  const tested = new Set<Criterion | undefined>();
  for (const name of PAGE_PARAMETERS) {
    const text = query.get(name);
    if (text === undefined) continue;
    const number = wholeNumber(text);
    const minimum = name === 'page' ? 1 : facts.minimum;
    const below = name === 'page' ? judges.belowPage : judges.belowSize;
    if (number === undefined) tested.add(judges.invalid);
    else if (number < minimum) tested.add(below ?? judges.invalid);
    else if (name === 'page_size' && number > facts.utmost) tested.add(judges.over);
  }
  const [first] = tested;
  return tested.size === 1 ? first : undefined;
}

function judgeOutOfBounds(
  facts: PagedFacts,
  view: View,
  { group, views }: { readonly group: readonly View[]; readonly views: readonly View[] },
  context: Context,
  into: Judgement,
): void {
  const criterion = testedBound(facts, view);
  const optional = Object.keys(view.endpoint?.query ?? {});
  if (criterion === undefined || !opensOnly(view, context, optional)) return;
  const reaction = reactionOf(view, context);
  const page = pageOf(facts, view);
  const wrong = page === undefined ? undefined : outside(facts, criterion, page);
  if (wrong !== undefined) {
    into.found(criterion, view, wrong);
    return;
  }
  // Without another answer that has items, a failure may have any cause. A page that is cut to the maximum is empty only
  // where the list is, and a list that is empty now may fill up: its items must have been seen before.
  const telling = reaction === 'refused' || view.records.length > 0;
  const ofList = (other: View): boolean => other !== view && hasRecords(other);
  const control =
    reaction === 'broken' || criterion !== facts.judges.over
      ? views.some((other) => other.exchange.endpoint === view.exchange.endpoint && ofList(other))
      : group.some(
          (other) =>
            ofList(other) &&
            other.exchange.receivedAt <= view.exchange.sentAt &&
            isStillThere(other, view),
        );
  if (!telling && !control) return;
  const nothing = page !== undefined && page.rows === 0 && criterion === facts.judges.over;
  into.expect(criterion, view, reaction !== 'broken' && !nothing, () => ({
    message: nothing
      ? `${place(view)} with ${shown(view)} answered with an empty page, although there are items`
      : `${place(view)} with ${shown(view)} answered neither with a page nor with a 400-class error`,
    expected: 'a 400-class error, or a page with the value brought into its range',
    actual: nothing ? 'an empty list' : describeAnswer(view),
    pointer: nothing ? `${view.root}/list` : null,
  }));
}

/** How a page uses the value that is out of bounds; undefined when it does not. */
function outside(
  { judges, minimum, utmost, item }: PagedFacts,
  criterion: Criterion,
  { view, page, size, rows, total }: Page,
): FindingText | undefined {
  const said = (name: string, value: number, expected: string): FindingText => ({
    message: `The envelope of ${place(view)} with ${shown(view)} says that the value is in use`,
    expected: `a 400-class error, or ${name} ${expected}`,
    actual: `${name}: ${value}`,
    pointer: `${view.root}/${name}`,
  });
  if (rows > utmost) {
    return {
      message: `${place(view)} with ${shown(view)} answered with a page beyond the maximum`,
      expected: `a 400-class error, or at most ${counted(utmost, item)}`,
      actual: counted(rows, item),
      pointer: view.records[utmost]?.pointer ?? view.root,
    };
  }
  if (criterion === judges.over && size !== undefined && size > utmost) {
    return said('page_size', size, `of at most ${utmost}`);
  }
  if (criterion === judges.belowPage && page !== undefined && page < 1) {
    return said('page', page, 'of at least 1');
  }
  if (criterion !== judges.belowSize) return undefined;
  if (size !== undefined && size < minimum)
    return said('page_size', size, `of at least ${minimum}`);
  if (rows < minimum && total !== undefined && total >= minimum) {
    return {
      message: `${place(view)} with ${shown(view)} answered with a page below the minimum`,
      expected: `a 400-class error, or at least ${counted(minimum, item)} of ${total}`,
      actual: counted(rows, item),
      pointer: `${view.root}/list`,
    };
  }
  return undefined;
}

/** The bound itself is in use when it is asked for. */
function judgeAccepted(facts: PagedFacts, page: Page, into: Judgement): void {
  const { view, askedSize, size, rows, total } = page;
  const bounds = facts.minimum > 1 ? [facts.minimum, facts.maximum] : [facts.maximum];
  if (askedSize === undefined || !bounds.includes(askedSize) || pageInUse(facts, page) !== 1)
    return;
  if (total === undefined || rows === 0) return;
  // A page that is short and says so was cut to another size; one that is short all the same is not full.
  const cut = rows < askedSize && total > rows && size === rows;
  into.expect(facts.judges.accepted, view, !cut, () => ({
    message: `${place(view)} cuts pages of ${askedSize} to another size`,
    expected: counted(askedSize, facts.item),
    actual: `${counted(rows, facts.item)} of ${total}, page_size: ${size}`,
    pointer: `${view.root}/page_size`,
  }));
}

/** §8: pages of 20 unless asked otherwise. */
const sizeDefault: Rule = {
  name: 'page-size-default',
  judges: PAGED.flatMap(({ judges }) => judges.sizeDefault ?? []),
  all(views, context, into) {
    forEachPage(views, context, (facts, page) => {
      const { view, rows, total, size } = page;
      const criterion = facts.judges.sizeDefault;
      const { fallback } = facts;
      if (criterion === undefined || fallback === null || view.query.has('page_size')) return;
      const number = pageInUse(facts, page);
      const before = number === undefined ? 0 : (number - 1) * fallback;
      const left = total === undefined ? 0 : Math.min(fallback, total - before);
      // The last page tells the size only by what it leaves to the pages before it.
      if (rows > 0 && number !== undefined && left > 0 && (number > 1 || left === fallback)) {
        // A page that says 20 and holds fewer is one that is not full.
        const holds = rows === left || (rows < fallback && size === fallback);
        into.expect(criterion, view, holds, () => ({
          message: `${place(view)} without page_size answered with pages of another size`,
          expected: counted(left, facts.item),
          actual: `${counted(rows, facts.item)} of ${total}`,
          pointer: `${view.root}/list`,
        }));
      } else if (rows > fallback) {
        into.found(criterion, view, {
          message: `${place(view)} without page_size answered with pages of another size`,
          expected: `at most ${counted(fallback, facts.item)}`,
          actual: counted(rows, facts.item),
          pointer: view.records[fallback]?.pointer ?? view.root,
        });
      }
    });
  },
};

/** Ruling 4: a page that is not the last holds as many items as asked for. */
const pageFull: Rule = {
  name: 'page-full',
  judges: PAGED.map(({ judges }) => judges.full),
  all(views, context, into) {
    forEachPage(views, context, (facts, page) => {
      const { view, rows, size, total } = page;
      const asked = sizeInUse(facts, page);
      const number = pageInUse(facts, page);
      if (asked === undefined || number === undefined || total === undefined) return;
      // Another size than asked for, and told so, is judged with the size.
      if (size === rows && size !== asked) return;
      if (rows > asked && view.query.has('page_size')) {
        into.found(facts.judges.full, view, {
          message: `${place(view)} with ${shown(view)} answered with more items than asked for`,
          expected: counted(asked, facts.item),
          actual: counted(rows, facts.item),
          pointer: view.records[asked]?.pointer ?? view.root,
        });
        return;
      }
      if (total < number * asked) return;
      into.expect(facts.judges.full, view, rows >= asked, () => ({
        message: `Page ${number} of ${place(view)} is not full, although it is not the last`,
        expected: `${counted(asked, facts.item)}, since total is ${total}`,
        actual: counted(rows, facts.item),
        pointer: `${view.root}/list`,
      }));
    });
  },
};

/** §2.5, §2.7: the envelope says which page and page_size are in use. */
const pageEcho: Rule = {
  name: 'page-echo',
  judges: PAGED.map(({ judges }) => judges.echo),
  all(views, context, into) {
    forEachPage(views, context, (facts, page) => {
      const { view } = page;
      const expected = [
        ['page', page.page, view.query.has('page') ? pageInUse(facts, page) : undefined],
        ['page_size', page.size, sizeInUse(facts, page)],
      ] as const;
      for (const [name, said, inUse] of expected) {
        if (said === undefined || inUse === undefined) continue;
        // Pages of another size that say so do repeat the size in use; the size is judged elsewhere.
        const honest = name === 'page_size' && said === page.rows;
        into.expect(facts.judges.echo, view, said === inUse || honest, () => ({
          message: `The envelope of ${place(view)} with ${shown(view)} says another ${name}`,
          expected: `${name}: ${inUse}`,
          actual: `${name}: ${said}`,
          pointer: `${view.root}/${name}`,
        }));
      }
    });
  },
};

/** Calls `judge` for every page of every paged endpoint. */
function forEachPage(
  views: readonly View[],
  context: Context,
  judge: (facts: PagedFacts, page: Page) => void,
): void {
  for (const facts of PAGED) {
    for (const view of sameList(views, facts.endpoint, PAGE_PARAMETERS, context).flat()) {
      const page = pageOf(facts, view);
      if (page !== undefined) judge(facts, page);
    }
  }
}

export const PAGE_BOUND_RULES: readonly Rule[] = [pageBounds, sizeDefault, pageFull, pageEcho];
