import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { NamedCommand } from '../../analysis/rerun.ts';
import { Block } from './hidden.ts';
import { Page } from './page.ts';
import { anchor, CopyButton } from './parts.tsx';

interface EntriesProps {
  /** Id of the cause. */
  readonly cause: string;
  readonly commands: readonly NamedCommand[];
  /** Set by the script, which reads the exchange and knows the URL of the page. */
  readonly issue?: string;
  readonly address?: string;
}

/** What can be copied from a finding. */
export function CopyEntries({ cause, commands, issue = '', address = '' }: EntriesProps): VNode {
  const { copy } = useContext(Page);
  const texts = [
    ['Markdown for an issue', issue],
    ['Link to this finding', address],
  ] as const;
  return (
    <ul>
      {commands.map(([label, command]) => (
        <li>
          <span>{label}</span>
          <CopyButton label={label} value={command} />
          <pre class="command">
            <Block text={command} />
          </pre>
        </li>
      ))}
      {copy === null && (
        <li>
          <a href={`#${anchor('f', cause)}`}>Link to this finding</a>
        </li>
      )}
      {texts
        .filter(([, value]) => value !== '')
        .map(([label, value]) => (
          <li>
            <span>{label}</span>
            <CopyButton label={label} value={value} />
          </li>
        ))}
    </ul>
  );
}

/** The copy menu of a finding, which the script fills when it is opened. */
export function CopyMenu(props: Pick<EntriesProps, 'cause' | 'commands'>): VNode {
  return (
    <details class="copy" data-copy={props.cause}>
      <summary>Copy</summary>
      <div class="entries">
        <CopyEntries {...props} />
      </div>
    </details>
  );
}
