import type { VNode } from 'preact';
import { text } from '../report/page/view/parts.tsx';

/** What an address leads to that names nothing in this report, such as a finding of another run. */
export function Unknown({ name }: { readonly name: string }): VNode {
  return (
    <>
      <h2 tabIndex={-1}>Not in this report</h2>
      <p>
        {'Nothing here has the address '}
        <code>#{text(name, 80)}</code>
        {
          '. It may belong to the report of another run: findings that are gone have no address any more. '
        }
        <a href="#summary">Back to the summary</a>
      </p>
    </>
  );
}
