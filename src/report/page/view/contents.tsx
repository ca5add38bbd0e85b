import type { VNode } from 'preact';

interface ContentsProps {
  /** The views after the summary. */
  readonly views: readonly { readonly id: string; readonly title: string }[];
  /** True where findings and gaps follow. */
  readonly whole: boolean;
}

/** Table of contents for print only. */
export function Contents({ views, whole }: ContentsProps): VNode {
  const lines = [
    ...(whole
      ? [
          { id: 'findings', title: 'Findings' },
          { id: 'not-verified', title: 'Not verified' },
        ]
      : []),
    ...views,
  ];
  return (
    <section class="box contents" aria-labelledby="contents-title">
      <h3 id="contents-title">Contents</h3>
      <ul>
        {lines.map(({ id, title }) => (
          <li>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
