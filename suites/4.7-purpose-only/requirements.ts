import { check, each, plain, plainOf } from '../../src/ask/index.ts';
import { endpoint, ENDPOINT_PATHS, type EndpointPath } from '../../src/spec/endpoints.ts';
import { STATUS } from '../../src/spec/finding.ts';
import { must, observe, ofEndpoints, type Definition } from '../../src/requirements/definition.ts';
import type { Context } from '../../src/judge/context.ts';
import { describeAnswer, errorNameOf, isNotFound } from '../../src/judge/errors.ts';
import { isInvalidRequestStatus } from '../../src/judge/expectation.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { isAboutRequest } from '../../src/judge/shapes.ts';
import { isBlank } from '../../src/judge/transport.ts';
import type { View } from '../../src/judge/view.ts';
import { atPosition } from '../families/resource-requests.ts';
import { readShape } from '../families/unstated-shapes.ts';

const PATHS = ENDPOINT_PATHS.filter((path) => endpoint(path).section === '4.7');

/** Whether the endpoint exists. Its parameters are not stated, so it must exist whatever was sent (ruling 16). */
export const exists = judgeEach((view, context, it) => {
  if (!isAboutRequest(view, context)) return;
  // A blank body says nothing.
  if (isUnknownThing(view, context) || isBlank(view)) return;
  const isThere = view.ok || isInvalidRequestStatus(view.status);
  it.expect(view, isThere && view.isJson, () => ({
    kind: 'endpoint-missing',
    expected:
      'status 200 and JSON, or a 400-class error about parameters that the specification does not state',
    actual: view.isJson ? describeAnswer(view) : `${describeAnswer(view)}, not JSON`,
    ...(isThere ? { pointer: '' } : { header: STATUS }),
  }));
});

/** Whether the identifier may be the reason for a 404: it is unknown, or has no data of the kind yet. */
function isUnknownThing(view: View, { doubtfulIds = {} }: Context): boolean {
  const ids = Object.entries(view.exchange.pathParameters);
  const doubtful = ids.some(([name, id]) => doubtfulIds[name]?.includes(id) === true);
  if (view.status === 404 && doubtful && !isUnknownPath(view)) return true;
  // Such as an ETF on its first day (ruling 11).
  return isNotFound(view) && ids.length > 0;
}

/** The refusal of §7 for an unknown path. Identifiers with special characters may confuse a router. */
const isUnknownPath = (view: View): boolean =>
  errorNameOf(view) === 'unknownEndpoint' &&
  Object.values(view.exchange.pathParameters).every((given) => /^[\w.-]+$/.test(given));

/** A requirement that a purpose-only endpoint exists. */
function existence(path: EndpointPath, title: string, ...others: readonly string[]): Definition {
  return must({
    title,
    clauses: [`4.7 GET ${path}`, ...others],
    ...ofEndpoints(path),
    rulings: [16],
    why: 'Clients depend on this endpoint, although the specification states only that it exists and what it is for.',
    usually: ['The endpoint is not deployed in this environment, or has a different base path.'],
    usuallyFor: { content: ['The endpoint returns an HTML page.'] },
    checks: [check(({ api }) => plain(api, path))],
    basic: true,
    judge: exists,
  });
}

const SECTOR_INDEX = '/crypto-stocks/sector/{sector_name}/index';

/** Requirements of §4.7. */
export const PURPOSE_ONLY_REQUIREMENTS = {
  '4.7/crypto-stocks': existence('/crypto-stocks', 'The stock list exists and returns JSON'),
  '4.7/market-cap': existence(
    '/crypto-stocks/{stock_ticker}/market-cap',
    'The market cap history of a company exists and returns JSON',
  ),
  '4.7/sectors': existence('/crypto-stocks/sector', 'The sector list exists and returns JSON'),
  '4.7/sector-index': {
    ...existence(SECTOR_INDEX, 'The index history of a sector exists and returns JSON'),
    // Sector names have spaces and characters that must be encoded in a path.
    checks: [
      check(({ api }) => plain(api, SECTOR_INDEX)),
      ...each([1], 'for the sector at place %s of the list', atPosition(SECTOR_INDEX)),
    ],
  },
  '4.7/indices': existence('/indices', 'The index list exists and returns JSON', '1 Indices'),
  '4.7/index-constituents': existence(
    '/indices/{index_ticker}/constituents',
    'The constituents of an index exist and return JSON',
  ),
  '4.7/index-snapshot': existence(
    '/indices/{index_ticker}/market-snapshot',
    'The snapshot of an index exists and returns JSON',
  ),
  '4.7/index-klines': existence(
    '/indices/{index_ticker}/klines',
    'The klines of an index exist and return JSON',
  ),
  '4.7/etfs': existence('/etfs', 'The ETF list exists and returns JSON'),
  '4.7/etf-snapshot': existence(
    '/etfs/{ticker}/market-snapshot',
    'The snapshot of an ETF exists and returns JSON',
  ),
  '4.7/hot-news': existence('/news/hot', 'Hot news exists and returns JSON'),
  '4.7/news-search': existence('/news/search', 'News search exists and returns JSON'),
  '4.7/projects': existence(
    '/fundraising/projects',
    'The project list exists and returns JSON',
    '1 Project fundraising',
  ),
  '4.7/project': existence(
    '/fundraising/projects/{project_id}',
    'Project details exist and return JSON',
  ),
  '4.7/macro-events': existence('/macro/events', 'The macro calendar exists and returns JSON'),
  '4.7/chart-data': existence('/analyses/{chart_name}', 'Chart data exists and returns JSON'),
  '4.7/currencies': existence('/currencies', 'The currency list exists and returns JSON'),
  '4.7/record-shapes': observe({
    title: 'Shape of the records from the purpose-only endpoints',
    clauses: ['2.12 records of purpose-only endpoints', '4.7 parameters and shapes'],
    endpoints: PATHS,
    rulings: [16],
    checks: plainOf(PATHS),
    judge: readShape(PATHS),
  }),
} as const satisfies Record<string, Definition>;
