// `npm run bench:peers`: the same defects shown to Assay and to other tools; docs/compare.md has what it measured last.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { openApiDocument } from '#src/openapi/document.ts';
import { listOperatorFaults } from '#src/reference/catalog.ts';
import { createReference, movableClock, type ReferenceAnswer } from '#src/reference/reference.ts';
import { choosesOrder } from './order/half.ts';
import { sampleOperators, TRADING_DAY } from './kill/catalogue.ts';
import { runUntilRed, type Look } from './order/until-red.ts';

const HELP = `npm run bench:peers -- [options] [FAULT…]
  --faults N    defects drawn of those that did not choose the order of Assay's checks (default 24)
  --seed N      seed of the draw and of the runs (default 1)
  --st PROGRAM  Schemathesis, as in: python3 -m venv V && V/bin/pip install schemathesis==4.32.5
                (default st; without it the two others are compared)
`;

/** Requests with a valid key after which the curve is told. */
const POINTS = [5, 10, 20, 31, 50, 75, 100, 150, 200];
/** Peers have no plan for 20 requests a minute and would see nothing but refusals. */
const MANY = 1_000_000;
/** Seeds that the clean server is shown to a peer with: what it reports there is no find. */
const CLEAN_SEEDS = 3;

/** Shows a tool a server with some defects, or without any. */
type Tool = (faults: readonly string[]) => Promise<Look>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  schema: Record<string, unknown>;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/**
 * The OpenAPI document as an engineer who knows the target would tune it, so that a peer raises no alarm where the
 * specification is silent and the document had to take a side.
 */
function tunedDocument() {
  const document = structuredClone(openApiDocument()) as unknown as {
    readonly paths: Record<
      string,
      { readonly get: { readonly parameters?: readonly Parameter[] } }
    >;
  };
  for (const { get } of Object.values(document.paths)) {
    for (const { name, in: location, schema } of get.parameters ?? []) {
      if (name === 'currency_id') schema['pattern'] = '^[0-9]{1,20}$';
      if (location !== 'query') continue;
      if (name === 'order_by')
        schema['enum'] = ['price', 'turnover_24h', 'market', 'base', 'target'];
      if (name === 'exchange' || name === 'project_id') delete schema['minLength'];
      // Fifteen digits are what the reference server takes for an integer.
      if (schema['type'] === 'integer') schema['maximum'] ??= 999_999_999_999_999;
    }
  }
  const keyword = { name: 'keyword', in: 'query', required: true, schema: { type: 'string' } };
  const searched = { ...keyword, examples: { example1: { value: 'bitcoin' } } };
  document.paths['/news/search'] = {
    get: { ...document.paths['/news/search']?.get, parameters: [searched] },
  };
  return document;
}

/**
 * What Schemathesis is told besides the document: to leave other methods alone, of which the specification says nothing,
 * and that valid input may get a 400 where the document cannot say which asset is listed in which country.
 */
const SCHEMATHESIS_CONFIG = `[phases.coverage]
unexpected-methods = []

[checks]
unsupported_method.enabled = false
allow_header_conformance.enabled = false

[[operations]]
include-operation-id = "listEtfSummaryHistory"
checks.positive_data_acceptance.expected-statuses = ["2xx", "3xx", "400", "401", "403", "404", "409", "429", "5xx"]
`;

/** Nothing ends at the first failure, and nothing is spent on shrinking. */
const SCHEMATHESIS_OPTIONS =
  '--mode all --workers 1 --continue-on-failure --no-shrink --suppress-health-check all --generation-database none --no-color --report ndjson --report-ndjson-path events.ndjson';

/** Options of Schemathesis for about as many requests as Assay sends, and for its own number. */
const BUDGETS = { 'small budget': '--phases examples,fuzzing --max-examples 3', defaults: '' };

/** A server for a peer, with its limit lifted. */
const unlimited = (faults: readonly string[]) =>
  createReference({ clock: movableClock(TRADING_DAY), faults, limit: MANY, quota: MANY });

/** Schemathesis: a failure counts when it is none of those on the clean server, from the first request that raised it. */
async function schemathesisTool(
  program: string,
  folder: string,
  seed: number,
  budget: string,
): Promise<Tool> {
  const events = path.join(folder, 'events.ndjson');
  await writeFile(path.join(folder, 'schemathesis.toml'), SCHEMATHESIS_CONFIG);
  await writeFile(path.join(folder, 'openapi.json'), JSON.stringify(tunedDocument()));
  const lookAt = async (faults: readonly string[], runSeed: number) => {
    const server = unlimited(faults);
    const [key = ''] = server.keys.valid;
    const upTo = new Map<string, number>();
    let sent = 0;
    const { baseUrl, close } = await server.listen({
      onRequest(given, rawHeaders) {
        if (given === key) sent += 1;
        const at = rawHeaders.findIndex((name) => /^x-schemathesis-testcaseid$/i.test(name));
        const testCase = rawHeaders[at + 1];
        if (at !== -1 && testCase !== undefined && !upTo.has(testCase)) upTo.set(testCase, sent);
      },
    });
    const asked = `--config-file schemathesis.toml run openapi.json --url ${baseUrl} --seed ${runSeed} ${budget} ${SCHEMATHESIS_OPTIONS}`;
    try {
      await rm(events, { force: true });
      await ended(program, folder, [...asked.split(/ +/), '-H', `X-API-KEY: ${key}`]);
      return { sent, raised: raisedIn(await readFile(events, 'utf8'), upTo) };
    } finally {
      await close();
    }
  };
  const clean = new Set<string>();
  for (let index = 0; index < CLEAN_SEEDS; index += 1)
    for (const [failure] of (await lookAt([], seed + index)).raised) clean.add(failure);
  print(`alarms on the clean server: ${[...clean].join(', ') || 'none'}`);
  return async (faults) => {
    const { sent, raised } = await lookAt(faults, seed);
    const fresh = raised.flatMap(([failure, at]) => (clean.has(failure) ? [] : [at]));
    return { after: fresh.length === 0 ? null : Math.min(...fresh), sent };
  };
}

/** What Schemathesis records of a scenario: the failures of each test case. */
interface Scenario {
  readonly recorder: { readonly checks?: Record<string, readonly { failure_info?: Failure }[]> };
}
type Failure = { readonly failure: { readonly operation: string; readonly type: string } } | null;

/** Failures that Schemathesis recorded, each with the number of requests up to the test case that raised it. */
export function raisedIn(events: string, upTo: ReadonlyMap<string, number>): [string, number][] {
  return events.split('\n').flatMap((line) => {
    if (!line.startsWith('{"ScenarioFinished"')) return [];
    const { ScenarioFinished: event } = JSON.parse(line) as { ScenarioFinished: Scenario };
    return Object.entries(event.recorder.checks ?? {}).flatMap(([testCase, checks]) =>
      checks.flatMap(({ failure_info: info }): [string, number][] => {
        if (info == null) return [];
        return [[`${info.failure.operation} ${info.failure.type}`, upTo.get(testCase) ?? 0]];
      }),
    );
  });
}

/** Waits for a program to end. @throws Error when it cannot be started, or did not come to an end of its own */
const ended = (program: string, cwd: string, args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 || code === 1 ? resolve() : reject(new Error(`${program}: exit code ${code}`)),
    );
  });

/** A collection of one request an endpoint, with its first examples, judged by status, content type and schema. */
export function collectionTool(): Tool {
  const document = tunedDocument();
  const ajv = new Ajv2020({ strict: false, logger: false });
  ajvFormats.default(ajv);
  ajv.addSchema({ ...document, $id: 'https://bench.invalid/openapi' });
  const schemaOf = (name: string): string =>
    `https://bench.invalid/openapi#${encodeURI(`/paths/${name.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`)}`;
  const isAsStated = (name: string, { status, headers, body }: ReferenceAnswer): boolean => {
    try {
      const isJson = /^application\/json\b/.test(headers['content-type'] ?? '');
      return status === 200 && isJson && ajv.validate({ $ref: schemaOf(name) }, JSON.parse(body));
    } catch {
      return false;
    }
  };
  return async (faults) => {
    const server = unlimited(faults);
    const headers = { 'X-API-KEY': server.keys.valid[0] ?? '' };
    const asked = Object.entries(document.paths);
    const at = asked.findIndex(([name, { get }]) => {
      const request = `/v1${firstExample(name, get.parameters ?? [])}`;
      return !isAsStated(name, server.handle({ method: 'GET', path: request, headers }));
    });
    return at === -1 ? { after: null, sent: asked.length } : { after: at + 1, sent: at + 1 };
  };
}

/** Path and required query of the first valid request that the examples give. */
function firstExample(name: string, parameters: readonly Parameter[]): string {
  const query = new URLSearchParams();
  let filled = name;
  for (const { name: parameter, in: location, required, examples = {} } of parameters) {
    const value = [Object.values(examples)[0]?.value].flat().join(',');
    if (location === 'path') filled = filled.replace(`{${parameter}}`, encodeURIComponent(value));
    else if (required === true) query.set(parameter, value);
  }
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

/** The share of the defects that were shown after so many requests. */
export function curve(looks: readonly Look[]): readonly string[] {
  const share = (most: number): string => {
    const shown = looks.filter(({ after }) => after !== null && after <= most).length;
    return `${Math.round((100 * shown) / looks.length)} %`;
  };
  const all = Math.max(...looks.map(({ sent }) => sent));
  return [...POINTS.map(share), `${share(all)} (${all})`];
}

const print = (...cells: readonly string[]) => process.stdout.write(`${cells.join(' | ')}\n`);

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      faults: { type: 'string', default: '24' },
      seed: { type: 'string', default: '1' },
      st: { type: 'string', default: 'st' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const [count, seed] = [Number(values.faults), Number(values.seed)];
  if (!(count > 0 && seed >= 0)) throw new RangeError('--faults and --seed take numbers.');
  const musts = listOperatorFaults().filter(({ level }) => level === 'must');
  const unused = musts.filter(({ id }) => !choosesOrder(id));
  const drawn = sampleOperators(unused, count, seed).map(({ id }) => id);
  const faults = positionals.length > 0 ? positionals : drawn;
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-peers-'));
  try {
    const tools = new Map<string, Tool>([
      ['Assay', (some) => runUntilRed(some, seed)],
      ['one request an endpoint', collectionTool()],
    ]);
    const found = await ended(values.st, folder, ['--version']).catch(
      (error: Error) => error.message,
    );
    if (found !== undefined) print(`Schemathesis is left out: ${found}`);
    else
      for (const [name, budget] of Object.entries(BUDGETS))
        tools.set(`Schemathesis, ${name}`, await schemathesisTool(values.st, folder, seed, budget));
    const looks = new Map([...tools.keys()].map((name): [string, Look[]] => [name, []]));
    print('requests until shown', ...tools.keys());
    for (const fault of faults) {
      for (const [name, tool] of tools) looks.get(name)?.push(await tool([fault]));
      const last = [...looks.values()].map((one) => String(one.at(-1)?.after ?? '–'));
      print(fault, ...last);
    }
    print('\nfaults shown after', ...POINTS.map(String), 'all (requests)');
    for (const [name, of] of looks) print(name, ...curve(of));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
