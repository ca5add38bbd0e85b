// §2 Resources and their fields: every field is there with its type, and values keep their meaning.
import { ENDPOINT_PATHS, endpoint, type EndpointPath } from '../src/contract/endpoints.ts';
import type { RequirementId } from '../src/contract/requirement-id.ts';
import { FIELDS, PAGE_FIELDS, RESOURCE_NAMES } from '../src/contract/resources.ts';
import type { ResourceName } from '../src/contract/resources.ts';
import {
  Inconclusive,
  plain,
  PLAIN_QUERY,
  requirement,
  SMOKE_ENDPOINTS,
  Untested,
  type Answer,
  type Api,
  type CheckContext,
} from '../src/suite/index.ts';
import { busyCurrency, PAIRS, pairsSeen } from '../src/ask/requests/pairs.ts';

const INFO: EndpointPath = '/currencies/{currency_id}';
const SNAPSHOT: EndpointPath = '/currencies/{currency_id}/market-snapshot';
const ECONOMICS: EndpointPath = '/currencies/{currency_id}/token-economics';
const FUNDRAISING: EndpointPath = '/currencies/{currency_id}/fundraising';
const KLINES: readonly EndpointPath[] = [
  '/currencies/{currency_id}/klines',
  '/crypto-stocks/{stock_ticker}/klines',
];
const STOCK: EndpointPath = '/crypto-stocks/{stock_ticker}/market-snapshot';

/** How many currencies are asked until one has fundraising rounds. */
const MOST_CURRENCIES = 4;

/** The fundraising of a currency that has rounds, and of those that were asked before it. */
async function fundraising(api: Api): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const id of (await api.fixtures('currencyIds')).slice(0, MOST_CURRENCIES)) {
    const answer = await plain(api, FUNDRAISING, { path: { currency_id: id } });
    answers.push(answer);
    if (hasRounds(answer)) break;
  }
  return answers;
}

function hasRounds({ records }: Answer): boolean {
  const rounds = (records[0]?.value as Partial<Record<string, unknown>> | undefined)?.[
    'fundraising_rounds'
  ];
  return Array.isArray(rounds) && rounds.length > 0;
}

/** Applies the rules to all answers that could be had; what kept others back comes after what they say. */
async function judge(
  { expect }: CheckContext,
  requests: readonly (() => Promise<Answer | readonly Answer[]>)[],
): Promise<void> {
  const answers: Answer[] = [];
  const problems: unknown[] = [];
  for (const request of requests) {
    try {
      answers.push(...[await request()].flat());
    } catch (error) {
      if (!(error instanceof Untested) && !(error instanceof Inconclusive)) throw error;
      problems.push(error);
    }
  }
  if (answers.length === 0) throw problems[0];
  expect(answers).toConform();
  const inconclusive = problems.find((problem) => problem instanceof Inconclusive);
  if (inconclusive !== undefined) throw inconclusive;
}

const ask = (context: CheckContext, paths: readonly EndpointPath[]): Promise<void> =>
  judge(
    context,
    paths.map((path) => (): Promise<Answer | readonly Answer[]> => {
      if (path === FUNDRAISING) return fundraising(context.api);
      return path === PAIRS ? pairsSeen(context.api) : plain(context.api, path);
    }),
  );

const pathsOf = (holds: (path: EndpointPath) => boolean): EndpointPath[] =>
  ENDPOINT_PATHS.filter(holds);

const profileOf = (paths: readonly EndpointPath[]): 'smoke' | 'standard' =>
  paths.every((path) => SMOKE_ENDPOINTS.includes(path)) ? 'smoke' : 'standard';

/** Every field of §2, and the resources that have it: featured news shares the fields of news. */
const owners = new Map<RequirementId, ResourceName[]>();
for (const resource of RESOURCE_NAMES) {
  for (const { id } of FIELDS[resource]) owners.set(id, [...(owners.get(id) ?? []), resource]);
}
for (const [id, resources] of owners) {
  const paths = pathsOf((path) =>
    resources.some((one) => one === endpoint(path).response.resource),
  );
  requirement(id, (context) => ask(context, paths), { profile: profileOf(paths) });
}

const PAGED = pathsOf((path) => endpoint(path).response.kind === 'page');
for (const { id } of PAGE_FIELDS) {
  requirement(id, (context) => ask(context, PAGED), { profile: 'smoke' });
}

/** Objects differ from one to the next: what is empty or null for the first may be filled for the second. */
const OBJECTS: readonly EndpointPath[] = [INFO, SNAPSHOT, ECONOMICS, FUNDRAISING, STOCK];
for (const path of OBJECTS) {
  const { resource } = endpoint(path).response;
  for (const { id } of resource === undefined ? [] : FIELDS[resource]) {
    requirement(
      id,
      'of a second one',
      async ({ api, expect }) => {
        const [[name, kind] = []] = Object.entries(endpoint(path).path);
        if (name === undefined || kind === undefined) throw new TypeError(`${path} has no fixture`);
        const [, second] = await api.fixtures(kind);
        if (second === undefined) throw new Untested(`needs a second one in fixtures.${kind}`);
        expect(await plain(api, path, { path: { [name]: second } })).toConform();
      },
      { profile: 'full' },
    );
  }
}

const smoke = { profile: 'smoke' } as const;

requirement('2/null-figures', (context) => ask(context, [SNAPSHOT, PAIRS, STOCK]), smoke);

requirement('2.1/currency-id-echo', (context) => ask(context, [INFO]), smoke);
requirement('2.1/urls', (context) => ask(context, [INFO]), smoke);

for (const id of [
  '2.2/high-low',
  '2.2/ath-covers-price',
  '2.2/cycle-low-below-price',
  '2.2/fdv-covers-marketcap',
  '2.2/supply-strings',
  '2.2/percent-strings',
  '2.2/non-negative',
] as const) {
  requirement(id, (context) => ask(context, [SNAPSHOT]), smoke);
}

requirement(
  '2.2/price-agrees',
  async ({ api, expect }) => {
    const path = { currency_id: await busyCurrency(api) };
    expect([await plain(api, SNAPSHOT, { path }), ...(await pairsSeen(api))]).toConform();
  },
  smoke,
);

requirement('2.3/percentage-range', (context) => ask(context, [ECONOMICS]));
requirement('2.3/unlock-strings', (context) => ask(context, [ECONOMICS]));

requirement('2.4/ohlc-order', (context) => ask(context, KLINES), smoke);
requirement('2.4/daily-spacing', (context) => ask(context, KLINES), smoke);

requirement(
  '2.5/base-or-target',
  async ({ api, expect }) => {
    const path = { currency_id: await busyCurrency(api) };
    expect([await plain(api, INFO, { path }), ...(await pairsSeen(api))]).toConform();
  },
  smoke,
);
requirement('2.5/non-negative', (context) => ask(context, [PAIRS]), smoke);

requirement('2.6/stats-rounds', (context) => ask(context, [FUNDRAISING]));
requirement('2.6/update-after-create', (context) => ask(context, [FUNDRAISING]));
for (const id of ['2.6/timestamp-unit', '2.6/investor-types', '2.6/people-shape'] as const) {
  requirement(id, async ({ api, observe }) => observe(await fundraising(api)));
}

requirement('2.9/ticker-echo', (context) => ask(context, [STOCK]), smoke);
requirement('2.9/circulating-within-total', (context) => ask(context, [STOCK]), smoke);
requirement(
  '2.9/timestamp-unit',
  async ({ api, observe }) => observe(await plain(api, STOCK)),
  smoke,
);

requirement(
  '2.10/date-format',
  async ({ api, observe }) => observe(await plain(api, '/macro/events/{event}/history')),
  smoke,
);

const observed = [
  ['2/decimal-form', [SNAPSHOT, '/etfs/summary-history']],
  ['2/string-timestamp-format', [INFO, SNAPSHOT, ECONOMICS]],
  ['2/extra-fields', pathsOf((path) => endpoint(path).response.resource !== undefined)],
] as const satisfies readonly (readonly [RequirementId, readonly EndpointPath[]])[];
for (const [id, paths] of observed) {
  requirement.for(id, paths)('%s', async (path, { api, observe }) => {
    observe(await api.get(path, PLAIN_QUERY[path]));
  });
}
