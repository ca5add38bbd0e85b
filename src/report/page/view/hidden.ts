import { Fragment, h } from 'preact';
import type { VNode } from 'preact';
import { visible, visibleBlock } from '../../../text/text.ts';

/** Set on the fragment of {@link Block}. */
const LINES = 'lines';

/** Text that keeps its line breaks and tabs, for `<pre>`. */
export function Block({ text }: { readonly text: string }): VNode {
  return h(Fragment, { [LINES]: true } as object, text);
}

function shown(children: unknown, show: (text: string) => string): unknown {
  if (typeof children === 'string') return show(children);
  return Array.isArray(children) ? children.map((one) => shown(one, show)) : children;
}

/**
 * Makes the hidden characters of an element visible, in its text and its attributes. Whoever renders, on the server or
 * in the page, has every new element go through here (`options.vnode` of Preact), so that no component can forget it.
 * Components return elements and never bare strings: those would not come by.
 */
export function showHidden({ type, props }: VNode): void {
  if (typeof type !== 'string' && type !== Fragment) return;
  const own = props as Record<string, unknown>;
  for (const [name, value] of Object.entries(own)) {
    if (name === 'children') own[name] = shown(value, LINES in own ? visibleBlock : visible);
    // What stands in a field is the reader's own text.
    else if (name !== 'value' && typeof value === 'string') own[name] = visible(value);
  }
}
