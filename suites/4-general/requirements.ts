import {
  identifierOf,
  requiredQuery,
  type EndpointPath,
  endpoint,
  ENDPOINT_PATHS,
} from '../../src/spec/endpoints.ts';
import { type SeriesFacts, SERIES } from '../../src/judge/series.ts';
import {
  PLAIN_QUERY,
  type Answer,
  type CheckContext,
  type Query,
  alone,
  each,
  part,
  plain,
  plainOf,
  Untested,
} from '../../src/ask/index.ts';
import { currencyOfPages, PAIRS } from '../4.1-currencies/requests.ts';
import { byAnyKey, byRestrictedKey } from '../families/restricted-key-requests.ts';
import { invertedRange } from '../families/series-requests.ts';
import { STATUS } from '../../src/spec/finding.ts';
import { isJudgeable } from '../../src/judge/context.ts';
import { describeAnswer } from '../../src/judge/errors.ts';
import { mayBeFirewall } from '../../src/judge/origin/hostile.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { bodyFault, isBlank, isMaintenance } from '../../src/judge/transport.ts';
import type { View } from '../../src/judge/view.ts';
import { othersElsewhere } from '../5-authentication/requests.ts';
import { IDENTIFIED } from '../7-errors/unknown-id-requests.ts';
import { PAGED } from '../../src/judge/pages.ts';
import { must, should, observe, type Definition } from '../../src/requirements/definition.ts';

// Requests with nothing to return: a page beyond the last, a range that ends before it starts, an odd identifier. Any
// answer is fine except a server failure.

/** How to send such a request: {@link byRestrictedKey} or {@link byAnyKey}. */
type By = typeof byRestrictedKey;

const ODD_ID = '!not-an-id!';
/** No list has this many pages. */
const FAR_PAGE = 100_000;

/** A page far beyond the last. */
export const farBeyond =
  (path: EndpointPath, by: By = byAnyKey) =>
  async (context: CheckContext): Promise<Answer> => {
    const query = { ...requiredQuery(path), page: FAR_PAGE };
    const entity = path === PAIRS ? await currencyOfPages(context.api) : {};
    return by(context, path, query, { path: entity, anyAnswer: true });
  };

/** A range that ends before it starts. */
const endingFirst =
  (series: SeriesFacts, by: By = byAnyKey) =>
  (context: CheckContext): Promise<Answer> => {
    const query = { ...requiredQuery(series.endpoint), ...invertedRange(series, context) };
    return by(context, series.endpoint, query, { anyAnswer: true });
  };

/** Bad values of parameters, with the restricted key. Its control is the plain request with a valid one. */
const withBadValues =
  (path: EndpointPath) =>
  (bad: Query, context: CheckContext): Promise<Answer> => {
    const usual = PLAIN_QUERY[path];
    const good = Object.fromEntries(Object.keys(bad).map((name) => [name, usual[name]]));
    const options = { control: { query: good }, anyAnswer: true };
    return byRestrictedKey(context, path, { ...usual, ...bad }, options);
  };

/** An odd identifier, with the restricted key to save requests of valid keys. */
function misspelt(path: EndpointPath, context: CheckContext): Promise<Answer> {
  const { name } = identifierOf(path);
  // The target may accept it, so neither answer is a finding.
  context.session.doubtful(name, ODD_ID);
  const options = { path: { [name]: ODD_ID }, anyAnswer: true };
  return byRestrictedKey(context, path, requiredQuery(path), options);
}

/** Whether the service itself answered, with a body: not a firewall or a redirect. */
const isOfService = (view: View): boolean =>
  view.exchange.request.method === 'GET' &&
  (view.status < 300 || (view.status >= 400 && view.status < 500)) &&
  !isBlank(view) &&
  !mayBeFirewall(view);

/**
 * Ruling 20: no 5xx, except the documented 503 for maintenance (§7), which the client retries. Only a genuine answer
 * counts as a pass, not HTML, a blank body or a refusal by the limiter.
 */
export const no5xx = judgeEach((view, context, it) => {
  if (view.exchange.request.method !== 'GET' || isMaintenance(view)) return;
  if (view.status < 500 && (!isJudgeable(view, context) || !view.isJson || isBlank(view))) return;
  it.expect(view, view.status < 500, () => ({
    kind: 'server-error',
    expected: 'a status below 500',
    actual: `status ${view.status}`,
    header: STATUS,
  }));
});

/** One check per endpoint with its plain request. */
const PLAIN = plainOf(ENDPOINT_PATHS);

/** Endpoints with a stated response shape. */
const STATED = ENDPOINT_PATHS.filter((path) => endpoint(path).response.kind !== 'unstated');

/**
 * Requested again near the end of a long run, because a service may fail only after a window was exhausted. Other endpoints
 * have late requests for other reasons. The repeated request for pairs also shows wrong rate-limit headers of this endpoint.
 */
const ONCE_MORE = ['/currencies/{currency_id}/pairs', '/indices'] as const;

/** Requests with empty results. Sent with the restricted key too, where it has access, to save requests of valid keys. */
const EDGES = [
  ...PAGED.map(
    ({ endpoint: path }) =>
      [`${path}, far beyond the last page`, (by?: By) => farBeyond(path, by)] as const,
  ),
  ...SERIES.map(
    (series) =>
      [
        `${series.endpoint}, a range that ends before it begins`,
        (by?: By) => endingFirst(series, by),
      ] as const,
  ),
];

/** Has the form of a date. */
const NO_SUCH_DAY = '2026-02-30';

/**
 * Bad values, each of which may crash a server, whichever one it would refuse (ruling 8): so that none hides behind a
 * refusal of another, a request has few. Sent with the restricted key to save requests of valid keys.
 */
const BAD_VALUES = Object.entries({
  '/news/featured': [
    { page: 'abc', page_size: '', language: '', category: '' },
    { page: '', page_size: 'abc', language: 'xx', category: 'abc' },
    { page_size: -1 },
  ],
  '/macro/events/{event}/history': [
    { limit: 'abc', start_date: '', end_date: NO_SUCH_DAY },
    { limit: '', start_date: 'abc', end_date: '' },
    { limit: 0 },
  ],
  '/currencies/{currency_id}/klines': [
    { limit: '', start_time: '', end_time: 'abc' },
    { limit: -1 },
  ],
  '/currencies/{currency_id}/pairs': [{ page: -1, page_size: -1 }],
  '/crypto-stocks/{stock_ticker}/klines': [{ limit: 0, interval: '' }],
  '/etfs/summary-history': [{ limit: -1, country_code: '', end_date: NO_SUCH_DAY }],
  '/etfs/{ticker}/history': [{ limit: '', start_date: NO_SUCH_DAY }, { limit: 0 }],
  // Valid, but in a script that the plain request does not cover.
  '/news/search': [{ keyword: '比特币' }],
} as const satisfies Partial<Record<EndpointPath, readonly Query[]>>) as [
  EndpointPath,
  readonly Query[],
][];

/** Server errors are what is looked for. */
const whatever = { anyAnswer: true } as const;

/** Requirements of §1 and §4 in general. */
export const GENERAL_REQUIREMENTS = {
  '4/json-body': must({
    title: 'Every response of an endpoint is valid JSON',
    explains: 'bodies that are not JSON',
    clauses: ['1 JSON over HTTP', '4 JSON and key'],
    why: 'JSON parsers fail on anything else.',
    usually: [
      'A gateway or proxy answers with an HTML page: check the status and the `Server` header in the exchange.',
      'The body is empty, starts with a byte order mark, or contains two documents.',
      'A missing figure is sent as NaN or Infinity, neither of which is valid JSON.',
    ],
    checks: PLAIN,
    load: ['rl-exact', 'mix'],
    // §1, §4: every answer is JSON.
    judge: judgeEach((view, _context, it) => {
      if (!isOfService(view)) return;
      const fault = bodyFault(view);
      it.expect(view, fault === null, () => ({
        kind: fault?.kind ?? 'not-json',
        facts: { status: view.status },
        expected: fault?.expected ?? '',
        actual: fault?.actual ?? show(view.response.text.slice(0, 80)),
      }));
    }),
  }),
  '4/content-type': should({
    title: 'The content type of every response is JSON',
    clauses: ['1 JSON over HTTP'],
    why: 'Browsers and many clients use the content type to decide whether to parse the body.',
    usually: ['The server defaults to text/plain or text/html, often on errors only.'],
    checks: PLAIN,
    load: ['rl-exact', 'mix'],
    // §1: JSON is declared as such.
    judge: judgeEach((view, _context, it) => {
      if (!isOfService(view) || !view.isJson) return;
      const type = view.response.headers['content-type'] ?? '';
      it.expect(view, /^[\w.-]+\/[^;]*\bjson\b/i.test(type), () => ({
        kind: 'json-not-declared',
        expected: 'content-type: application/json',
        actual: type === '' ? 'no content-type' : `content-type: ${type}`,
        header: 'content-type',
      }));
    }),
  }),
  '4/bare-body': must({
    title: 'Bodies are the bare object or array, not wrapped in an envelope',
    clauses: ['4 response shapes'],
    rulings: [21],
    explains: 'wrapped bodies',
    why: 'Every generated client expects the object or array itself; an envelope breaks all of them.',
    usually: [
      'A framework or gateway wraps bodies in {code, message, data}. Set `envelope: data` to judge the content instead; the report then carries a note.',
      'Only errors are wrapped, or only lists.',
    ],
    checks: each(STATED, '%s', async (path, { api, session: { target } }) => {
      if (target.envelope !== null) {
        throw new Untested(
          `the target file sets the envelope "${target.envelope}"; the wrapped content is judged`,
        );
      }
      return plain(api, path);
    }),
    load: ['rl-exact', 'mix'],
    // Ruling 21: the bare body is specified.
    judge: judgeEach((view, context, it) => {
      if (!view.ok || !view.isJson || view.endpoint === null || isBlank(view)) return;
      if (view.endpoint.response.kind === 'unstated' || context.envelope !== null) return;
      it.expect(view, !view.wrapped, () => ({
        kind: 'wrapped-body',
        expected: 'the object or array of §2 itself; set `envelope: data` to judge the content',
        actual: `an object with the keys ${Object.keys(view.body as object).join(', ')}`,
      }));
    }),
  }),
  '4/no-5xx': must({
    title: 'No well-formed GET is answered with a 5xx status',
    clauses: ['4 response shapes', '7 500001'],
    explains: 'server errors',
    rulings: [20],
    why: 'A server error in response to a well-formed GET is always a defect of the service.',
    usually: [
      'An edge case, such as an empty window or the last page, is not handled.',
      'The back end times out under load; check whether a retry succeeded.',
    ],
    checks: [
      ...plainOf(ENDPOINT_PATHS, whatever),
      ...each(ONCE_MORE, '%s, once more at the end', async (path, { api }) => [
        await plain(api, path, whatever),
        await plain(api, path, { ...whatever, fresh: true }),
      ]),
      ...EDGES.flatMap(([what, ask]) => [
        part(what, ask()),
        part(`${what}, with the restricted key`, ask(byRestrictedKey)),
      ]),
      ...BAD_VALUES.flatMap(([path, values]) =>
        each(values, `${path} with %j, with the restricted key`, withBadValues(path)),
      ),
      ...each(IDENTIFIED, '%s, an identifier in an unusual form', misspelt),
      part('other records, where the restricted key has no access', othersElsewhere, alone),
    ],
    load: ['rl-exact', 'mix'],
    judge: no5xx,
  }),
  '4/other-methods': observe({
    title: 'Response to methods other than GET',
    clauses: ['1 JSON over HTTP', '4 JSON and key'],
    shownBy: 'a request with a method other than GET',
    rulings: [20],
    // A safe method: it creates, replaces or deletes nothing.
    checks: [part('HEAD', ({ api }) => api.send('HEAD', '/currencies'))],
    // §4, ruling 20: records answers to methods other than GET.
    judge: judgeEach((view, _context, it) => {
      const { method } = view.exchange.request;
      if (method === 'GET' || view.status === 429) return;
      it.read(`Answer to ${method}`, describeAnswer(view), view);
    }),
  }),
} as const satisfies Record<string, Definition>;
