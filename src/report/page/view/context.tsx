import type { Exchange } from '../../../spec/exchange.ts';
import { groupBy } from '../../../text/group-by.ts';
import type { Results, RunContext } from '../../model/results.ts';
import { code, listed, text, type FactRow } from './parts.tsx';

const TEXT = 120;
/** Labels and version headers shown, and values of a header: a results.json may contain any number. */
const MOST = 20;
const VALUES = 3;

/** The context of a run. Its URL may come from anyone: only a web address is kept. */
export function contextOf({ context = {} }: Pick<Results, 'context'>): RunContext {
  const { url, ...told } = context;
  return url !== undefined && /^https?:\/\/./i.test(url) ? { ...told, url } : told;
}

/** Headers with product, version or build. */
const VERSION =
  /^(?:server|x-powered-by|x-(?:[\w-]+-)?(?:version|build|revision|release|commit|git-sha)(?:-(?:id|number|date|sha))?)$/;

/** Version headers of the target by name, each with its values and the number of responses, the most frequent first. */
export function versionHeaders(
  exchanges: readonly Exchange[],
): readonly (readonly [name: string, values: readonly (readonly [string, number])[]])[] {
  const said = exchanges
    .flatMap(({ response }) => Object.entries(response?.headers ?? {}))
    .filter(([name, value]) => VERSION.test(name) && value.trim() !== '');
  return [...groupBy(said, ([name]) => name)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => {
      const values = [...groupBy(own, ([, value]) => value)];
      const counts = values.map(([value, { length }]) => [value, length] as const);
      return [name, counts.toSorted(([, a], [, b]) => b - a)];
    });
}

/** The context in full, with labels and version headers of the target. */
export function contextRows(results: Results): readonly FactRow[] {
  const { commit, branch, job, ci, url = '', labels = {} } = contextOf(results);
  const headers = versionHeaders(results.exchanges);
  const names = Object.entries(labels).map(([name, value]) => [`${text(name, 60)} `, code(value)]);
  const versions = headers.map(([name, values]) => [
    `${text(name, 60)} `,
    listed(
      values.map(([value, answers]) => [
        code(value),
        values.length > 1 && ` (${answers} responses)`,
      ]),
      VALUES,
    ),
  ]);
  const address = (
    <a href={url} rel="noreferrer noopener external">
      {text(url, 200)}
    </a>
  );
  return [
    ['Commit', commit !== undefined && code(commit)],
    ['Branch', branch !== undefined && code(branch)],
    ['CI service', ci !== undefined && text(ci, TEXT)],
    ['Job', job !== undefined && text(job, TEXT)],
    ['Job URL', url !== '' && address],
    ['Labels', names.length > 0 && listed(names, MOST)],
    ['Target version', versions.length > 0 && listed(versions, MOST)],
  ];
}
