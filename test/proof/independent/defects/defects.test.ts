import { describe, expect, it } from 'vitest';
import { serviceOf, type Incoming } from '../conduct/service.ts';
import { keysOf } from '../conduct/keys.ts';
import { textOf } from '../core/json.ts';
import { LANGUAGES } from '../data/news.ts';
import { SYMBOLS } from '../data/etfs.ts';
import { ENDPOINTS } from '../endpoints/table.ts';
import { worldOf } from '../worlds/world.ts';
import type { Defect } from './defect.ts';
import { DEFECTS } from './index.ts';

const world = worldOf(1);
const keys = keysOf(world);
/** A Wednesday, while the exchanges of the US are open: the newest ETF row is not settled. */
const NOW = Date.UTC(2026, 10, 18, 18);
const DAY = 86_400_000;

const NAMES: Readonly<Record<string, readonly string[]>> = {
  currency_id: ['1', '1027', '1040', '987654321'],
  ticker: ['BTCW', 'ETHX', 'NOPE'],
  stock_ticker: ['MSTR', 'COIN', 'NOPE'],
  event: ['Nonfarm Payrolls', 'CPI YoY', 'Nothing'],
  sector_name: ['Exchanges'],
  index_ticker: ['SSLAYER1'],
  chart_name: ['etf_flows'],
  project_id: ['9120000'],
};

const day = (back: number): string => new Date(NOW - back * DAY).toISOString().slice(0, 10);

const RANGES = (unit: 'time' | 'date'): string[] => {
  const at = (back: number): string => (unit === 'time' ? String(NOW - back * DAY) : day(back));
  return [
    `start_${unit}=${at(12)}`,
    `end_${unit}=${at(8)}`,
    `start_${unit}=${at(12)}&end_${unit}=${at(8)}`,
    `start_${unit}=${at(300)}&end_${unit}=${at(290)}`,
    `start_${unit}=soon`,
    'limit=5',
    'limit=0',
    'limit=ten',
    'limit=100',
    'limit=101',
    'limit=300',
    'limit=500',
  ];
};

const PAGES = [
  'page=1&page_size=20',
  'page=2&page_size=20',
  'page=3&page_size=20',
  'page=1&page_size=100',
  'page=99&page_size=20',
  'page=1&page_size=300',
  'page=1&page_size=5',
  'page=x&page_size=20',
  'page=0&page_size=20',
  'page=-1&page_size=20',
  'page=1&page_size=0',
  'page=1&page_size=x',
  'page=1',
  'page_size=20',
  'page=5000&page_size=20',
  'page_size=50',
];

function queriesOf(template: string): string[] {
  if (template.endsWith('/klines') && !template.startsWith('/indices')) {
    return [
      'interval=1d',
      'interval=1h',
      'interval=x',
      '',
      ...RANGES('time').map((one) => `interval=1d&${one}`),
    ];
  }
  if (template.endsWith('/pairs')) {
    return [
      '',
      ...PAGES,
      'exchange=Kraken',
      'exchange=Kraken&page_size=5',
      'exchange=Kraken&page=2&page_size=5',
    ];
  }
  if (template === '/etfs/summary-history') {
    const listings = SYMBOLS.flatMap((symbol) =>
      ['US', 'HK'].map((country) => `symbol=${symbol}&country_code=${country}`),
    );
    const others = [
      'symbol=btc&country_code=us',
      'symbol=bTc&country_code=US',
      'symbol=ZZZ&country_code=US',
    ];
    const missing = ['symbol=BTC&country_code=GB', 'symbol=BTC', 'country_code=US'];
    return [
      ...listings,
      ...others,
      ...missing,
      ...RANGES('date').map((one) => `symbol=BTC&country_code=US&${one}`),
    ];
  }
  if (template.endsWith('/history')) return ['', ...RANGES('date')];
  if (template === '/news' || template === '/news/featured') {
    const filters = [
      ...['1', '2', '3', '4', '7', '13', '99', '2,3'].map((one) => `category=${one}`),
      ...[...LANGUAGES, 'xx'].map((one) => `language=${one}`),
      'currency_id=1',
      `start_time=${NOW - 2 * DAY}`,
      `end_time=${NOW - 2 * DAY}`,
      `start_time=${NOW - 20 * DAY}`,
      'start_time=soon',
      'category=2&language=ru',
      'category=1&page=2',
      'language=ru&page=2',
    ];
    const paged = template === '/news' ? '' : '&page=1&page_size=20';
    return [
      '',
      ...PAGES,
      ...filters.map((one) => `${one}${one.includes('page=') ? '&page_size=20' : paged}`),
    ];
  }
  return ['', 'keyword=a'];
}

function pathsOf(template: string): string[] {
  const name = /\{([a-z_]+)\}/.exec(template)?.[1];
  if (name === undefined) return [template];
  return (NAMES[name] ?? []).map((value) =>
    template.replace(`{${name}}`, encodeURIComponent(value)),
  );
}

type Request = Omit<Incoming, 'count'>;

/** Requests that belong together; each set is asked of a service of its own. */
interface Batch {
  readonly name: string;
  readonly requests: readonly Request[];
}

let minute = 0;

function request(pathname: string, query: string, key: string | undefined): Request {
  return {
    method: 'GET',
    pathname,
    query: new URLSearchParams(query),
    key,
    now: NOW + minute * 61_000,
  };
}

const valid = keys.valid[0];

/** Everything an endpoint is asked, every request in a minute of its own, and what it says to bad keys. */
function batchOf(template: string): Batch {
  const requests: Request[] = [];
  for (const path of pathsOf(template)) {
    for (const query of queriesOf(template)) {
      requests.push(request(path, query, valid));
      minute += 1;
    }
  }
  const path = pathsOf(template)[0] ?? '';
  const query = queriesOf(template).find((one) => one !== '') ?? '';
  const made = [`${valid}x`, valid?.slice(0, -1), valid?.toUpperCase()];
  const bad = [
    undefined,
    'unknown',
    '',
    'null',
    ...made,
    keys.disabled,
    keys.expired,
    keys.restricted,
  ];
  for (const key of bad) requests.push(request(path, query, key));
  requests.push(request(path, '', keys.restricted));
  minute += 1;
  for (let n = 0; n < 5; n += 1) requests.push(request(path, query, keys.valid[1]));
  minute += 1;
  return { name: template, requests };
}

/** A window to its end and on into the next ones, mostly on one path. */
function window(path: string, query: string): Batch {
  const requests: Request[] = [];
  const ask = (where: string, what: string, key: string | undefined, times: number): void => {
    for (let n = 0; n < times; n += 1) requests.push(request(where, what, key));
  };
  ask(path, query, valid, 34);
  ask('/etfs', '', valid, 1);
  ask('/news', 'page=2', valid, 1);
  ask('/indices', '', keys.valid[1], 1);
  minute += 0.6;
  ask('/indices', '', valid, 1);
  minute += 0.6;
  ask('/indices', '', valid, 17);
  ask('/indices', '', keys.valid[1], 9);
  minute += 1.7;
  ask('/indices', '', valid, 24);
  minute += 5;
  return { name: `limit header refusal ${path}`, requests };
}

function batches(): Batch[] {
  const strays = [
    request('/news', 'page=2', undefined),
    request('/news', 'page=2', keys.expired),
    request('/nowhere', '', valid),
    request('/currencies/1/nothing', '', valid),
  ];
  const quota = Array.from({ length: 8 }, () => request('/analyses', '', keys.nearQuota));
  return [
    ...ENDPOINTS.map(({ template }) => batchOf(template)),
    { name: 'wrong page', requests: strays },
    { name: 'quota', requests: quota },
    window('/indices', ''),
    window('/analyses', ''),
    window('/news', 'page=2'),
    window('/news/hot', ''),
    window('/etfs', ''),
  ];
}

function answers(
  batch: Batch,
  until: (n: number, text: string) => boolean,
  defect?: Defect,
): boolean {
  const service = serviceOf(world, defect);
  return batch.requests.some((one, n) => {
    const { status, headers, body } = service.answer({ ...one, count: n + 1 });
    return until(n, `${status} ${JSON.stringify(headers)} ${textOf(body)}`);
  });
}

/** Batches, those first whose name shares most words with the id of a defect. */
function likelyFirst(all: readonly Batch[], { id }: Defect): Batch[] {
  const words = id.split('-').map((word) => word.replace(/s$/, ''));
  const score = (batch: Batch): number => words.filter((word) => batch.name.includes(word)).length;
  return all.toSorted((a, b) => score(b) - score(a));
}

describe('defects', () => {
  it('have ids of their own', () => {
    const ids = DEFECTS.map(({ id }) => id);
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
  });

  it('say in one sentence what is wrong', () => {
    for (const { id, text } of DEFECTS) {
      expect([id, text]).toEqual([id, expect.stringMatching(/^\S.*\.$/)]);
    }
  });

  it('take hold: each changes at least one answer of the default world', () => {
    const all = batches();
    const right = new Map<Batch, string[]>();
    const rightOf = (batch: Batch): string[] => {
      const known = right.get(batch) ?? [];
      if (known.length === 0) {
        answers(batch, (_n, text) => known.push(text) < 0);
        right.set(batch, known);
      }
      return known;
    };
    const idle = DEFECTS.filter(
      (defect) =>
        !likelyFirst(all, defect).some((batch) => {
          const expected = rightOf(batch);
          return answers(batch, (n, text) => text !== expected[n], defect);
        }),
    );
    expect(idle.map(({ id }) => id)).toEqual([]);
  });
});
