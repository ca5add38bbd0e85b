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
