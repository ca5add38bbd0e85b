import { ENDPOINT_PATHS, endpoint as factsOf } from '../../spec/endpoints.ts';
import type { EndpointPath } from '../../spec/endpoints.ts';
import { T1_FIELDS } from '../../spec/resources.ts';
import { ETF_LISTINGS } from '../../spec/values.ts';
import type { Context, Hooks } from '../hooks.ts';
import {
  all,
  crashing,
  endpointIs,
  forSymbol,
  onAnswer,
  onBody,
  onQuery,
  onRows,
  put,
  withHeader,
} from '../vocabulary.ts';
import type { Condition } from '../vocabulary.ts';
import { rowsOf } from '../json.ts';
import type { Json } from '../world.ts';
import { entriesOf, faultsBy, faultsOn, nameOf, sectionOf, SHOULD, slugOf } from './operator.ts';
import type { OperatorEntry, OperatorFault } from './operator.ts';
import { forEntity, forUnknown, identifierIn, identifiersOf, onChosenRows } from './words.ts';

/** Looks up another identifier, where there is one. */
const lookingUp = (
  path: EndpointPath,
  when: Condition,
  other: (context: Context) => string | undefined,
): Hooks => ({
  path(parameters, context) {
    const [name] = Object.keys(factsOf(path).path);
    const id = when(context) ? other(context) : undefined;
    return name === undefined || id === undefined ? parameters : { ...parameters, [name]: id };
  },
});

/** Returns the records of another entity: the nth of its list. */
const another = (path: EndpointPath, when: Condition, nth: number): Hooks =>
  lookingUp(path, when, ({ world }) => identifiersOf(path, world)[nth]);

/** Endpoints whose records contain their identifier. */
const NAMED: readonly EndpointPath[] = [
  '/currencies/{currency_id}',
  '/etfs/{ticker}/history',
  '/crypto-stocks/{stock_ticker}/market-snapshot',
];

/** Records of another identifier. */
function otherEntries(path: EndpointPath): readonly (OperatorEntry | false)[] {
  if (Object.keys(factsOf(path).path).length === 0 || sectionOf(path) === '4.7') return [];
  const known: Condition = (context) =>
    identifiersOf(path, context.world).includes(identifierIn(context) ?? '');
  const made = entriesOf(`${slugOf(path)}/`, `${nameOf(path)}: `);
  const entry: typeof made = (name, says, hooks, more) =>
    made(name, says, hooks, { ...more, needsData: true });
  const isNamed = NAMED.includes(path);
  const level = isNamed ? {} : SHOULD;
  const second = forEntity(path, 1);
  return [
    entry(
      'always-the-first',
      'every entity has the records of the first',
      another(path, all(endpointIs(path), known), 0),
      level,
    ),
    entry(
      'second-gets-third',
      'the second entity has the records of the third',
      another(path, second, 2),
      level,
    ),
    isNamed &&
      entry(
        'first-gets-second',
        'the first entity has the records of the second',
        another(path, forEntity(path, 0), 1),
      ),
    entry(
      'invented',
      'an unknown identifier has the records of the first entity',
      another(path, forUnknown(path), 0),
    ),
    entry(
      'second-refused',
      'the second entity is not found',
      lookingUp(path, second, () => '999999999999'),
    ),
    entry('second-crashes', 'the second entity returns 500', crashing(second)),
  ];
}

/** Missing newest rows: the series ends some days ago. */
function staleEntries(path: EndpointPath): readonly (OperatorEntry | false)[] {
  const { window, response, path: parameters } = factsOf(path);
  if (window === undefined || response.kind !== 'array') return [];
  const newestFirst = path.startsWith('/etfs');
  return [5, 15].flatMap((days) => {
    const entry = entriesOf(
      `${slugOf(path)}/${days}-rows`,
      `${nameOf(path)}: the newest ${days} rows`,
    );
    const stale = (when: Condition): Hooks =>
      onRows(when, (rows, context) =>
        // Ranges in the past are complete; only the end of the series is missing.
        [...context.query.keys()].some((name) => name.startsWith('end_'))
          ? rows
          : newestFirst
            ? rows.slice(days)
            : rows.slice(0, -days),
      );
    return [
      entry('', ' are missing', stale(endpointIs(path)), SHOULD),
      Object.keys(parameters).length > 0 &&
        entry(
          '/one-entity',
          ' of the second entity are missing',
          stale(forEntity(path, 1)),
          SHOULD,
        ),
    ];
  });
}

const SUMMARY: EndpointPath = '/etfs/summary-history';
const HISTORY: EndpointPath = '/etfs/{ticker}/history';
const [FIRST_US = 'BTC', SECOND_US = 'ETH', THIRD_US = 'SOL'] = ETF_LISTINGS.US;

/** Assets or countries with the rows of another. */
const identical = entriesOf('etfs-summary-history/', 'GET /etfs/summary-history: ');
const IDENTICAL: readonly OperatorEntry[] = [
  identical(
    'all-symbols',
    'all symbols have the rows of BTC',
    onQuery(endpointIs(SUMMARY), (query) => {
      if (query.get('country_code')?.toUpperCase() === 'US') query.set('symbol', FIRST_US);
    }),
  ),
  identical(
    'three-symbols',
    'BTC, ETH and SOL have the same rows',
    onQuery(
      (context) => [SECOND_US, THIRD_US].some((symbol) => forSymbol(symbol)(context)),
      (query) => query.set('symbol', FIRST_US),
    ),
  ),
  identical(
    'both-countries',
    'HK has the rows of US',
    onQuery(endpointIs(SUMMARY), (query) => {
      const symbol = query.get('symbol')?.toUpperCase() ?? '';
      const listed = ETF_LISTINGS.HK.some((one) => one === symbol);
      if (listed && query.get('country_code')?.toUpperCase() === 'HK') {
        query.set('country_code', 'US');
      }
    }),
  ),
];

/** Figures that settle a day later (§4.4 rule 1). */
const SETTLEMENT: readonly OperatorEntry[] = T1_FIELDS.flatMap((field) => {
  const entry = entriesOf(`etfs-history.${field}/`, `GET /etfs/{ticker}/history: ${field} of the `);
  const filled = (value: number): Hooks =>
    onChosenRows(endpointIs(HISTORY), 'first', `/${field}`, (row) =>
      row[field] === null ? { ...row, [field]: value } : row,
    );
  return [
    entry('early', 'unsettled row is filled', filled(1.5)),
    entry('zero', 'unsettled row is 0', filled(0)),
    ...(['middle', 'last'] as const).map((where) =>
      entry(
        `null-${where}`,
        `${where} row is null`,
        onChosenRows(endpointIs(HISTORY), where, `/${field}`, put(`/${field}`, null)),
      ),
    ),
  ];
});

/** Bodies of the wrong kind, some of them of one kind of response only. */
const BODIES: readonly (readonly [
  name: string,
  says: string,
  change: (value: Json) => Json,
  of?: 'array' | 'page',
])[] = [
  ['wrapped', 'wrapped in data', (data) => ({ code: 0, message: 'ok', data })],
  ['null', 'null', () => null],
  ['in-array', 'wrapped in an array', (value) => [value]],
  ['text', 'JSON in a string', (value) => JSON.stringify(value)],
  ['empty-object', 'an empty object', () => ({})],
  ['in-object', 'wrapped in list', (list) => ({ list }), 'array'],
  ['bare-list', 'the bare list', (value) => rowsOf(value) ?? null, 'page'],
];

function bodyEntries(path: EndpointPath): readonly OperatorEntry[] {
  const { kind } = factsOf(path).response;
  const entry = entriesOf(`${slugOf(path)}/`, `${nameOf(path)}: the body is `);
  return BODIES.filter(([, , , of = kind]) => of === kind && kind !== 'unstated').map(
    ([name, says, change]) => entry(name, says, onBody(endpointIs(path), change)),
  );
}

/** Endpoints that do not exist or do not work at all. */
function goneEntries(path: EndpointPath): readonly (OperatorEntry | false)[] {
  const entry = entriesOf(`${slugOf(path)}/`, `${nameOf(path)} returns `);
  const answer = (status: number, text?: string, type = 'application/json; charset=utf-8'): Hooks =>
    onAnswer(
      (own, context) => own.status === 200 && endpointIs(path)(context),
      (own) => ({
        ...withHeader(own, 'content-type', type),
        status,
        ...(text !== undefined && { text }),
      }),
    );
  return [
    entry('html', 'an HTML page', answer(200, '<!doctype html><title>x</title>', 'text/html')),
    entry('empty', 'an empty body', answer(200, '')),
    entry('cut', 'truncated JSON', answer(200, '{"list": [')),
    sectionOf(path) !== '4.7' && entry('created', '201', answer(201)),
    entry('no-content', '202 without a body', answer(202, '')),
    entry('unavailable', '502', answer(502, 'Bad Gateway', 'text/plain')),
  ];
}

/** Records of something else, outdated records, or no records. */
export const recordOperators = (): readonly OperatorFault[] => [
  ...ENDPOINT_PATHS.flatMap((path) =>
    faultsOn(path, {
      'other-record': otherEntries(path),
      body: bodyEntries(path),
      gone: goneEntries(path),
      stale: staleEntries(path),
    }),
  ),
  ...faultsBy('identical', SUMMARY, IDENTICAL),
  ...faultsBy('settlement', HISTORY, SETTLEMENT),
];
