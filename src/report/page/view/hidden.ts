import { Fragment, h, type VNode } from 'preact';
import { visible, visibleBlock } from '../../../text/text.ts';

/** Set on the fragment of {@link Block}. */
const LINES = 'lines';

/** Text that keeps its line breaks and tabs, for `<pre>`. */
export const Block = ({ text }: { readonly text: string }): VNode =>
  h(Fragment, { [LINES]: true } as object, text);

function shown(children: unknown, show: (text: string) => string): unknown {
  if (typeof children === 'string') return show(children);
  return Array.isArray(children) ? children.map((one) => shown(one, show)) : children;
}

/**
 * Makes hidden characters in the text and attributes of an element visible. Set as `options.vnode` of Preact on the server and
 * in the page, so that no component can forget it. Components must not return bare strings, which would bypass it.
 */
export function showHidden({ type, props }: VNode): void {
  if (typeof type !== 'string' && type !== Fragment) return;
  const own = props as Record<string, unknown>;
  for (const [name, value] of Object.entries(own)) {
    if (name === 'children') own[name] = shown(value, LINES in own ? visibleBlock : visible);
    // The value of an input is the reader's own text.
    else if (name !== 'value' && typeof value === 'string') own[name] = visible(value);
  }
}
