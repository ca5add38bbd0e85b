import type { EndpointPath } from '../../spec/endpoints.ts';
import { endpoint as factsOf } from '../../spec/endpoints.ts';
import type { Modification } from '../hooks.ts';

/**
 * A fault that an operator made from the facts of the contract: one way of being wrong, applied to one place. Unlike the
 * hand-made ones it names no requirement: whichever of its level turns red has seen it.
 */
export interface OperatorFault extends Modification {
  /** `op/<operator>/<place>[/<where>]`. */
  readonly id: `op/${string}`;
  /** The defect in one sentence. */
  readonly title: string;
  /** Name of the operator, such as `ignored` or `missing`. */
  readonly operator: string;
  /** Section of §4, §5, §7 or §8 that it belongs to. */
  readonly section: string;
  /** Endpoint that shows it; null when every endpoint, or the limiter, does. */
  readonly endpoint: EndpointPath | null;
  /** `must`: a stated clause is broken. `should`: only what a meaning implies. */
  readonly level: 'must' | 'should';
  /** True when only some requests, rows or values show it. */
  readonly subtle: boolean;
  /** Prefixes of the ids of requirements that may rightly fail. */
  readonly shows: readonly string[];
}

/** A fault as an operator defines it; the rest has defaults. */
export interface OperatorEntry extends Modification {
  /** Place and, after a slash, where it shows; the end of the id. */
  readonly at: string;
  readonly title: string;
  readonly level?: 'should';
  readonly subtle?: true;
  readonly shows?: readonly string[];
}

/** Faults of one operator on one endpoint, or (null) on none in particular. */
export function faultsBy(
  operator: string,
  endpoint: EndpointPath | null,
  section: string,
  entries: readonly OperatorEntry[],
): readonly OperatorFault[] {
  return entries.map(({ at, title, level, subtle = false, shows, ...modification }) => ({
    ...modification,
    id: `op/${operator}/${at}`,
    title,
    operator,
    section,
    endpoint,
    level: level ?? (operator === 'crash' ? 'must' : levelOf(endpoint, at)),
    subtle,
    shows: shows ?? [section],
  }));
}

/** The `limit` of §4.4 stands in one description only, so that what it selects is a should; an internal error is not. */
function levelOf(endpoint: EndpointPath | null, at: string): 'must' | 'should' {
  return endpoint === '/etfs/{ticker}/history' && at.startsWith(LOOSE_LIMIT) ? 'should' : 'must';
}
const LOOSE_LIMIT = 'etfs-history.limit';

/** An endpoint as ids name it: `/currencies/{currency_id}/klines` becomes `currencies-klines`. */
export function slugOf(path: EndpointPath): string {
  const words = path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  // Details differ from their lists only by the identifier at the end.
  if (path.endsWith('}')) words.push('one');
  return words.join('-');
}

/** An endpoint as titles name it. */
export const nameOf = (path: EndpointPath): string => `GET ${path}`;

/** Section of §4 of an endpoint. */
export const sectionOf = (path: EndpointPath): string => factsOf(path).section;
