import type { Exchange } from '../spec/exchange.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import { contextOf, type Context } from '../judge/context.ts';
import type { Facts } from '../judge/facts.ts';
import { OwnJudgement } from '../judge/judge.ts';
import { Judgement } from '../judge/judgement.ts';
import { inTheirUnit } from '../judge/range-unit.ts';
import { limitsViewOf, viewOf, type View } from '../judge/view.ts';
import { REQUIREMENTS, requirementOf, type Requirement } from './catalogue.ts';

/**
 * Applies the judgements of all requirements to all exchanges: what a run does with everything that arrived, and
 * `assay check` with a HAR.
 *
 * @param isFresh false for exchanges whose judgement by themselves, in the same context, is known and not wanted again;
 *   they are compared with the others all the same
 */
export function judgeAll(
  exchanges: readonly Exchange[],
  facts: Facts,
  isFresh?: (exchange: Exchange) => boolean,
): Judgement {
  const context = contextOf(facts, exchanges);
  return apply(REQUIREMENTS, exchanges, context, isFresh && (({ exchange }) => isFresh(exchange)));
}

/** Requirements about how many answers a key gets, and what they say about that: those of §8, but for the one about records. */
export const OF_LIMITS: readonly Requirement[] = REQUIREMENTS.filter(
  ({ id, section }) => section === '8' && id !== '8/beyond-window',
);

/** Requirements about what is in the answers. */
const OF_CONTENT: readonly Requirement[] = REQUIREMENTS.filter((one) => !OF_LIMITS.includes(one));

/**
 * The same in two parts, for traffic that does not end: what is compared by content needs whole bodies and lies close
 * together, what is counted per key needs whole windows and no bodies.
 *
 * @param counted exchanges in the order sent, of which `limitsOnly` is enough
 * @param fresh those that were not judged by themselves before
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

/** Applies the judgement of one requirement to some exchanges. */
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
  const views = exchanges.flatMap((exchange) => viewOf(exchange, context) ?? []);
  for (const one of requirements) judgeViews(one, inTheirUnit(views), context, into, isFresh);
  return into;
}

/** Whether a view is to be judged by itself, too, and not only beside others. */
type IsFresh = (view: View) => boolean;
const everyView: IsFresh = () => true;

/** Applies the judgements of §8 to what was recorded under load, of which there may be no more than they need. */
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
 * Applies the judgement of a requirement to views: by themselves, those of its endpoints; beside each other, all of them
 * but what comes from a cache. One that throws costs its own requirement, and no other judgement of the run.
 */
export function judgeViews(
  { id, judge = [], endpoints }: Pick<Requirement, 'id' | 'judge' | 'endpoints'>,
  views: readonly View[],
  context: Context,
  into: Judgement,
  isFresh: IsFresh = everyView,
): void {
  const it = new OwnJudgement(id, into, endpoints);
  const alone = views.filter((view) => it.isAbout(view) && isFresh(view));
  const together = views.filter(({ fromCache }) => !fromCache);
  for (const { each, all } of [judge].flat()) {
    if (each !== undefined) {
      for (const view of alone) guarded(id, view, into, () => each(view, context, it));
    }
    if (all !== undefined) guarded(id, null, into, () => all(together, context, it));
  }
}

function guarded(id: RequirementId, view: View | null, into: Judgement, judge: () => void): void {
  try {
    judge();
  } catch (error) {
    into.broke(id, error, view);
  }
}
