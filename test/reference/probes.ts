import { ENDPOINT_PATHS } from '../../src/spec/endpoints.ts';
import { DAY } from '../../src/spec/time.ts';
import { textOf } from '../../src/reference/json.ts';
import type { Reference, ReferenceAnswer } from '../../src/reference/reference.ts';
import { nearKeys, WORD_KEYS } from '../../src/spec/near-keys.ts';
import { furtherPaths, goodPaths, OPEN_MARKET, start, world, type Fixture } from './client.ts';
import type { ReferenceOptions } from '../../src/reference/reference.ts';

const id = world.currencyIds[0] ?? '';
const event = encodeURIComponent(world.macroEvents[0] ?? '');
const dateAt = (time: number): string => new Date(time).toISOString().slice(0, 10);
const old = OPEN_MARKET - 130 * DAY;
const market = encodeURIComponent(textOf(world.pairs(id, OPEN_MARKET)?.[0]?.['market']));
const K = `/currencies/${id}/klines?interval=1d`;
const S = `/crypto-stocks/${world.stockTickers[0]}/klines?interval=1d`;
const P = `/currencies/${id}/pairs?`;
const N = '/news?';
const F = '/news/featured?';
const E = '/etfs/summary-history?symbol=BTC&country_code=US';
const H = `/etfs/${world.etfs.find((etf) => etf.country === 'US')?.ticker}/history?`;
const M = `/macro/events/${event}/history?`;

const klines = (path: string): string[] => [
  path.replace('?interval=1d', ''),
  ...['1h', '1w', '4h'].map((interval) => path.replace('=1d', `=${interval}`)),
  path.replace('=1d', '=1D'),
  ...['0', '-1', 'x', '5', '100', '500', '501'].map((limit) => `${path}&limit=${limit}`),
  `${path}&start_time=${old}`,
  `${path}&start_time=${OPEN_MARKET - 9 * DAY}&end_time=${OPEN_MARKET - 4 * DAY}`,
  `${path}&start_time=${OPEN_MARKET - 4 * DAY}&end_time=${OPEN_MARKET - 9 * DAY}`,
];
const history = (path: string): string[] => [
  ...['0', '-1', 'x', '3', '50', '300', '301', '2147483648'].map(
    (limit) => `${path}&limit=${limit}`,
  ),
  `${path}&start_date=${dateAt(OPEN_MARKET - 100 * DAY)}`,
  `${path}&start_date=${dateAt(OPEN_MARKET - 9 * DAY)}&end_date=${dateAt(OPEN_MARKET - 4 * DAY)}`,
  `${path}&end_date=nonsense`,
];

/** The last page of a list, in a size that leaves it not full. */
function lastPage(path: string): string {
  const total = Number(start().body(path)['total']);
  const size = [97, 89, 83, 7, 4].find((one) => total > one && total % one > 0) ?? 1;
  return `${path}page=${Math.ceil(total / size)}&page_size=${size}`;
}

/** Requests that between them show everything the specification says about contents. */
const CONTENT_PATHS: readonly string[] = [
  ...goodPaths(),
  ...ENDPOINT_PATHS.flatMap(furtherPaths),
  ...klines(K),
  ...klines(S),
  ...['999', 'x'].map((page) => `${P}page=${page}`),
  lastPage(P),
  lastPage(N),
  `${N}page=100000`,
  `${N}start_time=${OPEN_MARKET - 4 * DAY}&end_time=${OPEN_MARKET - 5 * DAY}`,
  `${P}page_size=40`,
  ...['price', 'colour'].map((field) => `${P}order_by=${field}`),
  `${P}exchange=${market}`,
  `${P}exchange=${market}&page=2&page_size=2`,
  `${P}exchange=${market}&page_size=100`,
  ...['ja', 'fr', 'xx', 'zh', 'tc', 'tr', 'pt'].map(
    (language) => `${N}language=${language}&page_size=100`,
  ),
  ...['2', '13', '5', '1,3'].map((category) => `${N}category=${category}`),
  `${N}currency_id=${id}`,
  `${N}currency_id=${id}&category=2`,
  `${N}currency_id=${id}&category=1&language=ru`,
  `${N}currency_id=${id}&language=tc`,
  `${N}language=ja`,
  `${N}start_time=${OPEN_MARKET - 30 * DAY}&end_time=${OPEN_MARKET - 9 * DAY}`,
  ...['x', '40', '201'].map((size) => `${N}page_size=${size}`),
  `${N}start_time=${OPEN_MARKET - 20 * DAY}`,
  `${N}start_time=${OPEN_MARKET - 5 * DAY}&end_time=${OPEN_MARKET - 4 * DAY}`,
  `${F}page=1`,
  `${F}page_size=20`,
  ...['ja', 'xx'].map((language) => `${F}page=1&page_size=20&language=${language}`),
  `${F}page=1&page_size=20&language=ja&category=1`,
  `${F}page=1&page_size=1`,
  ...['2', '2,13'].map((category) => `${F}page=1&page_size=20&category=${category}`),
  ...['BTC', 'btc', 'Btc', 'DOT', 'XRP', 'ADA', ''].map(
    (symbol) => `/etfs/summary-history?symbol=${symbol}&country_code=US`,
  ),
  ...['us', 'hk', 'hK', 'Hk', 'CN'].flatMap((country) =>
    ['BTC', 'ltc'].map(
      (symbol) => `/etfs/summary-history?symbol=${symbol}&country_code=${country}`,
    ),
  ),
  '/etfs/summary-history?symbol=btc&country_code=Hk',
  ...['SOL', 'ETH', 'DOT', 'AVAX'].map(
    (symbol) => `/etfs/summary-history?symbol=${symbol}&country_code=HK`,
  ),
  ...['LINK', 'HBAR', 'BT', 'XBT', 'SOLANA'].map(
    (symbol) => `/etfs/summary-history?symbol=${symbol}&country_code=US`,
  ),
  ...['uS', 'USA', 'CA'].map(
    (country) => `/etfs/summary-history?symbol=BTC&country_code=${country}`,
  ),
  '/etfs/summary-history?symbol=Btc&country_code=us',
  '/etfs/summary-history?symbol=LTC&country_code=HK',
  '/etfs/summary-history?country_code=US',
  '/etfs/summary-history?symbol=BTC',
  ...history(E),
  // Entities that are written unlike the first ones.
  '/etfs/3042.HK/history',
  '/indices/AI/constituents',
  '/indices/PAYFI/constituents',
  `/currencies/${world.currencyIds.find((one) => one.endsWith('1'))}/fundraising`,
  '/indices/!not-an-id!/klines',
  '/crypto-stocks/HUT/market-snapshot',
  '/crypto-stocks/sector/Payments/index',
  ...history(H),
  `${M}limit=5`,
  `${M}start_date=${dateAt(OPEN_MARKET - 300 * DAY)}`,
  `${M}start_date=${dateAt(OPEN_MARKET - 900 * DAY)}&end_date=${dateAt(OPEN_MARKET - 300 * DAY)}`,
  `${P}exchange=${market.toLowerCase()}`,
  '/currencies/1',
  '/currencies/abc',
  '/currencies/abc/klines?interval=1d',
  '/currencies/1/market-snapshot',
  '/etfs/NOPE/history',
  '/crypto-stocks/NOPE/market-snapshot',
  '/analyses/nope',
  '/nope',
  '/news/search',
];

type Step = (reference: Reference, advance: (ms: number) => void) => ReferenceAnswer;

const send =
  (path: string, key?: (reference: Reference) => string | null, header = 'X-API-KEY'): Step =>
  (reference) => {
    const value = key === undefined ? (reference.keys.valid[0] ?? '') : key(reference);
    return reference.handle({
      method: 'GET',
      path: `/v1${path}`,
      headers: value === null ? {} : { [header]: value },
    });
  };
const other =
  (method: string): Step =>
  (reference) =>
    reference.handle({
      method,
      path: '/v1/etfs',
      headers: { 'X-API-KEY': reference.keys.valid[0] ?? '' },
    });
/** Moves the clock, then sends. */
const after =
  (ms: number, step: Step): Step =>
  (reference, advance) => {
    advance(ms);
    return step(reference, advance);
  };

const BAD_KEYS: readonly ((reference: Reference) => string | null)[] = [
  ...[0, 1, 2].map(
    (form) =>
      ({ keys }: Reference) =>
        nearKeys(keys.valid[0] ?? '')[form] ?? '',
  ),
  ...WORD_KEYS.map((word) => () => word),
  () => '',
  () => null,
  () => 'no-such-key',
  ({ keys }) => keys.disabled,
  ({ keys }) => keys.expired,
  ({ keys }) => keys.restricted.key,
];

const contents = CONTENT_PATHS.map((path) => send(path));
const access = BAD_KEYS.flatMap((key) =>
  [
    '/nope',
    `${N}page=2`,
    `${F}page=2&page_size=20`,
    `${P}page=2`,
    ...goodPaths(),
    ...goodPaths().map((path) => `${path}${path.includes('?') ? '&' : '?'}language=en`),
  ].map((path) => send(path, key)),
);
const burstOf = (key: number): readonly Step[] =>
  Array.from({ length: 23 }, () => send('/etfs', ({ keys }) => keys.valid[key] ?? ''));
const burst = burstOf(0);

interface Scene {
  readonly options: ReferenceOptions;
  readonly steps: readonly Step[];
}

/** Scenes, each played on a fresh server. The first differing answer of two servers ends a comparison. */
const SCENES: readonly Scene[] = [
  {
    options: {},
    steps: [
      // What most servers differ in comes first.
      ...contents,
      ...access,
      send('/etfs', undefined, 'x-api-key'),
      send('/etfs', undefined, 'X-Api-Key'),
      ...['HEAD', 'POST'].map(other),
      after(60_000, send('/indices')),
      send('/etfs', ({ keys }) => keys.expired),
      after(DAY, send(H)),
    ],
  },
  {
    options: { limit: 20 },
    steps: [
      // What is left of the window is no whole number of seconds.
      after(13_400, send('/etfs')),
      ...burst,
      send('/currencies/abc', ({ keys }) => keys.valid[1] ?? ''),
      ...Array.from({ length: 7 }, () => send('/etfs', ({ keys }) => keys.nearQuota.key)),
      ...Array.from({ length: 3 }, () => after(20_000, send('/etfs'))),
      after(30_000, send('/etfs')),
      ...burst,
      ...burstOf(1),
    ],
  },
];

/** An answer as text, its body as it is: most are long, and hundreds of servers are compared. */
const told = ({ status, headers, body }: ReferenceAnswer): string =>
  `${status} ${JSON.stringify(headers)} ${body}`;

/** A scene as the server without faults plays it, as far as anybody asked for it. */
class Plain {
  readonly #steps: readonly Step[];
  readonly #server: Fixture;
  readonly #answers: { readonly answer: ReferenceAnswer; readonly text: string }[] = [];

  constructor({ options, steps }: Scene) {
    this.#steps = steps;
    this.#server = start(options);
  }

  /** The answer to a step, and the same as text. */
  at(index: number): { readonly answer: ReferenceAnswer; readonly text: string } {
    for (const step of this.#steps.slice(this.#answers.length, index + 1)) {
      const answer = step(this.#server.reference, (ms) => this.#server.clock.advance(ms));
      this.#answers.push({ answer, text: told(answer) });
    }
    const played = this.#answers[index];
    if (played === undefined) throw new Error(`The scene has no step ${index}.`);
    return played;
  }
}

/** Played once: hundreds of servers are compared with them. */
const PLAIN = SCENES.map((scene) => ({ scene, plain: new Plain(scene) }));

/** Places of the contents that showed a difference lately: faults that stand together differ alike. */
const recent: number[] = [];
const RECENT = 12;

function noteRecent(place: number): void {
  const known = recent.indexOf(place);
  if (known !== -1) recent.splice(known, 1);
  recent.unshift(place);
  recent.length = Math.min(recent.length, RECENT);
}

/** What a server with `options` answers differently from one without; undefined when nothing differs. */
export function firstDifference(
  options: ReferenceOptions,
): { readonly with: ReferenceAnswer; readonly without: ReferenceAnswer } | undefined {
  // Alone, without the ones before it, a request has another count of the limiter in its headers, and the same content.
  const quick = start(options);
  for (const place of recent) {
    const without = PLAIN[0]?.plain.at(place).answer;
    const answer = contents[place]?.(quick.reference, (ms) => quick.clock.advance(ms));
    if (answer === undefined || without === undefined) continue;
    if (answer.status !== without.status || answer.body !== without.body) {
      noteRecent(place);
      return { with: answer, without };
    }
  }
  for (const [number, { scene, plain }] of PLAIN.entries()) {
    const changed = start({ ...scene.options, ...options });
    for (const [index, step] of scene.steps.entries()) {
      const answer = step(changed.reference, (ms) => changed.clock.advance(ms));
      const usual = plain.at(index);
      if (told(answer) !== usual.text) {
        if (number === 0 && index < contents.length) noteRecent(index);
        return { with: answer, without: usual.answer };
      }
    }
  }
  return undefined;
}

/** What part of all answers a server with `options` gives differently from one without, 0 to 1. */
export function shareOfDifferent(options: ReferenceOptions): number {
  let [all, different] = [0, 0];
  for (const { scene, plain } of PLAIN) {
    const { reference, clock } = start({ ...scene.options, ...options });
    for (const [index, step] of scene.steps.entries()) {
      const answer = step(reference, (ms) => clock.advance(ms));
      all += 1;
      if (told(answer) !== plain.at(index).text) different += 1;
    }
  }
  return different / all;
}
