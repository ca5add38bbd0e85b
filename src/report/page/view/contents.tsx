import type { VNode } from 'preact';

interface ContentsProps {
  /** The views after the summary, in their order. */
  readonly views: readonly { readonly id: string; readonly title: string }[];
  /** True where findings and gaps follow. */
  readonly whole: boolean;
}

/**
 * What follows the summary, for paper only: a screen has its navigation. Without page numbers, which no style of a
 * browser can know ahead; in a PDF each line is a link.
 */
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
      <h3 id="contents-title">Contents after this summary</h3>
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
