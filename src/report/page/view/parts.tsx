import { createContext, Fragment, h, isValidElement } from 'preact';
import type { ComponentChildren, VNode } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { cut, visible, visibleBlock } from '../../../text/text.ts';
import type { Cause } from '../../analysis/causes.ts';
import { locationWords } from '../../analysis/evidence-text.ts';
import { countOutcomes } from '../../model/labels.ts';
import { ICONS, type Outcome, type ResultFinding, type Results } from '../../model/results.ts';

/** Set on the fragment of {@link Block}. */
const LINES = 'lines';

/** Text that keeps its line breaks and tabs, for `<pre>`. */
export const Block = ({ text }: { readonly text: string }): VNode =>
  h(Fragment, { [LINES]: true } as object, text);

function revealed(children: unknown, show: (text: string) => string): unknown {
  if (typeof children === 'string') return show(children);
  return Array.isArray(children) ? children.map((one) => revealed(one, show)) : children;
}

/**
 * Makes hidden characters in the text and attributes of an element visible. Set as `options.vnode` of Preact on the server and
 * in the page, so that no component can forget it. Components must not return bare strings, which would bypass it.
 */
export function showHidden({ type, props }: VNode): void {
  if (typeof type !== 'string' && type !== Fragment) return;
  const own = props as Record<string, unknown>;
  for (const [name, value] of Object.entries(own)) {
    if (name === 'children') own[name] = revealed(value, LINES in own ? visibleBlock : visible);
    // The value of an input is the reader's own text.
    else if (name !== 'value' && typeof value === 'string') own[name] = visible(value);
  }
}

export interface PageContext {
  /** True when the page contains this exchange or requirement. */
  readonly holds: (id: string) => boolean;
  /** Copies a text and returns whether it succeeded; null without a script. */
  readonly copy: ((text: string) => Promise<boolean>) | null;
}

export const Page = createContext<PageContext>({ holds: () => true, copy: null });

export interface OfResults {
  readonly results: Results;
}

export interface OfCauses extends OfResults {
  readonly causes: readonly Cause[];
}

const TEXT = 1_000;
/** Links to exchanges listed at once. */
export const LINKS = 6;

/** The HTML id of a finding, requirement, exchange or section. */
export const anchor = (kind: 'f' | 'r' | 'x' | 's', id: string): string =>
  `${kind}-${id.replace(/[^\w./-]/g, '_')}`;

/** A text from a target or a reason, truncated. */
export const text = (value: string, max = TEXT): string => cut(value, max);

/** A value from a target or a setting, as code. */
export const code = (value: string, max = 120): VNode => <code>{text(value, max)}</code>;

/** A message without backticks around names and commands. It may quote a target, which could create any number of elements with them. */
export const message = (value: string, max = TEXT): string =>
  cut(value.replace(/`([\w.[\]/{}* -]{1,80})`/g, '$1'), max);

/** A text of Assay with backticks around names. */
export function statement(value: string, max = TEXT): ComponentChildren {
  const parts = cut(value, max).split(/`([^`]+)`/);
  return parts.map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
}

/** `21 Nov 2026 03:21:17 UTC`; the text itself when it is not a time. */
export function clock(time: string | number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  return date
    .toUTCString()
    .replace(/^\w+, 0?/, '')
    .replace('GMT', 'UTC');
}

/** `100,000` */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/** The role of a key in words. */
export const roleWords = (role: string): string =>
  role === 'nearQuota' ? 'near quota' : role === 'none' ? 'without a key' : role;

/** Icon and word of an outcome. */
export const outcomeWords = (outcome: Outcome): string => `${ICONS[outcome]} ${outcome}`;

/** `✓ 12 passed, ✗ 1 failed` */
export function outcomeCounts(items: readonly { readonly outcome: Outcome }[]): string {
  return countOutcomes(items.map(({ outcome }) => outcome))
    .map(([one, count]) => `${ICONS[one]} ${count} ${one}`)
    .join(', ');
}

/** Icon, word and colour of an outcome. */
export const Badge = ({ outcome }: { outcome: Outcome }): VNode => (
  <span class={`outcome ${outcome}`}>{outcomeWords(outcome)}</span>
);

/** A link to a requirement; plain text when the page does not contain it. */
export function RequirementLink({ id }: { id: string }): VNode {
  const { holds } = useContext(Page);
  if (!holds(id)) return <span>{text(id, 120)}</span>;
  return (
    <a class="id" href={`#${anchor('r', id)}`}>
      {id}
    </a>
  );
}

interface ExchangeLinkProps {
  readonly id: string;
  readonly title?: string;
  readonly children?: ComponentChildren;
}

/** A link to an exchange; plain text when the page does not contain it. */
export function ExchangeLink({ id, title, children = id }: ExchangeLinkProps): VNode {
  const { holds } = useContext(Page);
  if (!holds(id)) return <span>{children}</span>;
  return (
    <a href={`#${anchor('x', id)}`} title={title}>
      {children}
    </a>
  );
}

/** Items separated by commas, and how many more there are. */
export function listed(
  items: readonly ComponentChildren[],
  limit = items.length,
  left = (count: number): string => ` and ${count} more`,
): ComponentChildren {
  const shown = items.slice(0, limit).map((item, index) => (index > 0 ? [', ', item] : item));
  return items.length > limit ? [...shown, left(items.length - limit)] : shown;
}

export function requirementLinks(
  all: readonly (string | { readonly id: string })[],
  limit: number,
): ComponentChildren {
  const links = all.map((one) => <RequirementLink id={typeof one === 'string' ? one : one.id} />);
  return listed(links, limit);
}

export function exchangeLinks(ids: readonly string[], limit = LINKS): ComponentChildren {
  const links = ids.map((id) => <ExchangeLink id={id} />);
  return listed(links, limit, (count) => ` +${count}`);
}

interface FoldProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** These are folded on narrow screens only. */
  readonly name?: 'rest' | 'why';
}

/** Something that opens on demand. */
export function Fold({ title, children, name }: FoldProps): VNode {
  return (
    <details class={name}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** A section and its link. Its heading is its title unless another one is given; null for none. */
export type View = readonly [id: string, title: string, content: VNode, heading?: string | null];

interface ShellProps {
  readonly title: string;
  readonly views: readonly View[];
  readonly footer: ComponentChildren;
}

/** Content of `<body>`: head, navigation, views and foot. */
export function Shell({ title, views, footer }: ShellProps): VNode {
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <h1>
          Assay <span>{title}</span>
        </h1>
      </header>
      <nav aria-label="Sections">
        <List items={views.map(([id, name]) => [<a href={`#${id}`}>{name}</a>])} />
      </nav>
      <main id="main" tabIndex={-1}>
        {views.map(([id, name, content, heading = name]) => (
          <section class="view" id={id}>
            {heading !== null && <h2>{heading}</h2>}
            {content}
          </section>
        ))}
      </main>
      <footer>
        <p class="note">{footer}</p>
      </footer>
    </>
  );
}

/** How many items are not shown, and where they are. */
export const more = (count: number, where = 'in results.json'): VNode | null =>
  count > 0 ? <p class="note">{`${count} more ${where}`}</p> : null;

interface ListProps {
  readonly name?: string;
  readonly label?: string;
  readonly items: readonly ComponentChildren[];
  /** Items shown; further ones are counted below. */
  readonly limit?: number;
  readonly where?: string;
}

/** A list; nothing when it is empty. */
export function List(props: ListProps): VNode | null {
  const { name, label, items, limit = items.length, where } = props;
  if (items.length === 0) return null;
  return (
    <>
      <ul class={name} aria-label={label}>
        {items.slice(0, limit).map((item) => (
          <li>{item}</li>
        ))}
      </ul>
      {more(items.length - limit, where)}
    </>
  );
}

/** A name and its content; rows with `false` are omitted. */
export type FactRow = readonly [name: ComponentChildren, content: ComponentChildren];

export function Facts({ rows }: { rows: readonly FactRow[] }): VNode {
  const said = rows.filter(([, content]) => content !== false);
  return <dl>{said.map(([term, content]) => [<dt>{term}</dt>, <dd>{content}</dd>])}</dl>;
}

export interface TableProps<Item> {
  readonly name: string;
  readonly columns: readonly ComponentChildren[];
  /** Shown in place of a table without rows. */
  readonly empty?: string;
  readonly caption?: string | undefined;
  readonly items: readonly Item[];
  /** Rows shown; further ones are counted below. */
  readonly limit?: number;
  /** The cells of a row. A `<td>` is used as it is. */
  readonly row: (item: Item) => readonly ComponentChildren[];
  /** Index of the row header; -1 for none. */
  readonly head?: number;
  readonly id?: (item: Item) => string | undefined;
  /** Shows column names in cells on narrow screens. */
  readonly labelled?: boolean;
}

export function Table<Item>(props: TableProps<Item>): VNode {
  const { name, columns, caption, items, limit = items.length, row, head = 0, id } = props;
  if (items.length === 0 && props.empty !== undefined) return <p>{props.empty}</p>;
  const cell = (content: ComponentChildren, index: number): ComponentChildren => {
    if (isValidElement(content) && content.type === 'td') return content;
    const label = props.labelled === true ? columns[index] : undefined;
    return index === head ? <th scope="row">{content}</th> : <td data-label={label}>{content}</td>;
  };
  const rows = items.slice(0, limit).map((item) => <tr id={id?.(item)}>{row(item).map(cell)}</tr>);
  return (
    <>
      <table class={name}>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
      {more(items.length - limit)}
    </>
  );
}

interface ButtonProps {
  readonly act: (button: HTMLButtonElement) => unknown;
  /** Of a switch: whether it is on. */
  readonly pressed?: boolean;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** A button, which submits nothing. */
export const Button = ({ act, pressed, label, children }: ButtonProps): VNode => (
  <button
    type="button"
    aria-pressed={pressed}
    aria-label={label}
    onClick={({ currentTarget }) => void act(currentTarget)}
  >
    {children}
  </button>
);

interface CommandProps {
  readonly value: string;
  readonly label: string;
}

/** A button that copies a text; nothing without a script. */
export function CopyButton({ value, label }: CommandProps): VNode | null {
  const { copy } = useContext(Page);
  const [done, setDone] = useState<boolean | null>(null);
  if (copy === null) return null;
  const copyIt = async (): Promise<void> => {
    setDone(await copy(value));
    setTimeout(() => setDone(null), 2_000);
  };
  return (
    <Button label={`Copy: ${label}`} act={copyIt}>
      {done === null ? 'Copy' : done ? '✓ Copied' : '✗ Not copied'}
    </Button>
  );
}

/** A command to copy; in the static page the script adds the button. */
export function Command(props: CommandProps): VNode {
  return (
    <div class="copyable" data-command={props.label}>
      <pre class="command">
        <Block text={props.value} />
      </pre>
      <CopyButton {...props} />
    </div>
  );
}

/** A finding: the message, then both values and the place on the next line. */
export function FoundText({ finding }: { finding: ResultFinding }): VNode {
  const { expected, actual, exchange } = finding;
  const at = locationWords(finding);
  const value = (name: string, said: string): ComponentChildren => [
    <span class="note">{name}</span>,
    ' ',
    <code>{text(said)}</code>,
  ];
  return (
    <>
      {message(finding.message)}
      <br />
      {value('expected', expected)}
      {value(', actual', actual)}
      {at !== '' && value(', at', at)}
      {exchange !== null && [' in ', <ExchangeLink id={exchange} />]}
    </>
  );
}

/** A stacked bar. */
export function Bar(props: {
  label: string;
  parts: readonly (readonly [name: string, count: number, ...more: unknown[]])[];
}): VNode {
  const { label, parts } = props;
  const total = parts.reduce((sum, [, count]) => sum + count, 0);
  let end = 0;
  const share = (count: number): string => ((count / total) * 100).toFixed(2);
  const shapes = parts.map(([name, count]) => {
    end += count;
    const size = { x: share(end - count), width: share(count), y: '0', height: '4' };
    return count > 0 && <rect class={name} {...size} />;
  });
  return (
    <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label={label}>
      {shapes}
    </svg>
  );
}
