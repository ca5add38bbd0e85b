import { options, render } from 'preact';
import type { VNode } from 'preact';
import type { PageData } from '../report/page/page-data.ts';
import { issueExchange } from '../report/analysis/issue-text.ts';
import { CopyEntries } from '../report/page/view/copy-menu.tsx';
import { showHidden } from '../report/page/view/hidden.ts';
import { Page } from '../report/page/view/page.ts';
import type { PageContext } from '../report/page/view/page.ts';
import { anchor, CommandText } from '../report/page/view/parts.tsx';
import { Requirement } from '../report/page/view/requirement.tsx';
import { copyText } from './actions.ts';
import { loadExchange, loadIndex } from './data.ts';
import { Evidence } from './evidence.tsx';
import type { EvidenceProps } from './evidence.tsx';
import { followFindings } from './finding-list.ts';
import { KEYS_ID } from './keys.tsx';
import { Lists } from './lists.tsx';
import { addWithin, listItem, markCurrent } from './navigation.ts';
import { isList, wide } from './panes.tsx';
import { Places } from './places.ts';
import { ReviewForm } from './review-form.tsx';
import { DecisionMark, ReviewLink, UndecidedCount } from './review-marks.tsx';
import { ReviewView } from './review.tsx';
import { ReviewStore } from './review-store.ts';
import { parseRoute } from './route.ts';
import { Tools } from './tools.tsx';
import { Unknown } from './unknown.tsx';
import { createViews } from './views.ts';
import type { Views } from './views.ts';
import './style.css';
import './panes.css';
import './print.css';

interface App {
  readonly data: PageData;
  /** What the components are told of this page. */
  readonly page: PageContext;
  /** Reads an exchange in full. */
  readonly load: EvidenceProps['load'];
  /** The decisions of the reviewer. */
  readonly store: ReviewStore;
  readonly views: Views;
  readonly places: Places;
  readonly lists: Lists;
  /** What the views that the script draws were written with. */
  readonly written: Map<string, readonly ChildNode[]>;
  readonly nav: HTMLElement;
  readonly title: string;
}

/** Puts components in the place of what was written there. */
function mount({ page }: App, content: VNode, place: Element): void {
  render(<Page value={page}>{content}</Page>, place);
}

/** Draws a view and shows it. */
function drawView(app: App, id: string, content: VNode): void {
  const element = app.views.element(id);
  // What was written gives way the first time; later Preact knows what stands there.
  if (element.dataset['drawn'] === undefined) {
    app.written.set(id, [...element.childNodes]);
    element.replaceChildren();
  }
  element.dataset['drawn'] = '';
  mount(app, content, element);
  app.views.show(id);
}

/** Puts back what a view was written with: of a list that is scrolled, paper would hold what is on the screen just now. */
function undrawView(app: App, id: string): void {
  const element = app.views.element(id);
  if (element.dataset['drawn'] === undefined) return;
  render(null, element);
  element.replaceChildren(...(app.written.get(id) ?? []));
  delete element.dataset['drawn'];
}

/** The view of the present route. The sections that need no script stay as they were written. */
function draw(app: App, hash: string, first: boolean): void {
  const { data, store, load, lists } = app;
  const { name, parameters } = parseRoute(hash);
  const query = parameters.get('q') ?? '';
  let heading = true;
  if (isList(name)) {
    heading = !lists.show({ list: name, query });
  } else if (name === 'review') {
    drawView(app, 'review', <ReviewView store={store} data={data} />);
  } else if (name.startsWith('x-')) {
    const id = data.exchanges.find(([one]) => anchor('x', one) === name)?.[0];
    if (id === undefined) drawView(app, 'unknown', <Unknown name={name} />);
    else {
      const content = <Evidence data={data} id={id} load={load} />;
      lists.choose(['exchanges'], { place: name, id: 'evidence', content });
    }
  } else if (name.startsWith('r-')) {
    const requirement = data.requirements.find(({ id }) => anchor('r', id) === name);
    if (requirement === undefined) drawView(app, 'unknown', <Unknown name={name} />);
    else {
      const content = <Requirement data={data} requirement={requirement} />;
      lists.choose(['requirements', 'checks'], { place: name, id: 'requirement', content });
    }
  } else {
    heading = showSection(app, name, query);
  }
  follow(app, first, heading);
}

/** Shows a section that the page was written with, and the place in it that the fragment names. */
function showSection(app: App, name: string, query: string): boolean {
  const { views } = app;
  const view = name === '' ? 'summary' : views.holding(name);
  if (view === undefined) {
    drawView(app, 'unknown', <Unknown name={name} />);
    return true;
  }
  if (view === 'requirements') app.lists.show({ list: view, query });
  else views.show(view);
  if (view === name || name === '') return true;
  const target = document.getElementById(name);
  if (target === null) return true;
  for (const details of views.element(view).querySelectorAll('details'))
    if (details.contains(target)) details.open = true;
  // Only a fragment change makes the browser look for the target, and then it was not in the document yet.
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
  target.scrollIntoView();
  return false;
}

/** Title, mark in the navigation and focus follow the view. */
function follow({ views, places, lists, nav, title }: App, first: boolean, heading: boolean): void {
  const element = views.element(views.current);
  const head = element.querySelector<HTMLElement>('.detail-pane h2') ?? element.querySelector('h2');
  const place = head?.textContent ?? '';
  document.title = views.current === 'summary' || place === '' ? title : `${place}: ${title}`;
  const parent =
    { evidence: 'exchanges', requirement: 'requirements' }[views.current] ?? views.current;
  markCurrent(nav, parent);
  if (stepping) {
    stepping = false;
    places.restore();
    scrollToPanes(element);
    lists.focusChosen();
    return;
  }
  if (searching) {
    searching = false;
    element.querySelector<HTMLElement>('.search-field')?.focus();
    return;
  }
  if (places.restore() || !heading) return;
  // At the start the browser has already looked for the place among all views, as they were written.
  scrollToPanes(element);
  if (first) return;
  const target = head ?? element;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Goes to the top of a view; only as far as what is chosen begins there, so that the list beside it stays in its place. */
function scrollToPanes(view: HTMLElement): void {
  const pane = view.querySelector('.split .detail-pane');
  const above = document.querySelector('nav')?.offsetHeight ?? 0;
  const top = pane === null ? 0 : pane.getBoundingClientRect().top + scrollY - above;
  scrollTo({ top: Math.min(scrollY, top), behavior: pane === null ? 'auto' : 'instant' });
}

/** Links to the views that only the script has. */
function addLinks(app: App): void {
  const { nav, store, data } = app;
  const review = document.createElement('a');
  review.href = '#review';
  mount(app, <ReviewLink store={store} data={data} />, review);
  nav.querySelector('ul')?.append(listItem(review));
  addWithin(nav, '#requirements', '#checks', 'All checks');
}

/** Takes over what can be used in the sections that stay as they were written. */
function takeOver(app: App, main: HTMLElement): void {
  const { store, data } = app;
  for (const place of main.querySelectorAll<HTMLElement>('[data-command]')) {
    const label = place.dataset['command'] ?? '';
    mount(app, <CommandText value={place.textContent} label={label} />, place);
  }
  for (const menu of main.querySelectorAll<HTMLDetailsElement>('[data-copy]')) {
    // Opened before it is used: most menus never are, and an issue shows an exchange that has to be read first.
    menu.addEventListener('toggle', () => void fillMenu(app, menu), { once: true });
  }
  for (const place of main.querySelectorAll<HTMLElement>('[data-review]')) {
    const cause = place.dataset['review'] ?? '';
    mount(app, <ReviewForm store={store} data={data} cause={cause} />, place);
  }
  for (const place of main.querySelectorAll<HTMLElement>('[data-decision]')) {
    const cause = place.dataset['decision'] ?? '';
    mount(app, <DecisionMark store={store} cause={cause} />, place);
  }
  const count = main.querySelector('[data-undecided]');
  if (count !== null) mount(app, <UndecidedCount store={store} data={data} />, count);
}

/** Puts what only a script can do into the menu of a finding. */
async function fillMenu(app: App, menu: HTMLDetailsElement): Promise<void> {
  const cause = app.data.causes.find(({ id }) => id === menu.dataset['copy']);
  const place = menu.querySelector('.entries');
  if (cause === undefined || place === null) return;
  const exchange = cause.exchange === null ? undefined : await app.load(cause.exchange);
  const issue = [cause.issue, ...(exchange === undefined ? [] : [issueExchange(exchange)])];
  place.replaceChildren();
  mount(
    app,
    <CopyEntries
      cause={cause.id}
      commands={cause.commands}
      issue={issue.join('\n')}
      address={`${location.href.replace(/#.*$/, '')}#${anchor('f', cause.id)}`}
    />,
    place,
  );
  // Opened at the lower edge of the screen, it would only be seen by those who scroll.
  place.scrollIntoView({ block: 'nearest' });
}

/** Closes the menus that are open, but for the one that holds `except`. Gives those that it closed. */
function closeMenus(except: Node | null): readonly HTMLDetailsElement[] {
  const open = [...document.querySelectorAll<HTMLDetailsElement>('details.copy[open]')];
  const closed = open.filter((menu) => !menu.contains(except));
  for (const menu of closed) menu.open = false;
  return closed;
}

/** Set when the next view is shown for its search. */
let searching = false;
/** Set while the page is on its way to paper. */
let printing = false;
/** Set when a key goes on in a list: the focus stays there. */
let stepping = false;

/** The keys that the page explains behind `?`. */
function onKey(app: App, event: KeyboardEvent): void {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') {
    for (const menu of closeMenus(null)) menu.querySelector('summary')?.focus();
    return;
  }
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
  if (event.key === '/') {
    event.preventDefault();
    const field = document.querySelector<HTMLElement>('.search-field');
    if (field !== null) field.focus();
    else {
      searching = true;
      app.places.follow();
      location.hash = '#checks';
    }
  } else if (event.key === '?') {
    document.querySelector<HTMLDialogElement>(`#${KEYS_ID}`)?.showModal();
  } else if ((event.key === 'j' || event.key === 'k') && app.views.current === 'summary') {
    const articles = [...document.querySelectorAll<HTMLElement>('article.finding')];
    const now = articles.findIndex((one) => one.contains(document.activeElement));
    const next = articles[event.key === 'j' ? now + 1 : Math.max(0, now - 1)];
    if (next === undefined) return;
    next.tabIndex = -1;
    next.focus();
  } else if (event.key === 'j' || event.key === 'k') {
    const next = app.lists.step(event.key === 'j');
    if (next === undefined) return;
    app.places.follow();
    stepping = true;
    location.hash = `#${next}`;
  }
}

async function start(): Promise<void> {
  const main = document.getElementById('main');
  const nav = document.querySelector('nav');
  const tools = document.getElementById('tools');
  if (main === null || nav === null || tools === null) return;
  options.vnode = showHidden;
  const data = await loadIndex();
  const known = new Set(data.exchanges.map(([id]) => id));
  const page = {
    holds: (id: string) => known.has(id),
    copy: copyText,
  };
  const bodies = new Map(
    [...main.querySelectorAll('details.exchange')].map((one) => [one.id, one.textContent]),
  );
  const views = createViews(main);
  const lists = new Lists({
    data,
    draw: (id, content) => drawView(app, id, content),
    element: views.element,
    current: () => views.current,
    written: (id) => bodies.get(anchor('x', id)) ?? '',
  });
  const app: App = {
    data,
    page,
    load: (id) => loadExchange(data, id),
    store: new ReviewStore(data),
    views,
    lists,
    places: new Places(main),
    written: new Map(),
    nav,
    title: document.title,
  };
  takeOver(app, main);
  addLinks(app);
  mount(app, <Tools />, tools);
  draw(app, location.hash, true);
  addEventListener('hashchange', () => {
    app.places.leave();
    draw(app, location.hash, false);
  });
  addEventListener('keydown', (event) => onKey(app, event));
  addEventListener('click', ({ target }) => closeMenus(target instanceof Node ? target : null));
  addEventListener('beforeprint', () => {
    printing = true;
    lists.unfold();
    undrawView(app, 'exchanges');
    app.views.showAll();
    for (const one of main.querySelectorAll<HTMLDetailsElement>(
      'article details:not(.review, .copy)',
    ))
      one.open = true;
  });
  addEventListener('afterprint', () => {
    printing = false;
    lists.show({ list: 'requirements', query: '' });
    draw(app, location.hash, true);
  });
  // Paper is narrow, too, but what is printed must stay as it was made ready.
  wide.addEventListener('change', () => {
    if (!printing && /^#[rx]-/.test(location.hash)) draw(app, location.hash, true);
  });
  // Panes begin below the navigation, whatever it takes.
  new ResizeObserver(() => {
    const { style } = document.documentElement;
    style.setProperty('--above', `${nav.offsetHeight}px`);
    style.setProperty('--begin', `${main.offsetTop}px`);
  }).observe(nav);
  followFindings(main);
  document.documentElement.dataset['ready'] = String(Math.round(performance.now()));
}

// Without the script the page is complete as it stands; a browser that cannot unpack the data keeps it that way.
void start().catch((error: unknown) => {
  document.documentElement.dataset['failed'] = String(error);
});
