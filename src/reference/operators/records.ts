import { ENDPOINT_PATHS, endpoint as factsOf } from '../../spec/endpoints.ts';
import type { EndpointPath } from '../../spec/endpoints.ts';
import { T1_FIELDS } from '../../spec/resources.ts';
import { ETF_LISTINGS } from '../../spec/values.ts';
import type { Hooks } from '../hooks.ts';
import { all, endpointIs, forSymbol, onBody, onQuery, onRows } from '../vocabulary.ts';
import type { Condition } from '../vocabulary.ts';
import { isObject } from '../json.ts';
import type { Json } from '../world.ts';
import { faultsBy, nameOf, sectionOf, slugOf } from './operator.ts';
import type { OperatorEntry, OperatorFault } from './operator.ts';
import { forEntity, forUnknown, identifierIn, identifiersOf, onChosenRows } from './words.ts';

/** Returns the records of another entity: the nth of its list. */
const another = (path: EndpointPath, when: Condition, nth: number): Hooks => ({
  path(parameters, context) {
    const [name] = Object.keys(factsOf(path).path);
    const other = identifiersOf(path, context.world)[nth];
    return name === undefined || other === undefined || !when(context)
      ? parameters
      : { ...parameters, [name]: other };
  },
});

/** Endpoints whose records contain their identifier. */
const NAMED: readonly EndpointPath[] = [
  '/currencies/{currency_id}',
  '/etfs/{ticker}/history',
  '/crypto-stocks/{stock_ticker}/market-snapshot',
];

/** Records of another identifier. */
function otherEntries(path: EndpointPath): readonly OperatorEntry[] {
  if (Object.keys(factsOf(path).path).length === 0 || sectionOf(path) === '4.7') return [];
  const here = endpointIs(path);
  const known: Condition = (context) =>
    identifiersOf(path, context.world).includes(identifierIn(context) ?? '');
  const at = (name: string): string => `${slugOf(path)}/${name}`;
  const title = (says: string): string => `${nameOf(path)}: ${says}`;
  return [
    {
      at: at('always-the-first'),
      title: title('every entity has the records of the first'),
      ...(NAMED.includes(path) ? {} : { level: 'should' as const }),
      hooks: another(path, all(here, known), 0),
    },
    {
      at: at('second-gets-third'),
      title: title('the second entity has the records of the third'),
      ...(NAMED.includes(path) ? {} : { level: 'should' as const }),
      subtle: true,
      hooks: another(path, forEntity(path, 1), 2),
    },
    ...(NAMED.includes(path)
      ? [
          {
            at: at('first-gets-second'),
            title: title('the first entity has the records of the second'),
            subtle: true as const,
            hooks: another(path, forEntity(path, 0), 1),
          },
        ]
      : []),
    {
      at: at('invented'),
      title: title('an unknown identifier has the records of the first entity'),
      hooks: another(path, forUnknown(path), 0),
    },
    {
      at: at('second-refused'),
      title: title('the second entity is not found'),
      subtle: true,
      hooks: nobody(path, forEntity(path, 1)),
    },
    {
      at: at('second-crashes'),
      title: title('the second entity returns 500'),
      subtle: true,
      hooks: {
        path(parameters, context) {
          if (forEntity(path, 1)(context)) throw new Error('No such record');
          return parameters;
        },
      },
    },
  ];
}

/** Looks up an entity that does not exist. */
const nobody = (path: EndpointPath, when: Condition): Hooks => ({
  path(parameters, context) {
    const [name] = Object.keys(factsOf(path).path);
    return name === undefined || !when(context)
      ? parameters
      : { ...parameters, [name]: '999999999999' };
  },
});

/** Missing newest rows: the series ends some days ago. */
function staleEntries(path: EndpointPath): readonly OperatorEntry[] {
  const newestFirst = path.startsWith('/etfs');
  return [5, 15].flatMap((days) =>
    (
      [
        ['', '', endpointIs(path)],
        ...(Object.keys(factsOf(path).path).length === 0
          ? []
          : [['/one-entity', ' of the second entity', forEntity(path, 1)] as const]),
      ] as const
    ).map(([where, says, when]): OperatorEntry => ({
      at: `${slugOf(path)}/${days}-rows${where}`,
      title: `${nameOf(path)}: the newest ${days} rows${says} are missing`,
      level: 'should',
      subtle: true,
      hooks: onRows(when, (rows, context) =>
        // Ranges in the past are complete; only the end of the series is missing.
        [...context.query.keys()].some((name) => name.startsWith('end_'))
          ? rows
          : newestFirst
            ? rows.slice(days)
            : rows.slice(0, -days),
      ),
    })),
  );
}

const SUMMARY: EndpointPath = '/etfs/summary-history';
const HISTORY: EndpointPath = '/etfs/{ticker}/history';
const [FIRST_US = 'BTC', SECOND_US = 'ETH', THIRD_US = 'SOL'] = ETF_LISTINGS.US;

/** Assets or countries with the rows of another. */
const IDENTICAL: readonly OperatorEntry[] = [
  {
    at: 'etfs-summary-history/all-symbols',
    title: 'GET /etfs/summary-history: all symbols have the rows of BTC',
    hooks: onQuery(endpointIs(SUMMARY), (query) => {
      if (query.get('country_code')?.toUpperCase() === 'US') query.set('symbol', FIRST_US);
    }),
  },
  {
    at: 'etfs-summary-history/three-symbols',
    title: 'GET /etfs/summary-history: BTC, ETH and SOL have the same rows',
    subtle: true,
    hooks: onQuery(
      (context) => [SECOND_US, THIRD_US].some((symbol) => forSymbol(symbol)(context)),
      (query) => query.set('symbol', FIRST_US),
    ),
  },
  {
    at: 'etfs-summary-history/both-countries',
    title: 'GET /etfs/summary-history: HK has the rows of US',
    hooks: onQuery(endpointIs(SUMMARY), (query) => {
      const symbol = query.get('symbol')?.toUpperCase() ?? '';
      const listed = ETF_LISTINGS.HK.some((one) => one === symbol);
      if (listed && query.get('country_code')?.toUpperCase() === 'HK') {
        query.set('country_code', 'US');
      }
    }),
  },
];

/** Figures that settle a day later (§4.4 rule 1). */
const SETTLEMENT: readonly OperatorEntry[] = T1_FIELDS.flatMap((field) => [
  {
    at: `etfs-history.${field}/early`,
    title: `GET /etfs/{ticker}/history: ${field} of the unsettled row is filled`,
    subtle: true,
    hooks: onChosenRows(endpointIs(HISTORY), 'first', `/${field}`, (row) =>
      row[field] === null ? { ...row, [field]: 1.5 } : row,
    ),
  },
  {
    at: `etfs-history.${field}/zero`,
    title: `GET /etfs/{ticker}/history: ${field} of the unsettled row is 0`,
    subtle: true,
    hooks: onChosenRows(endpointIs(HISTORY), 'first', `/${field}`, (row) =>
      row[field] === null ? { ...row, [field]: 0 } : row,
    ),
  },
  ...(['middle', 'last'] as const).map((where): OperatorEntry => ({
    at: `etfs-history.${field}/null-${where}`,
    title: `GET /etfs/{ticker}/history: ${field} of the ${where} row is null`,
    subtle: true,
    hooks: onChosenRows(endpointIs(HISTORY), where, `/${field}`, (row) => ({
      ...row,
      [field]: null,
    })),
  })),
]);

/** Bodies of the wrong kind. */
function bodyEntries(path: EndpointPath): readonly OperatorEntry[] {
  const { kind } = factsOf(path).response;
  const here = endpointIs(path);
  const changes: readonly (readonly [string, string, (value: Json) => Json])[] = [
    ['wrapped', 'is wrapped in data', (value) => ({ code: 0, message: 'ok', data: value })],
    ['null', 'is null', () => null],
    ['in-array', 'is wrapped in an array', (value) => [value]],
    ['text', 'is JSON in a string', (value) => JSON.stringify(value)],
    ['empty-object', 'is an empty object', () => ({})],
    ...(kind === 'array'
      ? [['in-object', 'is wrapped in list', (value: Json) => ({ list: value })] as const]
      : []),
    ...(kind === 'page'
      ? [
          [
            'bare-list',
            'is the bare list',
            (value: Json) => (isObject(value) ? (value['list'] ?? null) : value),
          ] as const,
        ]
      : []),
  ];
  return kind === 'unstated'
    ? []
    : changes.map(([name, says, change]) => ({
        at: `${slugOf(path)}/${name}`,
        title: `${nameOf(path)}: the body ${says}`,
        hooks: onBody(here, change),
      }));
}

/** Endpoints that do not exist or do not work at all. */
function goneEntries(path: EndpointPath): readonly OperatorEntry[] {
  const here = endpointIs(path);
  const answer = (status: number, text: string | undefined, type: string): Hooks => ({
    answer: (own, context) =>
      own.status === 200 && here(context)
        ? {
            ...own,
            status,
            headers: { ...own.headers, 'content-type': type },
            ...(text === undefined ? {} : { text }),
          }
        : own,
  });
  const JSON_TYPE = 'application/json; charset=utf-8';
  return (
    [
      ['html', 'returns an HTML page', answer(200, '<!doctype html><title>x</title>', 'text/html')],
      ['empty', 'returns an empty body', answer(200, '', JSON_TYPE)],
      ['cut', 'returns truncated JSON', answer(200, '{"list": [', JSON_TYPE)],
      ['created', 'returns 201', answer(201, undefined, JSON_TYPE)],
      ['no-content', 'returns 202 without a body', answer(202, '', JSON_TYPE)],
      ['unavailable', 'returns 502', answer(502, 'Bad Gateway', 'text/plain')],
    ] as const
  )
    .filter(([name]) => name !== 'created' || sectionOf(path) !== '4.7')
    .map(([name, says, hooks]) => ({
      at: `${slugOf(path)}/${name}`,
      title: `${nameOf(path)} ${says}`,
      hooks,
    }));
}

/** Records of something else, outdated records, or no records. */
export const recordOperators = (): readonly OperatorFault[] => [
  ...ENDPOINT_PATHS.flatMap((path) => {
    const by = (operator: string, entries: readonly OperatorEntry[]): readonly OperatorFault[] =>
      faultsBy(operator, path, sectionOf(path), entries);
    return [
      ...by('other-record', otherEntries(path)),
      ...by('body', bodyEntries(path)),
      ...by('gone', goneEntries(path)),
      ...(factsOf(path).window !== undefined && factsOf(path).response.kind === 'array'
        ? by('stale', staleEntries(path))
        : []),
    ];
  }),
  ...faultsBy('identical', SUMMARY, '4.3', IDENTICAL),
  ...faultsBy('settlement', HISTORY, '4.4', SETTLEMENT),
];
