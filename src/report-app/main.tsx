import { options, render, type VNode } from 'preact';
import type { Exchange } from '../spec/exchange.ts';
import { issueExchange } from '../report/analysis/evidence-text.ts';
import type { ExchangeRow, PageData } from '../report/page/page-data.ts';
import { exchangeRows } from '../report/page/view/lists.tsx';
import { anchor, CopyButton, Page, showHidden, text } from '../report/page/view/parts.tsx';
import { Requirement } from '../report/page/view/matrix.tsx';
import { copyText } from './actions.ts';
import { Evidence } from './evidence.tsx';
import { parseRoute } from './query.ts';
import { Explorer, Filter } from './search.tsx';
import { ReviewStore } from './reviews.ts';
import { DecisionMark, ReviewForm, ReviewLink, ReviewView } from './review.tsx';
import './style.css';

interface Position {
  readonly scroll: number;
  readonly focus: Element | null;
}

/** Adds search, evidence, review and copying to the page. */
function enhance(data: PageData, main: HTMLElement, nav: HTMLElement): void {
  const ids = data.requirements.map(({ id }) => id);
  const known = new Set([...ids, ...data.exchanges.map(([id]) => id)]);
  const page = { holds: (id: string) => known.has(id), copy: copyText };
  const store = new ReviewStore(data);
  const title = document.title;
  const written = new Map(
    [...main.querySelectorAll('details.exchange')].map((one) => [one.id, one.textContent]),
  );
  const rows = exchangeRows(data, (id) => written.get(anchor('x', id)) ?? '');
  /** Positions by URL fragment, restored on back and forward but not when a link is followed. */
  const positions = new Map<string, Position>();
  let left: Position | null = null;
  let address = location.hash;
  let scroll = 0;
  let isFollowed = true;

  function mount(content: VNode | null, parent: Element): void {
    render(<Page value={page}>{content}</Page>, parent);
  }

  /** Adds to the copy menu of a finding what only a script knows. */
  async function fillMenu(menu: HTMLElement): Promise<void> {
    const slot = menu.querySelector('[data-more]');
    const cause = data.causes.find(({ id }) => id === menu.dataset['copy']);
    if (cause === undefined || slot === null) return;
    const row = data.exchanges.find(([id]) => id === cause.exchange);
    const shown = row === undefined ? [] : [issueExchange(await loadExchange(row))];
    const link = `${location.href.replace(/#.*$/, '')}#${anchor('f', cause.id)}`;
    slot.replaceChildren();
    mount(
      <>
        {'Markdown for an issue '}
        <CopyButton label="Markdown for an issue" value={[cause.issue, ...shown].join('\n')} />
        {' Link to this finding '}
        <CopyButton label="Link to this finding" value={link} />
      </>,
      slot,
    );
  }

  /** Renders a view that the static page does not have. */
  function drawn(id: string, content: VNode): string {
    let view = document.getElementById(id);
    if (view === null) {
      view = document.createElement('section');
      view.className = 'view drawn';
      view.id = id;
      main.append(view);
    }
    mount(content, view);
    return id;
  }

  /** Shows an exchange when it is loaded, unless the reader has gone on. */
  async function fillEvidence(row: ExchangeRow): Promise<void> {
    const exchange = await loadExchange(row);
    if (parseRoute(location.hash).name === anchor('x', row[0]))
      drawn('evidence', <Evidence data={data} row={row} exchange={exchange} />);
  }

  /** The view of a URL fragment, rendered if necessary. */
  function viewOf(name: string, query: string): string {
    if (name === '') return 'summary';
    if (name === 'review') return drawn(name, <ReviewView store={store} data={data} />);
    const row = data.exchanges.find(([id]) => anchor('x', id) === name);
    if (row !== undefined) {
      void fillEvidence(row);
      return drawn('evidence', <Evidence data={data} row={row} exchange={null} />);
    }
    const section = document.getElementById(name)?.closest('section.view');
    if (section == null) return drawn('unknown', <Unknown name={name} />);
    const search = section.querySelector('[data-search]');
    if (search !== null)
      mount(
        section.id === 'exchanges' ? (
          <Explorer rows={rows} query={query} />
        ) : (
          <Filter data={data} query={query} />
        ),
        search,
      );
    return section.id;
  }

  function follow(): void {
    positions.set(address, left ?? { scroll, focus: document.activeElement });
    left = null;
    address = location.hash;
    show(false);
  }

  function show(first: boolean): void {
    const { name, query } = parseRoute(location.hash);
    const current = viewOf(name, query);
    const views = [...main.querySelectorAll<HTMLElement>(':scope > section.view')];
    for (const section of views) section.hidden = section.id !== current;
    const view = views.find(({ id }) => id === current) ?? null;
    const head = view?.querySelector<HTMLElement>('h2') ?? null;
    const words = current === 'summary' ? '' : (head?.textContent ?? '');
    document.title = words === '' ? title : `${words}: ${title}`;
    const named = `#${current === 'evidence' ? 'exchanges' : current}`;
    for (const link of nav.querySelectorAll('a'))
      link.ariaCurrent = link.getAttribute('href') === named ? 'page' : null;
    const kept = isFollowed ? undefined : positions.get(location.hash);
    isFollowed = false;
    const target = targetIn(view, name);
    if (kept !== undefined) {
      if (kept.focus instanceof HTMLElement) kept.focus.focus({ preventScroll: true });
      scrollTo({ top: kept.scroll, behavior: 'instant' });
    } else if (target !== null) {
      focusOn(target);
      target.scrollIntoView({ behavior: 'instant' });
    } else if (!first) {
      scrollTo(0, 0);
      focusOn(head ?? main);
    }
  }

  /** The element that a URL fragment names, unfolded; adds the details of a requirement. */
  function targetIn(view: HTMLElement | null, name: string): HTMLElement | null {
    const target = document.getElementById(name);
    for (const one of document.querySelectorAll('tr.detail')) one.remove();
    if (view === null || target === null || target === view || !view.contains(target)) return null;
    for (const details of view.querySelectorAll('details'))
      if (details.contains(target)) details.open = true;
    const requirement = data.requirements.find(({ id }) => anchor('r', id) === name);
    if (requirement === undefined || !(target instanceof HTMLTableRowElement)) return target;
    // An earlier search may have hidden it.
    target.hidden = false;
    const row = document.createElement('tr');
    row.className = 'detail';
    const cell = row.insertCell();
    cell.colSpan = target.cells.length;
    target.after(row);
    mount(<Requirement data={data} requirement={requirement} />, cell);
    return target;
  }

  function onClick({ target }: Event): void {
    const link = target instanceof Element ? target.closest('a[href^="#"]') : null;
    if (link === null) return;
    isFollowed = true;
    // The browser changes scroll position and focus before `hashchange`.
    left = { scroll: scrollY, focus: link };
  }

  function onKey(event: KeyboardEvent): void {
    const { target, key } = event;
    if (key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
    event.preventDefault();
    const field = (): HTMLElement | null =>
      document.querySelector<HTMLElement>('.view:not([hidden]) .search-field');
    if (field() === null) {
      isFollowed = true;
      location.hash = '#requirements';
      // `hashchange` is dispatched asynchronously.
      addEventListener('hashchange', () => field()?.focus(), { once: true });
    } else field()?.focus();
  }

  const all = (name: string): NodeListOf<HTMLElement> => main.querySelectorAll(name);
  for (const element of all('[data-command]')) {
    const button = document.createElement('span');
    const label = element.dataset['command'] ?? '';
    mount(<CopyButton value={element.textContent} label={label} />, button);
    element.append(button);
  }
  // Filled on demand: most menus are never opened, and an issue needs its exchange.
  for (const menu of all('details[data-copy]'))
    menu.addEventListener('toggle', () => void fillMenu(menu), { once: true });
  for (const element of all('[data-review]')) {
    const cause = data.causes.find(({ id }) => id === element.dataset['review']);
    if (cause !== undefined) mount(<ReviewForm store={store} data={data} cause={cause} />, element);
  }
  for (const element of all('[data-decision]'))
    mount(<DecisionMark store={store} cause={element.dataset['decision'] ?? ''} />, element);
  const item = document.createElement('li');
  mount(<ReviewLink store={store} data={data} />, item);
  nav.querySelector('ul')?.append(item);

  history.scrollRestoration = 'manual';
  addEventListener('scroll', () => (scroll = scrollY), { passive: true });
  addEventListener('hashchange', follow);
  addEventListener('keydown', onKey);
  addEventListener('click', onClick, { capture: true });
  show(true);
}

function focusOn(target: HTMLElement): void {
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Shown for unknown URL fragments, such as a finding of another run. */
function Unknown({ name }: { readonly name: string }): VNode {
  return (
    <>
      <h2 tabIndex={-1}>Not in this report</h2>
      <p>
        This report does not contain <code>#{text(name, 80)}</code>. The link may belong to the
        report of a different run. <a href="#summary">Back to the summary</a>
      </p>
    </>
  );
}

/** The content of a `<template data-chunk>`: base64 of raw deflate of JSON. */
async function decode(name: string): Promise<unknown> {
  const template = document.querySelector<HTMLTemplateElement>(`template[data-chunk="${name}"]`);
  if (template === null) throw new Error(`No page data named ${name}.`);
  const binary = atob(template.content.textContent ?? '');
  const bytes = Uint8Array.from(binary, (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text()) as unknown;
}

async function loadExchange([id, , , , , , , , chunk]: ExchangeRow): Promise<Exchange> {
  const exchanges = (await decode(String(chunk))) as readonly Exchange[];
  const exchange = exchanges.find((one) => one.id === id);
  if (exchange === undefined) throw new Error(`No exchange ${id} in chunk ${chunk}.`);
  return exchange;
}

async function start(): Promise<void> {
  const main = document.getElementById('main');
  const nav = document.querySelector('nav');
  if (main === null || nav === null) return;
  options.vnode = showHidden;
  enhance((await decode('index')) as PageData, main, nav);
  document.documentElement.dataset['ready'] = String(Math.round(performance.now()));
}

// The page is complete without the script, for browsers that cannot decompress the data.
void start().catch((error: unknown) => {
  document.documentElement.dataset['failed'] = String(error);
});
