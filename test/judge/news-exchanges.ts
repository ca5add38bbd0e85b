import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { Exchange } from '../../src/spec/exchange.ts';
import type { RequirementId } from '../../src/spec/requirement-id.ts';
import { contextOf } from '../../src/judge/context.ts';
import { DEFAULT_FACTS } from '../../src/judge/facts.ts';
import type { Judged, Judgement } from '../../src/judge/judgement.ts';
import { viewOf } from '../../src/judge/view.ts';
import { judgedBy, ownRules } from './own-rules.ts';

/** When the answers arrived by default. */
export const NOW = Date.parse('2026-01-07T12:00:00Z');
const MINUTE = 60_000;

export type Item = Record<string, unknown>;

/** A conforming news item; the higher the number, the older. */
export function item(number: number, changes: Item = {}): Item {
  return {
    id: `n${number}`,
    source_link: `https://platform.example/${number}`,
    original_link: '',
    release_time: NOW - number * 10 * MINUTE,
    title: 'The market waits for the decision of the central bank',
    content: `<p>The market was quiet and traders have been waiting for news that would move it (${number}).</p>`,
    author: `author_${number % 3}`,
    author_description: 'Writes about markets.',
    author_avatar_url: 'https://cdn.example/a.png',
    impression_count: 10,
    like_count: 0,
    reply_count: 1,
    repost_count: 1,
    category: [1, 2, 3][number % 3],
    feature_image: 'https://cdn.example/c.png',
    nick_name: 'Author',
    is_blue_verified: 1,
    verified_type: 'Business',
    matched_currencies: [{ id: '101', full_name: 'Bitcoin', name: 'BTC' }],
    tags: [],
    media_info: [],
    quote_info: null,
    ...changes,
  };
}

/** Conforming news with these numbers. */
export const items = (from: number, count: number, changes: Item = {}): Item[] =>
  Array.from({ length: count }, (_, index) => item(from + index, changes));

const EXCLUDED = ['original_link', 'impression_count', 'like_count', 'reply_count', 'repost_count'];

/** The same as featured news. */
export const asFeatured = (list: readonly Item[]): Item[] =>
  list.map((one) =>
    Object.fromEntries(Object.entries(one).filter(([key]) => !EXCLUDED.includes(key))),
  );

interface Options {
  readonly query?: Readonly<Record<string, string>>;
  readonly endpoint?: EndpointPath;
  readonly status?: number;
  /** Arrival, ms after NOW. */
  readonly after?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

let count = 0;

/** An exchange with a body: a value, or the text itself. */
export function exchange(body: unknown, options: Options = {}): Exchange {
  const { query = {}, endpoint = '/news', status = 200, after = 0, headers = {} } = options;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  count += 1;
  return {
    id: `x${count}`,
    endpoint,
    pathParameters: options.pathParameters ?? {},
    role: 'valid',
    key: 'k:1',
    request: {
      method: 'GET',
      url: `http://target.test${endpoint}`,
      path: endpoint,
      query: Object.entries(query),
      headers: {},
    },
    response: { status, headers, text, bytes: text.length },
    error: null,
    sentAt: NOW + after - 5,
    receivedAt: NOW + after,
    skewMs: 0,
    attempt: 1,
  };
}

/** The answer of `/news` with these items, of 500 in all by default. */
export const news = (
  list: unknown,
  query: Readonly<Record<string, string>> = {},
  options: Options = {},
  total = 500,
): Exchange => exchange({ page: 1, page_size: 20, total, list }, { query, ...options });

/** The answer of `/news/featured` with these items. */
export const featured = (
  list: unknown,
  query: Readonly<Record<string, string>> = {},
  options: Options = {},
  total = 500,
): Exchange =>
  news(
    list,
    { page: '1', page_size: '20', ...query },
    { endpoint: '/news/featured', ...options },
    total,
  );

/** An error answer of `/news`. */
export const refusal = (
  status: number,
  code: number,
  query: Readonly<Record<string, string>>,
): Exchange => exchange({ code, message: 'x', details: {} }, { query, status });

const RULES = ownRules(/^4\.2\/|^2\.7\//);

/** What the rules on news say about some exchanges. */
export function judge(exchanges: readonly Exchange[], envelope: string | null = null): Judgement {
  const facts = { ...DEFAULT_FACTS, envelope };
  const context = contextOf(facts, exchanges);
  const views = exchanges.flatMap((one) => viewOf(one, facts) ?? []);
  return judgedBy(RULES, views, context);
}

/** What was judged about one requirement, if anything was. */
export const judgedOf = (exchanges: readonly Exchange[], id: RequirementId): Judged | undefined =>
  judge(exchanges).requirements.get(id);

/** Pointers of the findings about one requirement; `undefined` when it was not judged at all. */
export const pointersOf = (
  exchanges: readonly Exchange[],
  id: RequirementId,
): (string | null)[] | undefined => judgedOf(exchanges, id)?.findings.map(({ pointer }) => pointer);
