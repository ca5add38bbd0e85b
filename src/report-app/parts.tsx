import type { ComponentChild } from 'preact';
import { OUTCOME_LABELS } from '../report/labels.ts';
import type { Outcome, ResultFinding } from '../report/results.ts';
import { withoutMarks } from '../report/plain.ts';
import { visible } from '../text/text.ts';
import { copyText } from './actions.ts';

/** Icon, word and colour of an outcome: never the colour alone. */
export function Badge({ outcome }: { outcome: Outcome }): ComponentChild {
  const { icon, word } = OUTCOME_LABELS[outcome];
  return (
    <span class={`outcome ${outcome === 'error' ? 'o-error' : outcome}`}>{`${icon} ${word}`}</span>
  );
}

/** A link to a requirement by its id. */
export function RequirementLink({ id }: { id: string }): ComponentChild {
  return (
    <a class="id" href={`#r-${id.replace(/[^\w./-]/g, '_')}`}>
      {id}
    </a>
  );
}

/** A link to the evidence of an exchange. */
export function ExchangeLink({ id }: { id: string }): ComponentChild {
  return <a href={`#x-${id.replace(/[^\w./-]/g, '_')}`}>{id}</a>;
}

/** A command with a button that copies it. */
export function Command({ text, label }: { text: string; label: string }): ComponentChild {
  return (
    <div class="copyable">
      <pre class="command">{text}</pre>
      <button type="button" aria-label={`Copy: ${label}`} onClick={() => void copyText(text)}>
        Copy
      </button>
    </div>
  );
}

/** What a finding says: the message, then both values on a line of their own. */
export function FoundText({ finding }: { finding: ResultFinding }): ComponentChild {
  const { message, expected, actual, pointer } = finding;
  return (
    <>
      {visible(withoutMarks(message))}
      <br />
      <span class="note">expected</span> <code>{visible(expected)}</code>
      <span class="note">, actual</span> <code>{visible(actual)}</code>
      {pointer !== null && pointer !== '' && (
        <>
          <span class="note">, at</span> <code>{visible(pointer)}</code>
        </>
      )}
    </>
  );
}

/** A statement of ours in which backticks set names apart. */
export function Statement({ text }: { text: string }): ComponentChild {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? <code>{visible(part)}</code> : visible(part)));
}
