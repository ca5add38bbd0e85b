import type { EndpointPath } from '../../spec/endpoints.ts';
import { endpoint as factsOf } from '../../spec/endpoints.ts';
import type { RequirementId } from '../../spec/requirement-id.ts';
import type { Hooks, Modification } from '../hooks.ts';

/**
 * A fault that an operator made from the facts of the contract: one way of being wrong, applied to one location. Unlike
 * the hand-made ones it names no requirement: whichever of its level turns red has seen it.
 */
export interface OperatorFault extends Modification {
  /** `op/<operator>/<location>[/<where>]`. */
  readonly id: `op/${string}`;
  /** The defect in one sentence. */
  readonly title: string;
  /** Name of the operator, such as `ignored` or `missing`. */
  readonly operator: string;
  /** Endpoint that shows it; null when every endpoint, or the limiter, does. */
  readonly endpoint: EndpointPath | null;
  /** `must`: a stated clause is broken. `should`: only what a meaning implies. */
  readonly level: 'must' | 'should';
  /** The requirement of the field that it changes. */
  readonly field?: RequirementId;
}

/** A fault as an operator defines it; the rest has defaults. */
export interface OperatorEntry extends Modification, More {
  /** Location and, after a slash, where it shows; the end of the id. */
  readonly at: string;
  readonly title: string;
}

/** What an entry says of a fault besides its location, its sentence and its hooks. */
export interface More {
  readonly level?: 'must' | 'should';
  readonly field?: RequirementId;
  readonly needsData?: boolean;
}

export const SHOULD: More = { level: 'should' };

/** Makes entries of a location, whose ids begin with `location` and whose titles with `called`. */
export const entriesOf =
  (location: string, called: string) =>
  (
    name: string,
    says: string,
    hooks: Hooks | readonly Hooks[],
    more: More = {},
  ): OperatorEntry => ({ at: location + name, title: called + says, hooks, ...more });

/** Faults of one operator on one endpoint, or (null) on none in particular; `false` is an entry that does not apply. */
export const faultsBy = (
  operator: string,
  endpoint: EndpointPath | null,
  entries: readonly (OperatorEntry | false)[],
): readonly OperatorFault[] =>
  entries
    .filter((entry) => entry !== false)
    .map(({ at, title, level, ...modification }) => ({
      ...modification,
      id: `op/${operator}/${at}`,
      title,
      operator,
      endpoint,
      level: level ?? (operator === 'crash' ? 'must' : levelOf(endpoint, at)),
    }));

/** Faults of operators on an endpoint of §4. */
export const faultsOn = (
  path: EndpointPath,
  entries: Readonly<Record<string, readonly (OperatorEntry | false)[]>>,
): readonly OperatorFault[] =>
  Object.entries(entries).flatMap(([operator, own]) => faultsBy(operator, path, own));

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
