import type { VNode } from 'preact';
import type { PageData } from '../report/page/page-data.ts';
import { checkRows, exchangeRows } from '../report/page/view/lists.tsx';
import { anchor } from '../report/page/view/parts.tsx';
import { Explorer } from './explorer.tsx';
import { MatrixView } from './matrix-view.tsx';
import {
  heightOf,
  isList,
  keepBeside,
  Panes,
  readBeside,
  settle,
  stepFrom,
  wide,
} from './panes.tsx';
import type { Beside, Chosen, ListName } from './panes.tsx';
import { writeParameter } from './route.ts';

const CHECK_TERMS = [
  ['is:failed', '✗ failed'],
  ['is:warned', '! warned'],
  ['is:untested', '– untested'],
  ['is:inconclusive', '? inconclusive'],
  ['is:passed', '✓ passed'],
] as const;
const EXCHANGE_TERMS = [
  ['is:found', 'with findings'],
  ['is:refused', 'refused'],
  ['http:429', '429'],
  ['role:none', 'without a key'],
] as const;

const TITLES: Readonly<Record<ListName, string>> = {
  requirements: 'Requirements',
  checks: 'All checks',
  exchanges: 'Exchanges',
};

function address({ list, query }: Beside): string {
  return `#${list}${query === '' ? '' : `?${new URLSearchParams({ q: query }).toString()}`}`;
}

/** What lists need of the page: to draw a view, and the view that is shown. */
export interface Stage {
  readonly data: PageData;
  draw(id: string, content: VNode): void;
  element(id: string): HTMLElement;
  current(): string;
  /** What the page shows of an exchange. */
  written(id: string): string;
}

/** The views that are lists, and what is chosen in them. */
export class Lists {
  readonly #stage: Stage;
  #rows:
    | { checks: ReturnType<typeof checkRows>; exchanges: ReturnType<typeof exchangeRows> }
    | undefined;
  #beside: Beside = { list: 'requirements', query: '' };
  #chosen: Chosen | null = null;
  #order: readonly string[] = [];
  readonly #onOrder = (places: readonly string[]): void => {
    this.#order = places;
  };
  readonly #onQuery = (query: string): void => this.#ask(query);

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Shows a list alone. True when it was left for something in it just now, and stands where it stood. */
  show(beside: Beside): boolean {
    const left = this.#stage.current() === beside.list ? this.#chosen : null;
    this.#draw(beside, null, left?.place ?? null);
    return left !== null;
  }

  /** Shows something of a list: beside it where there is room, else alone. `lists` are those that it may stand in. */
  choose(lists: readonly [ListName, ...ListName[]], chosen: Chosen): void {
    const { current, draw } = this.#stage;
    if (!wide.matches) {
      this.#chosen = null;
      draw(chosen.id, chosen.content);
      return;
    }
    const shown = lists.find((one) => one === current());
    const beside =
      readBeside() ??
      (shown !== undefined && shown === this.#beside.list
        ? this.#beside
        : { list: shown ?? lists[0], query: '' });
    keepBeside(beside);
    this.#draw(beside, chosen, chosen.place);
  }

  /** Draws the matrix whole, for printing. */
  unfold(): void {
    const list = this.#list({ list: 'requirements', query: '' }, null, true);
    this.#stage.draw(
      'requirements',
      <Panes list={list} chosen={null} back="" title={TITLES.requirements} />,
    );
  }

  /** Address of the next thing in the list on the screen, or the one before; undefined where there is none. */
  step(forward: boolean): string | undefined {
    if (!wide.matches || !isList(this.#stage.current())) return undefined;
    const focused = document.activeElement?.closest<HTMLElement>('.list-pane a[href^="#"]');
    const place = this.#chosen?.place ?? focused?.getAttribute('href')?.slice(1) ?? '';
    const next = stepFrom(this.#order, place, forward);
    // Several checks of one requirement follow each other, and lead to the same place.
    return next === place ? stepFrom([...new Set(this.#order)], place, forward) : next;
  }

  /** Puts the focus on what is chosen in the list. */
  focusChosen(): void {
    const view = this.#stage.element(this.#stage.current());
    const row = view.querySelector<HTMLElement>('.list-pane [aria-current]');
    const link = row?.matches('a') === true ? row : row?.querySelector<HTMLElement>('a.id');
    link?.focus({ preventScroll: true });
  }

  #ask(query: string): void {
    const { list } = this.#beside;
    const beside = { list, query };
    // The address of what is chosen stays; its step in the history knows the search beside it.
    if (this.#chosen === null) writeParameter(list, 'q', query);
    else keepBeside(beside);
    this.#draw(beside, this.#chosen, null);
  }

  /** Draws a list so that the row of `place` stays where it is, and is in sight. */
  #draw(beside: Beside, chosen: Chosen | null, place: string | null): void {
    const { element, draw } = this.#stage;
    const view = element(beside.list);
    const before = place === null ? null : heightOf(view, place);
    this.#beside = beside;
    this.#chosen = chosen;
    draw(
      beside.list,
      <Panes
        list={this.#list(beside, chosen, false)}
        chosen={chosen}
        back={address(beside)}
        title={TITLES[beside.list].toLowerCase()}
      />,
    );
    if (place !== null) settle(view, place, before);
  }

  #list({ list, query }: Beside, chosen: Chosen | null, unfolded: boolean): VNode {
    const { data } = this.#stage;
    const place = chosen?.place ?? null;
    const told = { query, onQuery: this.#onQuery, onOrder: this.#onOrder };
    if (list === 'requirements') {
      const id = data.requirements.find((one) => anchor('r', one.id) === place)?.id ?? null;
      return <MatrixView data={data} unfolded={unfolded} chosen={id} {...told} />;
    }
    this.#rows ??= { checks: checkRows(data), exchanges: exchangeRows(data, this.#stage.written) };
    return (
      <Explorer
        view={list}
        title={TITLES[list]}
        noun={list}
        rows={this.#rows[list]}
        terms={list === 'checks' ? CHECK_TERMS : EXCHANGE_TERMS}
        chosen={place}
        {...told}
      />
    );
  }
}
