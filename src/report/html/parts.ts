import { cut } from '../../text/text.ts';
import { OUTCOME_LABELS } from '../labels.ts';
import { html } from '../markup.ts';
import { withoutMarks } from '../plain.ts';
import type { Content, Markup } from '../markup.ts';
import type { Outcome } from '../results.ts';

/** Longest message, value or reason shown; recorded in full in results.json. */
export const TEXT = 1_000;
/** Links to exchanges listed for one thing. */
export const LINKS = 6;

/** An id of the page for something that has an id of its own: finding, requirement, exchange, section. */
export function anchor(kind: 'f' | 'r' | 'x' | 's' | 'e', id: string): string {
  return `${kind}-${id.replace(/[^\w./-]/g, '_')}`;
}

/** Class of an outcome; `error` alone would clash with the verdict of the same name. */
export function outcomeClass(outcome: Outcome): string {
  return outcome === 'error' ? 'o-error' : outcome;
}

/** Icon, word and colour of an outcome: never the colour alone. */
export function badge(outcome: Outcome): Markup {
  const { icon, word } = OUTCOME_LABELS[outcome];
  return html`<span class="outcome ${outcomeClass(outcome)}">${icon} ${word}</span>`;
}

/** A link to a requirement by its id. */
export function requirementLink(id: string): Markup {
  return html`<a class="id" href="#${anchor('r', id)}">${id}</a>`;
}

/** Items with commas between them. */
export function separated(items: readonly Markup[]): Content {
  return items.map((item, index) => (index === 0 ? item : html`, ${item}`));
}

/** A text of a target or a reason, cut to what a page can hold. */
export function text(value: string, max = TEXT): string {
  return cut(value, max);
}

/** A message that may quote a target, without the marks around names. */
export function message(value: string, max = TEXT): string {
  return cut(withoutMarks(value), max);
}

/** `21 Nov 2026 03:21:17 UTC`; the text itself when it is no time. */
export function clock(time: string | number): string {
  const ms = typeof time === 'number' ? time : Date.parse(time);
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return String(time);
  const iso = new Date(ms).toISOString();
  const month = MONTHS[Number(iso.slice(5, 7)) - 1] ?? '';
  return `${Number(iso.slice(8, 10))} ${month} ${iso.slice(0, 4)} ${iso.slice(11, 19)} UTC`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** One part of a stacked bar. */
export interface BarPart {
  readonly name: string;
  readonly count: number;
}

/** A stacked bar, with its numbers as its name for those who cannot see it. */
export function bar(label: string, parts: readonly BarPart[]): Markup {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  let x = 0;
  const shapes = parts
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => {
      const width = (count / Math.max(1, total)) * 100;
      const start = x;
      x += width;
      return html`<rect
        class="${name}"
        x="${start.toFixed(2)}"
        y="0"
        width="${width.toFixed(2)}"
        height="4"
      />`;
    });
  return html`<svg
    class="bar"
    viewBox="0 0 100 4"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${shapes}
  </svg>`;
}

/** A statement of ours in which backticks set names apart. */
export function statement(value: string, max = TEXT): Content {
  return cut(value, max)
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
