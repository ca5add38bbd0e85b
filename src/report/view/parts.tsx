import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { cut } from '../../text/text.ts';
import { OUTCOME_LABELS } from '../labels.ts';
import { withoutMarks } from '../plain.ts';
import type { Outcome, ResultFinding } from '../results.ts';
import { Block } from './hidden.ts';
import { Page } from './page.ts';

/** Longest message, value or reason shown; recorded in full in results.json. */
const TEXT = 1_000;
/** Links to exchanges listed for one thing. */
export const LINKS = 6;

/** An id of the page for something that has an id of its own: finding, requirement, exchange, section, endpoint. */
export function anchor(kind: 'f' | 'r' | 'x' | 's' | 'e', id: string): string {
  return `${kind}-${id.replace(/[^\w./-]/g, '_')}`;
}

function isOutcome(word: string): word is Outcome {
  return Object.hasOwn(OUTCOME_LABELS, word);
}

/** Class of an outcome; `error` alone would clash with the verdict of the same name. */
export function outcomeClass(outcome: Outcome): string {
  return outcome === 'error' ? 'o-error' : outcome;
}

/** Icon and word of an outcome. */
export function outcomeWords(outcome: Outcome): string {
  const { icon, word } = OUTCOME_LABELS[outcome];
  return `${icon} ${word}`;
}

/** Icon, word and colour of an outcome: never the colour alone. Files of other programs may hold words of their own. */
export function Badge({ outcome }: { readonly outcome: string }): VNode {
  return isOutcome(outcome) ? (
    <span class={`outcome ${outcomeClass(outcome)}`}>{outcomeWords(outcome)}</span>
  ) : (
    <span class="outcome untested">{`? ${cut(outcome, 40)}`}</span>
  );
}

/** A link to a requirement by its id. */
export function RequirementLink({ id }: { readonly id: string }): VNode {
  return (
    <a class="id" href={`#${anchor('r', id)}`}>
      {id}
    </a>
  );
}

/** A link to the evidence of an exchange; plain text when the page does not hold it. */
export function ExchangeLink({ id }: { readonly id: string }): VNode {
  return useContext(Page).holds(id) ? <a href={`#${anchor('x', id)}`}>{id}</a> : <span>{id}</span>;
}

interface ListedProps {
  readonly items: readonly ComponentChildren[];
  readonly limit?: number;
  /** `+3` instead of `and 3 more`, for narrow cells. */
  readonly short?: boolean;
}

/** Items with commas between them, and how many more there are. */
export function Listed({ items, limit = items.length, short = false }: ListedProps): VNode {
  const more = items.length - limit;
  return (
    <>
      {items.slice(0, limit).map((item, index) => (
        <>
          {index > 0 && ', '}
          {item}
        </>
      ))}
      {more > 0 && (short ? ` +${more}` : ` and ${more} more`)}
    </>
  );
}

/** Links to exchanges. */
export function ExchangeLinks({
  ids,
  limit = LINKS,
  short = true,
}: {
  readonly ids: readonly string[];
  readonly limit?: number;
  readonly short?: boolean;
}): VNode {
  return (
    <Listed
      items={ids.map((id) => (
        <ExchangeLink id={id} />
      ))}
      limit={limit}
      short={short}
    />
  );
}

/** Links to requirements. */
export function RequirementLinks({
  ids,
  limit,
}: {
  readonly ids: readonly string[];
  readonly limit: number;
}): VNode {
  return (
    <Listed
      items={ids.map((id) => (
        <RequirementLink id={id} />
      ))}
      limit={limit}
    />
  );
}

/** How much of a list is not shown; nothing when all of it is. */
export function More({
  count,
  where = 'in results.json',
}: {
  readonly count: number;
  readonly where?: string;
}): VNode | null {
  return count > 0 ? <p class="note">{`${count} more are ${where}.`}</p> : null;
}

/** A table with a heading for each column. */
export function Table({
  name,
  columns,
  caption,
  children,
}: {
  readonly name: string;
  readonly columns: readonly string[];
  readonly caption?: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <table class={name}>
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col">{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** One line of a `<dl class="facts">`. */
export function Fact({
  name,
  children,
}: {
  readonly name: ComponentChildren;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

interface CommandProps {
  readonly value: string;
  readonly label: string;
}

/** What stands in a {@link Command}: its text and, where a script runs, a button that copies it. */
export function CommandText({ value, label }: CommandProps): VNode {
  const { copy } = useContext(Page);
  return (
    <>
      <pre class="command">
        <Block text={value} />
      </pre>
      {copy !== null && (
        <button type="button" aria-label={`Copy: ${label}`} onClick={() => copy(value)}>
          Copy
        </button>
      )}
    </>
  );
}

/** A command to copy. The script of the page finds it by its name. */
export function Command({ value, label }: CommandProps): VNode {
  return (
    <div class="copyable" data-command={label}>
      <CommandText value={value} label={label} />
    </div>
  );
}

/** A text of a target or a reason, cut to what a page can hold. */
export function text(value: string, max = TEXT): string {
  return cut(value, max);
}

/** A message that may quote a target, without the marks around names. */
export function message(value: string, max = TEXT): string {
  return cut(withoutMarks(value), max);
}

/** What a finding says: the message, then both values and the place on a line of their own. */
export function FoundText({
  finding,
  linked = true,
}: {
  readonly finding: ResultFinding;
  /** With a link to the exchange that shows it. */
  readonly linked?: boolean;
}): VNode {
  const { expected, actual, pointer, exchange } = finding;
  return (
    <>
      {message(finding.message)}
      <br />
      <span class="note">expected</span> <code>{text(expected)}</code>
      <span class="note">, actual</span> <code>{text(actual)}</code>
      {pointer !== null && pointer !== '' && (
        <>
          <span class="note">, at</span> <code>{text(pointer)}</code>
        </>
      )}
      {linked && exchange !== null && (
        <>
          {' in '}
          <ExchangeLink id={exchange} />
        </>
      )}
    </>
  );
}

/** A statement of ours in which backticks set names apart. */
export function Statement({
  value,
  max = TEXT,
}: {
  readonly value: string;
  readonly max?: number;
}): VNode {
  const parts = cut(value, max).split(/`([^`]+)`/);
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `21 Nov 2026 03:21:17 UTC`; the text itself when it is no time. */
export function clock(time: string | number): string {
  const ms = typeof time === 'number' ? time : Date.parse(time);
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return String(time);
  const iso = new Date(ms).toISOString();
  const month = MONTHS[Number(iso.slice(5, 7)) - 1] ?? '';
  return `${Number(iso.slice(8, 10))} ${month} ${iso.slice(0, 4)} ${iso.slice(11, 19)} UTC`;
}

/** One part of a stacked bar: its class and its number. */
export type BarPart = readonly [name: string, count: number];

/** A stacked bar, with its numbers as its name for those who cannot see it. */
export function Bar({
  label,
  parts,
}: {
  readonly label: string;
  readonly parts: readonly BarPart[];
}): VNode {
  const total = Math.max(
    1,
    parts.reduce((sum, [, count]) => sum + count, 0),
  );
  let before = 0;
  return (
    <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label={label}>
      {parts
        .filter(([, count]) => count > 0)
        .map(([name, count]) => {
          const x = (before / total) * 100;
          before += count;
          return (
            <rect
              class={name}
              x={x.toFixed(2)}
              y="0"
              width={((count / total) * 100).toFixed(2)}
              height="4"
            />
          );
        })}
    </svg>
  );
}
