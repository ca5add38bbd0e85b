import type { Exchange } from '../spec/exchange.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import { contextOf, type Context } from '../judge/context.ts';
import type { Facts } from '../judge/facts.ts';
import { Judgement } from '../judge/judgement.ts';
import { inTheirUnit } from '../judge/series.ts';
import { limitsViewOf, viewOf, type View } from '../judge/view.ts';
import { perObject } from '../text/remembered.ts';
import { REQUIREMENTS, requirementOf, type Requirement } from './catalogue.ts';

/**
 * Judges all exchanges by all requirements.
 *
 * @param isFresh false for exchanges that were already judged individually in the same context; they are still compared with
 *   the others
 */
export function judgeAll(
  exchanges: readonly Exchange[],
  facts: Facts,
  isFresh?: (exchange: Exchange) => boolean,
): Judgement {
  const context = contextOf(facts, exchanges);
  return apply(REQUIREMENTS, exchanges, context, isFresh && (({ exchange }) => isFresh(exchange)));
}

/** Requirements about rate limits and quotas: those of §8, except the one about records. */
export const OF_LIMITS: readonly Requirement[] = REQUIREMENTS.filter(
  ({ id, section }) => section === '8' && id !== '8/beyond-window',
);

/** Requirements about the content of responses. */
const OF_CONTENT: readonly Requirement[] = REQUIREMENTS.filter((one) => !OF_LIMITS.includes(one));

/**
 * The same in two parts, for continuous traffic: content needs whole bodies of recent exchanges, limits need whole windows but
 * no bodies.
 *
 * @param counted exchanges in the order sent; `limitsOnly` is sufficient
 * @param fresh those that were not judged individually before
 */
export function judgeInParts(
  exchanges: readonly Exchange[],
  counted: readonly Exchange[],
  facts: Facts,
  fresh: ReadonlySet<string>,
): Judgement {
  const isFresh = ({ exchange }: View): boolean => fresh.has(exchange.id);
  const into = apply(OF_CONTENT, exchanges, contextOf(facts, exchanges), isFresh);
  judgeLimits(counted, contextOf(facts, counted), into, isFresh);
  return into;
}

/** Judges exchanges by one requirement. */
export const judgeFor = (
  id: RequirementId,
  exchanges: readonly Exchange[],
  context: Context,
): Judgement => apply([requirementOf(id)], exchanges, context);

function apply(
  requirements: readonly Requirement[],
  exchanges: readonly Exchange[],
  context: Context,
  isFresh: IsFresh = everyView,
): Judgement {
  const into = new Judgement();
  const views = viewsIn(context)(exchanges);
  for (const one of requirements) judgeViews(one, views, context, into, isFresh);
  return into;
}

/** One array for all requirements that are asked about the same exchanges: judgements remember what they read from it. */
const viewsIn = perObject((context: Context) =>
  perObject((exchanges: readonly Exchange[]) =>
    inTheirUnit(exchanges.flatMap((exchange) => viewOf(exchange, context) ?? [])),
  ),
);

/** Whether to judge a view individually too, not only compared with others. */
type IsFresh = (view: View) => boolean;
const everyView: IsFresh = () => true;

/** Applies the judgements of §8 to load recordings, which may be reduced to what these need. */
export function judgeLimits(
  exchanges: readonly Exchange[],
  context: Context,
  into: Judgement,
  isFresh: IsFresh = everyView,
): void {
  const views = exchanges.flatMap((exchange) => limitsViewOf(exchange, context) ?? []);
  for (const one of OF_LIMITS) judgeViews(one, views, context, into, isFresh);
}

/**
 * Judges views by a requirement: individually those of its endpoints, together all that do not come from a cache. A judgement
 * that throws only affects its own requirement.
 */
export function judgeViews(
  { id, judge = [], endpoints }: Pick<Requirement, 'id' | 'judge' | 'endpoints'>,
  views: readonly View[],
  context: Context,
  into: Judgement,
  isFresh: IsFresh = everyView,
): void {
  const it = into.own(id, endpoints);
  let alone: readonly View[] | undefined;
  for (const { each, all } of [judge].flat()) {
    if (each !== undefined) {
      alone ??= views.filter((view) => it.isAbout(view) && isFresh(view));
      for (const view of alone) guarded(id, view, into, () => each(view, context, it));
    }
    if (all !== undefined) guarded(id, null, into, () => all(comparable(views), context, it));
  }
}

/** Those that do not come from a cache. One array for all requirements: some judgements remember what they read from it. */
const comparable = perObject((views: readonly View[]): readonly View[] =>
  views.some(({ fromCache }) => fromCache) ? views.filter(({ fromCache }) => !fromCache) : views,
);

function guarded(id: RequirementId, view: View | null, into: Judgement, judge: () => void): void {
  try {
    judge();
  } catch (error) {
    into.broke(id, error, view);
  }
}
