import type { ComponentChildren, VNode } from 'preact';

/** From this width on, 1,100 px, a list and what is chosen in it stand side by side. */
export const wide = matchMedia('(min-width: 68.75rem)');

/** The views that are lists of things with a place of their own. */
export const LISTS = ['requirements', 'checks', 'exchanges'] as const;
export type ListName = (typeof LISTS)[number];

/** True for the name of a view that is a list. */
export function isList(name: unknown): name is ListName {
  return LISTS.some((one) => one === name);
}

/** The list that stands beside what was chosen in it, and its search. */
export interface Beside {
  readonly list: ListName;
  readonly query: string;
}

/** What was chosen in a list. */
export interface Chosen {
  /** Its address, without the sign in front. */
  readonly place: string;
  /** Id of the pane. */
  readonly id: string;
  readonly content: VNode;
}

export interface PanesProps {
  readonly list: ComponentChildren;
  readonly chosen: Chosen | null;
  /** Address of the list without anything chosen, and what it is called. */
  readonly back: string;
  readonly title: string;
}

/** A list and, where something is chosen and there is room, that beside it. The list stays the same element throughout. */
export function Panes({ list, chosen, back, title }: PanesProps): VNode {
  return (
    <div class={chosen === null ? 'panes' : 'panes split'}>
      <div class="list-pane">{list}</div>
      {chosen !== null && (
        <section class="detail-pane" id={chosen.id} aria-label="Chosen in the list">
          <a class="close" href={back} aria-label={`Close: back to the list of ${title}`}>
            ✕ Close
          </a>
          {chosen.content}
        </section>
      )}
    </div>
  );
}

/** The list beside the present address, as it was kept with its step in the history. */
export function readBeside(): Beside | undefined {
  const state: unknown = history.state;
  if (typeof state !== 'object' || state === null) return undefined;
  const { list, query } = state as Partial<Record<string, unknown>>;
  return isList(list) && typeof query === 'string' ? { list, query } : undefined;
}

/** Keeps the list with the present step of the history, so that going back finds it as it was. */
export function keepBeside(beside: Beside): void {
  try {
    history.replaceState(beside, '');
  } catch {
    // A page without an origin of its own may not do that everywhere; then the list stands without its search.
  }
}

/** Height of a row with some air, px: what is chosen does not stick to the edge of its list. */
const AIR = 48;
/** Frames in which a row is waited for: a folded part of a list opens first. */
const FRAMES = 10;

function rowOf(view: HTMLElement, place: string): HTMLElement | null {
  const link = view.querySelector<HTMLElement>(`.list-pane a[href="${CSS.escape(`#${place}`)}"]`);
  return link?.closest('tr') ?? link;
}

/** Where the row of a place stands on the screen, px from its top; null when it does not, or its list sees to it. */
export function heightOf(view: HTMLElement, place: string): number | null {
  if (view.querySelector('.list-pane .scroller') !== null) return null;
  const row = rowOf(view, place);
  return row?.checkVisibility() === true ? row.getBoundingClientRect().top : null;
}

/**
 * Moves a list of rows that are all in the document so that the row of a place stands where it stood, and is in sight.
 * Lists of which only a part is there see to it themselves.
 */
export function settle(
  view: HTMLElement,
  place: string,
  before: number | null,
  frames = FRAMES,
): void {
  const pane = view.querySelector('.list-pane');
  const row = rowOf(view, place);
  if (pane === null || pane.querySelector('.scroller') !== null) return;
  if (row === null || !row.checkVisibility()) {
    if (frames > 0) requestAnimationFrame(() => settle(view, place, before, frames - 1));
    return;
  }
  const isSplit = pane.parentElement?.classList.contains('split') === true;
  const { top, bottom } = isSplit
    ? pane.getBoundingClientRect()
    : { top: 2 * AIR, bottom: innerHeight };
  const now = row.getBoundingClientRect().top;
  const search = isSplit ? (pane.querySelector<HTMLElement>('.search')?.offsetHeight ?? 0) : 0;
  const wanted = Math.max(
    top + search + AIR / 4,
    Math.min(before ?? (top + bottom) / 2, bottom - 2 * AIR),
  );
  (isSplit ? pane : document.documentElement).scrollBy({ top: now - wanted, behavior: 'instant' });
}

/** Address of the next thing in the order of a list, or the one before; undefined at its end. */
export function stepFrom(
  order: readonly string[],
  place: string,
  forward: boolean,
): string | undefined {
  const now = order.indexOf(place);
  if (now < 0) return forward ? order[0] : undefined;
  return order[now + (forward ? 1 : -1)];
}
