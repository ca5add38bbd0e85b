import { ENDPOINT_PATHS, endpoint as factsOf } from '../../src/spec/endpoints.ts';
import type { EndpointPath, QueryParameter } from '../../src/spec/endpoints.ts';
import { DAY } from '../../src/spec/time.ts';
import { textOf } from '../../src/reference/json.ts';
import { identifiersOf } from '../../src/reference/operators/words.ts';
import type { ReferenceAnswer, ReferenceOptions } from '../../src/reference/reference.ts';
import { OPEN_MARKET, start, world } from './client.ts';
import type { Fixture } from './client.ts';

type Query = Readonly<Record<string, string>>;

const date = (daysAgo: number): string =>
  new Date(OPEN_MARKET - daysAgo * DAY).toISOString().slice(0, 10);
const [bitcoin = ''] = world.currencyIds;
const market = textOf(world.pairs(bitcoin, OPEN_MARKET)?.[0]?.['market']);

/** A value that changes the answer. */
function telling(name: string, rule: QueryParameter): string {
  if (rule.enum !== undefined) return String(rule.enum[1] ?? rule.enum[0]);
  switch (name) {
    case 'page':
      return '2';
    case 'page_size':
      return '21';
    case 'limit':
      return '3';
    case 'exchange':
      return market;
    case 'currency_id':
      return bitcoin;
    case 'project_id':
      return world.projectIds[0] ?? '';
    case 'order_by':
      return 'price';
    default: {
      const daysAgo = name.startsWith('start') ? 5 : 2;
      return rule.type === 'date' ? date(daysAgo) : String(OPEN_MARKET - daysAgo * DAY);
    }
  }
}

/** All values of a parameter at which a server may go wrong. */
function values(name: string, rule: QueryParameter): string[] {
  const { minimum, maximum } = rule;
  const choices = (rule.enum ?? []).map(String).flatMap((value) => [
    value,
    value.toLowerCase(),
    // Mixed case: the first letter small, the others large.
    value.slice(0, 1).toLowerCase() + value.slice(1).toUpperCase(),
  ]);
  const bounds = [minimum, maximum].flatMap((bound) =>
    bound === undefined ? [] : [bound - 1, bound, bound + 1, Math.floor(bound / 2) + 1],
  );
  const macro = name === 'start_date' ? [date(700), date(735)] : [];
  return [
    ...choices,
    telling(name, rule),
    ...bounds.map(String),
    ...macro,
    'abc',
    '',
    '0',
    '-1',
    '1000000',
  ];
}

/** Ranges and limits that leave each other something to do. */
function wider(name: string, { type }: QueryParameter): readonly Query[] {
  if (type === 'integer' && name === 'limit') return [{ [name]: '30' }, { [name]: '1' }];
  if (type === 'date') return [1, 15, 50, 700].map((daysAgo) => ({ [name]: date(daysAgo) }));
  if (type !== 'timestamp') return [];
  return [1, 20].map((daysAgo) => ({ [name]: String(OPEN_MARKET - daysAgo * DAY) }));
}

/** Requests that between them show what operators change on one endpoint. */
function queriesOf(path: EndpointPath): readonly Query[] {
  const rules = Object.entries(factsOf(path).query);
  const required: Query = Object.fromEntries(
    rules.flatMap(([name, rule]) =>
      rule.required === true
        ? [[name, rule.enum === undefined ? (name === 'page' ? '1' : '20') : String(rule.enum[0])]]
        : [],
    ),
  );
  const few: Query = rules.some(([name]) => name === 'page_size') ? { page_size: '20' } : {};
  const queries: Query[] = [required];
  if (path === '/news/search') return [{ keyword: 'bitcoin' }];
  // Refusals first: they are quick, and many faults show on them.
  for (const [name, rule] of rules) {
    if (rule.required !== true) continue;
    const { [name]: _own, ...others } = required;
    queries.push(others, { ...required, [name]: 'abc' });
  }
  if ('page' in factsOf(path).query) queries.push({ ...required, page: '3' });
  for (const [name, rule] of rules) {
    for (const value of new Set(values(name, rule))) queries.push({ ...required, [name]: value });
    for (const [other, its] of rules) {
      if (other === name) continue;
      const pair = { [name]: telling(name, rule), [other]: telling(other, its) };
      queries.push({ ...few, ...required, ...pair });
      for (const wide of wider(name, rule)) queries.push({ ...few, ...required, ...pair, ...wide });
      // Rare events leave the last days empty.
      if (name === 'start_date')
        queries.push({ ...required, [name]: date(700), [other]: date(300) });
      if (rule.enum?.length === 1) queries.push({ ...required, ...pair, [name]: 'abc' });
      if (its.enum !== undefined && rule.enum !== undefined) {
        for (const value of its.enum) {
          queries.push({ ...required, [name]: telling(name, rule), [other]: String(value) });
        }
      }
    }
    if (rules.some(([other]) => other === 'page')) {
      queries.push({ ...required, [name]: telling(name, rule), page: '2' });
    }
  }
  return queries;
}

/** Paths of an endpoint: two entities, one that nobody knows, and one of another form. */
function pathsOf(path: EndpointPath): readonly string[] {
  const known = identifiersOf(path, world);
  if (known.length === 0) return [path];
  return [known[0] ?? '', known[1] ?? '', known[2] ?? '', '999999999999', 'no-such thing'].map(
    (id) => path.replace(/\{\w+\}/, encodeURIComponent(id)),
  );
}

const probes = new Map<EndpointPath, readonly string[]>();

/** Requests on an endpoint, those that show most first. */
function probesOf(path: EndpointPath): readonly string[] {
  const made = probes.get(path) ?? makeProbes(path);
  probes.set(path, made);
  return made;
}

/** The same, before them those with the parameters that the id of a fault names: they are the likeliest to show it. */
function probesFor(fault: string, path: EndpointPath): readonly string[] {
  const names = Object.keys(factsOf(path).query).filter((name) =>
    fault.split(/[/.]|with-/).includes(name),
  );
  if (names.length === 0) return probesOf(path);
  const named = (request: string): number =>
    names.filter((name) => new RegExp(`[?&]${name}=`).test(request)).length;
  return probesOf(path).toSorted((a, b) => named(b) - named(a));
}

function makeProbes(path: EndpointPath): readonly string[] {
  const [first = '', ...others] = pathsOf(path);
  const texts = queriesOf(path).map((query) => `?${new URLSearchParams(query).toString()}`);
  const [plainest = '', ...more] = texts;
  return [first, ...others]
    .map((one) => `${one}${plainest}`)
    .concat(more.map((text) => `${first}${text}`));
}

type Ask = (fixture: Fixture) => ReferenceAnswer;

/** Hooks on answers write headers in another order. */
const sorted = (headers: ReferenceAnswer['headers']): readonly (readonly [string, string])[] =>
  Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** What is compared: everything but the count of requests, which depends on what was asked before. */
function told({ status, headers, body }: ReferenceAnswer): string {
  const { 'x-ratelimit-remaining': _count, ...others } = headers;
  return `${status} ${JSON.stringify(sorted(others))} ${body}`;
}

/** The same request with every kind of key, and with keys that look like a good one. */
function withKeys(path: string): readonly Ask[] {
  const keys: readonly ((own: Fixture['reference']['keys']) => string | null)[] = [
    () => null,
    () => 'no-such-key',
    (own) => own.disabled,
    (own) => own.expired,
    (own) => own.restricted.key,
    (own) => `${own.valid[0]}x`,
    (own) => `x${own.valid[0]}`,
    (own) => (own.valid[0] ?? '').slice(0, -1),
    (own) => (own.valid[0] ?? '').toUpperCase(),
  ];
  return keys.map(
    (key) =>
      ({ get, reference }) =>
        get(path, key(reference.keys)),
  );
}

const plain = start();
const answers = new Map<string, string>();

/** What the server without faults answers; `name` stands for the request. */
function usual(name: string, ask: Ask): string {
  const known = answers.get(name) ?? told(ask(plain));
  answers.set(name, known);
  return known;
}

function changesContent(fault: string, path: EndpointPath): boolean {
  const changed = start({ faults: [fault] });
  const differs = (name: string, ask: Ask): boolean => told(ask(changed)) !== usual(name, ask);
  const [first = ''] = probesOf(path);
  return (
    withKeys(first).some((ask, index) => differs(`${index} ${first}`, ask)) ||
    probesFor(fault, path).some((request) => differs(request, ({ get }) => get(request)))
  );
}

/** Two windows of more requests than the limit, of two keys on several endpoints, without content. */
function* traffic(options: ReferenceOptions): Generator<string> {
  const { get, clock, reference } = start({ limit: 20, ...options });
  const [one, other] = reference.keys.valid;
  const first = ENDPOINT_PATHS.map((path) => probesOf(path)[0] ?? '');
  const seen = (answer: ReferenceAnswer): string =>
    JSON.stringify([
      answer.status,
      sorted(answer.headers),
      answer.status === 429 ? answer.body : '',
    ]);
  for (const request of [...first, '/nope', '/currencies/x']) {
    yield seen(get(request, one));
    yield seen(get(request, one));
    clock.advance(61_000);
  }
  for (let round = 0; round < 4; round += 1) {
    for (let index = 0; index < 24; index += 1) {
      const request = index % 4 === 3 ? `/news?page=${index}` : (first[index % first.length] ?? '');
      yield seen(get(request, index < 22 ? one : other));
    }
    for (const ask of withKeys('/currencies')) {
      yield seen(ask({ get, clock, reference } as Fixture));
    }
    clock.advance(round % 2 === 0 ? 31_000 : 60_000);
  }
}

/** Refusals that have to do with no endpoint: the restricted key has no access to the chart list. */
function changesRefusals(fault: string): boolean {
  const changed = start({ faults: [fault] });
  return ['/analyses', '/nope'].some((request) =>
    [...withKeys(request), ({ get }: Fixture) => get(request)].some(
      (ask, index) => told(ask(changed)) !== usual(`${index} ${request}`, ask),
    ),
  );
}

let quiet: readonly string[] | undefined;

/** Ends with the first answer that differs. */
function changesTraffic(fault: string): boolean {
  quiet ??= [...traffic({})];
  let index = 0;
  for (const heard of traffic({ faults: [fault] })) {
    if (heard !== quiet[index]) return true;
    index += 1;
  }
  return false;
}

/** Whether a server with the fault answers any probe differently. */
export function changesAnswer(fault: string, path: EndpointPath | null): boolean {
  return path === null
    ? changesRefusals(fault) || changesTraffic(fault)
    : changesContent(fault, path) || changesTraffic(fault);
}
