import { render } from 'preact';
import type { ComponentChild } from 'preact';
import type { PageData } from '../report/page-data.ts';
import { copyText } from './actions.ts';
import { loadExchange, loadIndex } from './data.ts';
import { Evidence } from './evidence.tsx';
import { Explorer } from './explorer.tsx';
import { unfold } from './folded.ts';
import { checkRows, exchangeRows } from './lists.tsx';
import { MatrixFilter } from './matrix-filter.tsx';
import { ReviewForm, ReviewView } from './review.tsx';
import { ReviewStore } from './review-store.ts';
import { Requirement } from './requirement.tsx';
import { parseRoute } from './route.ts';
import { Tools } from './tools.tsx';
import { createViews } from './views.ts';
import type { Views } from './views.ts';
import './style.css';

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

interface App {
  readonly data: PageData;
  readonly views: Views;
  readonly nav: HTMLElement;
  readonly title: string;
}

/** Sections of the present route; the rest of the page is plain HTML that was there before. */
function draw(app: App, hash: string, first: boolean): void {
  const { data, views } = app;
  const { name, parameters } = parseRoute(hash);
  const query = parameters.get('q') ?? '';
  const into = (id: string, content: ComponentChild): void => {
    render(content, views.element(id));
    views.show(id);
  };
  let heading = true;
  if (name === 'checks') {
    into(
      'checks',
      <Explorer
        view="checks"
        title="All checks"
        noun="checks"
        rows={rowsOf(app).checks}
        query={query}
        terms={CHECK_TERMS}
      />,
    );
  } else if (name === 'exchanges') {
    into(
      'exchanges',
      <Explorer
        view="exchanges"
        title="Exchanges"
        noun="exchanges"
        rows={rowsOf(app).exchanges}
        query={query}
        terms={EXCHANGE_TERMS}
      />,
    );
  } else if (name === 'review') {
    into('review', <ReviewView store={storeOf(data)} data={data} />);
  } else if (name.startsWith('x-')) {
    const id = data.exchanges.find(([one]) => `x-${one.replace(/[^\w./-]/g, '_')}` === name)?.[0];
    into('evidence', <Evidence data={data} id={id ?? name.slice(2)} load={loaderOf(data)} />);
  } else if (name.startsWith('r-')) {
    const requirement = data.requirements.find(
      ({ id }) => `r-${id.replace(/[^\w./-]/g, '_')}` === name,
    );
    into(
      'requirement',
      requirement === undefined ? (
        <p>This run has no such requirement.</p>
      ) : (
        <Requirement data={data} requirement={requirement} />
      ),
    );
  } else {
    heading = showWritten(app, name, query);
  }
  follow(app, first, heading);
}

/** Shows a section that is plain HTML, and the place in it that the fragment names. */
function showWritten({ data, views }: App, name: string, query: string): boolean {
  const view = name === '' ? 'summary' : (views.holding(name) ?? 'summary');
  if (view === 'requirements') {
    const element = views.element(view);
    const place = element.querySelector('[data-app="matrix-filter"]');
    if (place !== null) render(<MatrixFilter data={data} view={element} query={query} />, place);
  }
  views.show(view);
  if (view === name || name === '') return true;
  const target = document.getElementById(name);
  if (target === null) return true;
  if (target instanceof HTMLDetailsElement) target.open = true;
  for (
    let at = target.closest('details');
    at !== null;
    at = at.parentElement?.closest('details') ?? null
  )
    at.open = true;
  // Only a fragment change makes the browser look for the target, and then it was not in the document yet.
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
  target.scrollIntoView();
  return false;
}

/** Title, mark in the navigation and focus follow the view. */
function follow({ views, nav, title }: App, first: boolean, heading: boolean): void {
  const element = views.element(views.current);
  const place = element.querySelector('h2')?.textContent ?? '';
  document.title = views.current === 'summary' ? title : `${place}: ${title}`;
  const parent =
    { evidence: 'exchanges', requirement: 'requirements' }[views.current] ?? views.current;
  for (const link of nav.querySelectorAll('a')) {
    if (link.getAttribute('href') === `#${parent}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (searching) {
    searching = false;
    element.querySelector<HTMLElement>('.search-field')?.focus();
    return;
  }
  if (first || !heading) return;
  scrollTo(0, 0);
  const target = element.querySelector<HTMLElement>('h2') ?? element;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

type Loader = (id: string) => ReturnType<typeof loadExchange>;
let loader: Loader | undefined;
function loaderOf(data: PageData): Loader {
  loader ??= (id) => loadExchange(data, id);
  return loader;
}

let store: ReviewStore | undefined;
function storeOf(data: PageData): ReviewStore {
  store ??= new ReviewStore(data);
  return store;
}

let rows:
  { checks: ReturnType<typeof checkRows>; exchanges: ReturnType<typeof exchangeRows> } | undefined;
function rowsOf({ data }: App): NonNullable<typeof rows> {
  rows ??= { checks: checkRows(data), exchanges: exchangeRows(data) };
  return rows;
}

/** Links to the views that only the script has. */
function addLinks(nav: HTMLElement): void {
  const list = nav.querySelector('ul');
  const last = list?.lastElementChild;
  for (const [href, words] of [
    ['#checks', 'All checks'],
    ['#review', 'Review'],
  ] as const) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = href;
    link.textContent = words;
    item.append(link);
    list?.insertBefore(item, last ?? null);
  }
}

/** Buttons at what stands in the page already. */
function addButtons(data: PageData, main: HTMLElement): void {
  for (const command of main.querySelectorAll<HTMLElement>('pre.command')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    const name = command.closest('dd')?.previousElementSibling?.textContent ?? 'command';
    button.setAttribute('aria-label', `Copy: ${name}`);
    button.addEventListener('click', () => void copyText(command.textContent ?? ''));
    command.after(button);
  }
  for (const article of main.querySelectorAll<HTMLElement>('article[data-cause]')) {
    const cause = article.dataset['cause'] ?? '';
    const place = document.createElement('div');
    article.append(place);
    render(<ReviewForm store={storeOf(data)} cause={cause} />, place);
  }
}

/** Set when the next view is shown for its search. */
let searching = false;

/** Keys: `/` to the search, `j` and `k` between findings. */
function onKey(app: App, event: KeyboardEvent): void {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
  if (event.key === '/') {
    event.preventDefault();
    const field = document.querySelector<HTMLElement>('.search-field');
    if (field !== null) field.focus();
    else {
      searching = true;
      location.hash = '#checks';
    }
  } else if ((event.key === 'j' || event.key === 'k') && app.views.current === 'summary') {
    const articles = [...document.querySelectorAll<HTMLElement>('article.finding')];
    const now = articles.findIndex((one) => one.contains(document.activeElement));
    const next = articles[event.key === 'j' ? now + 1 : Math.max(0, now - 1)];
    if (next === undefined) return;
    next.tabIndex = -1;
    next.focus();
  }
}

async function start(): Promise<void> {
  const main = document.getElementById('main');
  const nav = document.querySelector('nav');
  const tools = document.getElementById('tools');
  if (main === null || nav === null || tools === null) return;
  const data = await loadIndex();
  addButtons(data, main);
  addLinks(nav);
  // The list of the explorer takes the place of the plain one.
  main.querySelector('#exchanges')?.replaceChildren();
  const app: App = { data, nav, views: createViews(main), title: document.title };
  render(<Tools />, tools);
  draw(app, location.hash, true);
  addEventListener('hashchange', () => draw(app, location.hash, false));
  addEventListener('keydown', (event) => onKey(app, event));
  let refold = (): void => undefined;
  addEventListener('beforeprint', () => {
    app.views.showAll();
    refold = unfold(app.views.element('requirements'));
    for (const one of main.querySelectorAll<HTMLDetailsElement>('article details:not(.review)'))
      one.open = true;
  });
  addEventListener('afterprint', () => {
    refold();
    draw(app, location.hash, true);
  });
  document.documentElement.dataset['ready'] = String(Math.round(performance.now()));
}

// Without the script the page is complete as it stands; a browser that cannot unpack the data keeps it that way.
void start().catch((error: unknown) => {
  document.documentElement.dataset['failed'] = String(error);
});
