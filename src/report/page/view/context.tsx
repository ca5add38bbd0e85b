import type { ComponentChildren, VNode } from 'preact';
import { contextOf, shortCommit, versionHeaders } from '../../model/context.ts';
import type { Results } from '../../model/results.ts';
import { listed, text } from './parts.tsx';
import type { FactRow } from './parts.tsx';

/** Maximum characters of one text. */
const TEXT = 120;

const code = (value: string): VNode => <code>{text(value, TEXT)}</code>;

/** An external link without a referrer. */
function Outward({ url, children }: { url: string; children: ComponentChildren }): VNode {
  return (
    <a href={url} rel="noreferrer noopener external">
      {children}
    </a>
  );
}

/** Commit, branch and job for the line under the verdict. */
export function contextParts(results: Results): readonly VNode[] {
  const { commit, branch, job, ci, url } = contextOf(results);
  const name = text(job ?? ci ?? 'job', 60);
  const named = job !== undefined || ci !== undefined;
  return [
    ...(commit === undefined ? [] : [<>commit {code(shortCommit(commit))}</>]),
    ...(branch === undefined ? [] : [<>branch {code(branch)}</>]),
    ...(url !== undefined ? [<Outward url={url}>{name}</Outward>] : named ? [<>{name}</>] : []),
  ];
}

/** The same in full, with labels and version headers of the target. */
export function contextRows(results: Results): readonly FactRow[] {
  const { commit, branch, job, ci, url, labels = {} } = contextOf(results);
  const words = [ci, job].flatMap((one) => (one === undefined ? [] : [text(one, TEXT)])).join(', ');
  const headers = versionHeaders(results.exchanges);
  return [
    [
      'Commit',
      commit !== undefined && [code(commit), branch !== undefined && [' on ', code(branch)]],
    ],
    ['Branch', commit === undefined && branch !== undefined && code(branch)],
    [
      'Job',
      (words !== '' || url !== undefined) && [
        words,
        url !== undefined && [words !== '' && ': ', <Outward url={url}>{text(url, 200)}</Outward>],
      ],
    ],
    [
      'Labels',
      Object.keys(labels).length > 0 &&
        listed(Object.entries(labels).map(([name, value]) => [`${text(name, 60)} `, code(value)])),
    ],
    [
      'Target version',
      headers.length > 0 &&
        listed(
          headers.map(({ name, values, more }) => [
            `${text(name, 60)} `,
            listed(
              values.map(([value, answers]) => [
                code(value),
                (values.length > 1 || more > 0) && ` (${answers} responses)`,
              ]),
            ),
            more > 0 && ` and ${more} more`,
          ]),
        ),
    ],
  ];
}
