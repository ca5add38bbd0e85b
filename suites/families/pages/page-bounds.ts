// Page parameters out of bounds (§8, ruling 4): a 400-class error, or a page within bounds.
import { endpoint } from '../../../src/spec/endpoints.ts';
import { WINDOW_TOLERANCE_MS, WINDOWS } from '../../../src/spec/limits.ts';
import { describeAnswer } from '../../../src/judge/errors.ts';
import type { FindingText } from '../../../src/judge/judgement.ts';
import { isNewsList, newsItems, releaseTimeOf } from '../../../src/judge/news-items.ts';
import { judgeAll, type Judge } from '../../../src/judge/judge.ts';
import { PAGE_PARAMETERS, pageOf, type Page, type PagedFacts } from '../../../src/judge/pages.ts';
import {
  counted,
  hasRecords,
  opensOnly,
  reactionOf,
  sameList,
  wholeNumber,
} from '../../../src/judge/relations.ts';
import type { View } from '../../../src/judge/view.ts';

/**
 * How a value is out of bounds: a size above the maximum, a page or size below its minimum, or not a positive integer
 * at all.
 */
type Side = 'over' | 'belowPage' | 'belowSize' | 'invalid';

export const outOfBounds = (pages: PagedFacts, side: Side): Judge =>
  judgeAll((views, context, it) => {
    for (const group of sameList(views, pages.endpoint, PAGE_PARAMETERS, context)) {
      for (const view of group) {
        if (sideOf(pages, view) !== side) continue;
        const optional = Object.keys(view.endpoint?.query ?? {});
        if (!opensOnly(view, context, optional)) continue;
        const reaction = reactionOf(view, context);
        const page = pageOf(pages, view);
        const wrong = page === undefined ? undefined : valueInUse(pages, side, page);
        if (wrong !== undefined) {
          it.found(view, wrong);
          continue;
        }
        // A failure proves something only if another answer has items. An empty page instead of one cut to the maximum proves
        // something only if the same list had items earlier, since an empty list may fill up later.
        const conclusive = reaction === 'refused' || view.records.length > 0;
        const ofList = (other: View): boolean => other !== view && hasRecords(other);
        const control =
          reaction === 'broken' || side !== 'over'
            ? views.some(
                (other) => other.exchange.endpoint === view.exchange.endpoint && ofList(other),
              )
            : group.some(
                (other) =>
                  ofList(other) &&
                  other.exchange.receivedAt <= view.exchange.sentAt &&
                  isStillThere(other, view),
              );
        if (!conclusive && !control) continue;
        const nothing = page !== undefined && page.rows === 0 && side === 'over';
        it.expect(view, reaction !== 'broken' && !nothing, () => ({
          kind: nothing ? 'page-empty' : 'neither-page-nor-error',
          facts: { query: shown(view) },
          expected: 'a 400-class error, or a page with the value brought into its range',
          actual: nothing ? 'an empty list' : describeAnswer(view),
          pointer: nothing ? `${view.root}/list` : null,
        }));
      }
    }
  });

/** How a request is out of bounds; undefined if it is not, or in several ways. */
function sideOf(pages: PagedFacts, { query }: View): Side | undefined {
  const sides = new Set<Side>();
  for (const name of PAGE_PARAMETERS) {
    const text = query.get(name);
    if (text === undefined) continue;
    const number = wholeNumber(text);
    const { minimum } = endpoint(pages.endpoint).query[name] ?? {};
    if (number === undefined) sides.add('invalid');
    else if (number < (minimum ?? 1)) {
      sides.add(minimum === undefined ? 'invalid' : name === 'page' ? 'belowPage' : 'belowSize');
    } else if (name === 'page_size' && number > pages.utmost) sides.add('over');
  }
  const [first] = sides;
  return sides.size === 1 ? first : undefined;
}

/** How a page applies the value out of bounds, if it does. */
function valueInUse(
  { minimum, utmost, item }: PagedFacts,
  side: Side,
  { view, page, size, rows }: Page,
): FindingText | undefined {
  const outOfRange = (name: string, value: number, expected: string): FindingText => ({
    kind: 'envelope-out-of-range',
    facts: { query: shown(view) },
    expected: `a 400-class error, or ${name} ${expected}`,
    actual: `${name}: ${value}`,
    pointer: `${view.root}/${name}`,
  });
  if (rows > utmost) {
    return {
      kind: 'page-above-maximum',
      facts: { query: shown(view) },
      expected: `a 400-class error, or at most ${counted(utmost, item)}`,
      actual: counted(rows, item),
      pointer: view.records[utmost]?.pointer ?? view.root,
    };
  }
  if (side === 'over' && size !== undefined && size > utmost) {
    return outOfRange('page_size', size, `of at most ${utmost}`);
  }
  if (side === 'belowPage' && page !== undefined && page < 1) {
    return outOfRange('page', page, 'of at least 1');
  }
  return side === 'belowSize' && size !== undefined && size < minimum
    ? outOfRange('page_size', size, `of at least ${minimum}`)
    : undefined;
}

/** Paging parameters of a request, in words. */
export function shown({ query }: View): string {
  const parts = PAGE_PARAMETERS.flatMap((name) => {
    const value = query.get(name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
  return parts.length === 0 ? 'neither page nor page_size' : parts.join(' and ');
}

/**
 * Whether a list seen earlier cannot have become empty by the time of another request. News leaves the window a whole
 * day at a time, so only items a day younger than the window count.
 */
function isStillThere(before: View, { exchange: { sentAt, skewMs } }: View): boolean {
  if (!isNewsList(before)) return true;
  const oldest = sentAt + skewMs - WINDOWS.news.maxMs + WINDOW_TOLERANCE_MS;
  return newsItems(before).some((item) => {
    const time = releaseTimeOf(item);
    return time === undefined || time > oldest;
  });
}
