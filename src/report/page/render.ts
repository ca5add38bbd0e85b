import { options } from 'preact';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { showHidden } from './view/hidden.ts';

/**
 * Markup of what `make` gives. The renderer escapes every text and attribute, and this is the only way from components
 * to markup. The hook stays for the time of the rendering, so that other users of Preact in this process see nothing of
 * it.
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
