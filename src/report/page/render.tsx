import { options } from 'preact';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { showHidden } from './view/hidden.ts';

/**
 * Renders components to markup, escaping every text and attribute. The hook is only set while rendering, so that other users
 * of Preact in this process are not affected.
 */
export function renderView(make: () => VNode): string {
  const { vnode: before } = options;
  options.vnode = showHidden;
  try {
    return renderToString(make());
  } finally {
    if (before === undefined) delete options.vnode;
    else options.vnode = before;
  }
}

interface PageParts {
  readonly title: string;
  /** What the page may do, besides what no page may. */
  readonly policy: readonly string[];
  /** The element with the style. */
  readonly style: string;
  readonly body: () => VNode;
  /** Markup after the body, such as data and script. */
  readonly end?: string;
}

/** A page. Its policy allows only what it names: even a missed escape could not run, load or send anything. */
export function renderPage({ title, policy, style, body, end = '' }: PageParts): string {
  const content = [
    "default-src 'none'",
    ...policy,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const head = renderView(() => (
    <>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={content} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="referrer" content="no-referrer" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
    </>
  ));
  return `<!doctype html>
<html lang="en">
<head>
${head}
${style}
</head>
<body>
${renderView(body)}
${end}
</body>
</html>
`;
}
