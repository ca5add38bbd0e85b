import type { Results } from './results.ts';

/** A difference between the runs, not between their outcomes. */
export interface ContextChange {
  readonly of: 'target' | 'specification' | 'suite' | 'data' | 'settings';
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Differences of target, specification, suite, data and settings between two runs. */
export function contextChanges(before: Results, after: Results): readonly ContextChange[] {
  const list: ContextChange[] = [];
  const compare = (
    of: ContextChange['of'],
    name: string,
    value: (results: Results) => string,
  ): void => {
    const [old, now] = [value(before), value(after)];
    if (old !== now) list.push({ of, name, before: old, after: now });
  };
  compare('specification', 'SHA-256', ({ spec }) => spec.sha256);
  compare('suite', 'Assay version', ({ tool }) => tool.version);
  compare('suite', 'number of requirements', ({ requirements }) => String(requirements.length));
  compare('target', 'base URL', baseUrl);
  compare('target', 'envelope', ({ target }) => target.envelope ?? 'none');
  compare('settings', 'profile', ({ profile }) => profile);
  compare('settings', 'seed', ({ seed }) => String(seed));
  compare('settings', 'key roles', ({ target }) => Object.keys(target.keys).toSorted().join(', '));
  compare('data', 'requested identifiers', identifiers);
  return list;
}

/** The embedded server has a random port. */
function baseUrl({ target }: Results): string {
  return target.reference ? 'embedded reference server' : target.baseUrl;
}

const LISTED = 24;

/** Values of path parameters of successful requests, such as currency ids, each once. */
function identifiers({ exchanges }: Results): string {
  const values = new Set(
    exchanges
      .filter(({ response }) => response !== null && response.status < 300)
      .flatMap(({ pathParameters }) => Object.values(pathParameters)),
  );
  const sorted = [...values].toSorted();
  const more = sorted.length - LISTED;
  return sorted.slice(0, LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
