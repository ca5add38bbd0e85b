import { useRef } from 'preact/hooks';
import type { VNode } from 'preact';

/** Id of the dialog that explains the keys. */
export const KEYS_ID = 'keys';

const KEYS = [
  ['/', 'Search'],
  ['j', 'Next finding, or the next in the list'],
  ['k', 'Previous finding, or the one before in the list'],
  ['?', 'These keys'],
  ['Esc', 'Close'],
] as const;

/** The keys of the page, explained. */
export function Keys(): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <dialog id={KEYS_ID} ref={dialog} aria-labelledby={`${KEYS_ID}-title`}>
      <h2 id={`${KEYS_ID}-title`}>Keys</h2>
      <dl>
        {KEYS.map(([key, does]) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
