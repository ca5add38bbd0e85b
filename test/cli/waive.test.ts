import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { missingSetting, NO_DATA } from '../../src/spec/cause.ts';
import { summarize } from '../../src/run/verdict.ts';
import type { RequirementResult, Results } from '../../src/report/model/results.ts';
import { applyWaivers, type Waiver } from '../../src/run/waivers.ts';
import { makeRequirement, makeResults } from '../report/fixture.ts';
import { disturbed } from '../trust/servers.ts';
import { assay, scratch } from './assay.ts';

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const REASON = ['--reason', 'the fix ships with release 12', '--owner', 'Ada'];
const at = (...parts: string[]): string => path.join(scratch, ...parts);
const textOf = (file: string): string => readFileSync(at(file), 'utf8');
const waiversIn = (file: string): Waiver[] =>
  (parse(textOf(file)) as { waivers: Waiver[] }).waivers;
/** A day in the far future. */
const LATER = '2099-12-01';
let files = 0;
const newFile = (): string => `waivers ${(files += 1)}.yaml`;

const requirements = [
  makeRequirement('4.3/order', 'failed', {
    findings: [
      {
        message: 'out of order',
        expected: 'a',
        actual: '"b" (string)',
        pointer: '/0',
        exchange: null,
      },
    ],
  }),
  makeRequirement('4.3/listed', 'warned'),
  makeRequirement('4.2/news', 'inconclusive', { reason: 'the control failed with 503' }),
  makeRequirement('4.4/t1-completes', 'untested', {
    reason: 'no unsettled row today',
    cause: NO_DATA,
  }),
  makeRequirement('5/expired', 'untested', {
    reason: 'no key',
    cause: missingSetting('keys.expired'),
  }),
  makeRequirement('4.1/info', 'passed'),
];

/** Results with fingerprints, as a run makes them. */
function resultsOf(judged: readonly RequirementResult[]): Results {
  const made = makeResults();
  const { requirements: printed } = applyWaivers(judged, made.exchanges, [], '2026-11-25');
  return { ...made, requirements: printed, summary: summarize(printed) };
}

beforeAll(() => {
  const results = resultsOf(requirements);
  mkdirSync(at('reports', 'one'), { recursive: true });
  writeFileSync(at('reports', 'one', 'results.json'), JSON.stringify(results));
  symlinkSync('one', at('reports', 'latest'), 'dir');
});

describe('assay waive', () => {
  it('writes the entry with the fingerprint of the last run, and says how to use it', async () => {
    const file = newFile();
    const { code, text, stdout } = await assay(
      ['waive', '4.3/order', '--until', LATER, '--ticket', 'MD-7', '--waivers', file].concat(
        REASON,
      ),
    );
    expect(code, text).toBe(0);
    const [waiver] = waiversIn(file);
    expect(waiver).toEqual({
      id: '4.3/order',
      owner: 'Ada',
      reason: 'the fix ships with release 12',
      ticket: 'MD-7',
      expires: LATER,
      evidence: expect.stringMatching(/^e2-[0-9a-f]{16}$/) as string,
    });
    expect(stdout).toContain('4.3/order (must, violated)');
    expect(stdout).toContain(`waived until ${LATER} by Ada: the fix ships with release 12`);
    expect(stdout).toContain(waiver?.evidence);
    expect(stdout).toContain('created, 1 waiver in total');
    expect(stdout).toMatch(/assay run --base-url \S+ .*--waivers '?waivers 1\.yaml/);
    expect(readdirSync(scratch).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('accepts a run folder, a results.json, or reports/latest', async () => {
    writeFileSync(at('latest'), 'reports/one\n');
    mkdirSync(at('one'));
    writeFileSync(at('one', 'results.json'), textOf('reports/one/results.json'));
    const entries = [];
    for (const run of ['reports/one', 'reports/one/results.json', 'reports/latest', 'latest']) {
      const file = newFile();
      const { code, text } = await assay([
        'waive',
        '4.3/order',
        '--run',
        run,
        '--waivers',
        file,
        ...REASON,
      ]);
      expect(code, text).toBe(0);
      entries.push(waiversIn(file)[0]?.evidence);
    }
    expect(new Set(entries).size).toBe(1);
  });

  it('expires after 30 days by default, and names the day', async () => {
    const file = newFile();
    const before = Date.now();
    const { stdout } = await assay(['waive', '4.3/order', '--waivers', file, ...REASON]);
    const [waiver] = waiversIn(file);
    const days = (Date.parse(waiver?.expires ?? '') - before) / 86_400_000;
    expect(days).toBeGreaterThan(28.9);
    expect(days).toBeLessThanOrEqual(30);
    expect(stdout).toContain(`until ${waiver?.expires ?? '?'}`);
  });

  it('records an inconclusive outcome or a data gap as such', async () => {
    const file = newFile();
    const { code, text, stdout } = await assay([
      'waive',
      '4.2/news',
      '4.4/t1-completes',
      '4.3/listed',
      '--waivers',
      file,
      ...REASON,
    ]);
    expect(code, text).toBe(0);
    expect(waiversIn(file).map(({ id, outcome }) => [id, outcome])).toEqual([
      ['4.2/news', 'inconclusive'],
      ['4.4/t1-completes', 'untested'],
      ['4.3/listed', undefined],
    ]);
    expect(stdout).toContain('4.2/news (must, inconclusive)');
    expect(stdout).toContain('3 waivers in total');
  });

  it('refuses to waive what an interrupted run did not reach', async () => {
    const lost: Results = {
      ...resultsOf(requirements),
      verdict: 'incomplete',
      sentence: 'The target stopped answering.',
      stoppedEarly: true,
    };
    mkdirSync(at('reports', 'lost'), { recursive: true });
    writeFileSync(at('reports', 'lost', 'results.json'), JSON.stringify(lost));
    const file = newFile();
    const waive = (id: string) =>
      assay(['waive', id, '--run', 'reports/lost', '--waivers', file, ...REASON]);
    const { code, stderr } = await waive('4.2/news');
    expect(code).toBe(2);
    expect(stderr).toContain('because the run was cut short: The target stopped answering.');
    expect(existsSync(at(file))).toBe(false);
    // Violations that were seen still count.
    expect((await waive('4.3/order')).code).toBe(0);
  });

  it('keeps comments and other content of a YAML file, and replaces an existing entry in place', async () => {
    const file = newFile();
    const long =
      'a reason that is far longer than a line of eighty columns, and that was written on one line by hand';
    const before = [
      '# Ours. Ask Ada.',
      'version: 1',
      '',
      'waivers:',
      '# the oldest of all',
      '- id: 2.1/name # keep me',
      `  reason: ${long}`,
      '  owner: Bo',
      '  expires: "2099-01-01"',
      '  evidence: e-0000000000000000',
      '',
      '# about the order',
      '- id: 4.3/order',
      '  owner: Bo',
      '  reason: old',
      '  ticket: MD-3',
      '  expires: 2020-01-01',
      '  evidence: e-1111111111111111',
      'reviews:',
      '- { finding: f-1, decision: accept, owner: Bo, reason: seen } # flow',
      '',
      '# the end',
      '',
    ].join('\n');
    writeFileSync(at(file), before);
    const { code, text, stdout } = await assay(
      ['waive', '4.3/order', '4.3/listed', '--until', LATER, '--waivers', file].concat(REASON),
    );
    expect(code, text).toBe(0);
    expect(stdout).toContain('waiver renewed until');
    expect(stdout).toContain('updated, 3 waivers in total');
    const [order, listed] = ['4.3/order', '4.3/listed'].map((id) =>
      waiversIn(file).find((one) => one.id === id),
    );
    expect(textOf(file)).toBe(
      before
        .replace('  owner: Bo\n  reason: old', `  owner: Ada\n  reason: ${order?.reason}`)
        .replace('2020-01-01', LATER)
        .replace('e-1111111111111111', order?.evidence ?? '')
        .replace(
          'reviews:',
          `- id: 4.3/listed\n  owner: Ada\n  reason: ${listed?.reason}\n  expires: ${LATER}\n  evidence: ${listed?.evidence}\nreviews:`,
        ),
    );
  });

  it.each([
    ['an empty list', 'version: 1\nwaivers: [] # none yet\n'],
    ['JSON, as the report makes it', '{\n  "version": 1,\n  "waivers": [],\n  "reviews": []\n}\n'],
  ])('adds to %s', async (_, before) => {
    const file = newFile();
    writeFileSync(at(file), before);
    const { code, text } = await assay(['waive', '4.3/order', '--waivers', file, ...REASON]);
    expect(code, text).toBe(0);
    expect(waiversIn(file).map(({ id }) => id)).toEqual(['4.3/order']);
    if (before.startsWith('{')) {
      expect(JSON.parse(textOf(file))).toMatchObject({ version: 1, reviews: [] });
    }
  });

  it('writes JSON when the file name says so', async () => {
    await assay(['waive', '4.3/order', '--waivers', 'new.json', ...REASON]);
    expect(JSON.parse(textOf('new.json'))).toMatchObject({
      version: 1,
      waivers: [{ owner: 'Ada' }],
    });
  });

  it.each([
    [
      ['4.1/info', ...REASON],
      'has the outcome passed',
      'Failed in that run (3 requirements): 4.3/order, 4.3/listed, 4.2/news.',
    ],
    [
      ['4.3/ordr', ...REASON],
      'does not contain the requirement 4.3/ordr',
      'Did you mean 4.3/order?',
    ],
    [['5/expired', ...REASON], '5/expired was not tested: no key', 'keys.expired'],
    [['4.3/order', '4.1/info', ...REASON], 'has the outcome passed', 'Failed in that run'],
    [['4.3/order', ...REASON, '--until', '2026-01-31'], 'is in the past', 'For example --until'],
    [
      ['4.3/order', ...REASON, '--until', '2099-02-30'],
      'takes a date, not "2099-02-30"',
      '--until',
    ],
    [['4.3/order', ...REASON, '--until', 'tomorrow'], 'takes a date, not "tomorrow"', '--until'],
    [['4.3/order', '--owner', 'Ada'], 'needs a reason', '--reason "the fix'],
    [['4.3/order', '--reason', ' ', '--owner', 'Ada'], '--reason is empty', 'Give a value'],
    [['4.3/order', ...REASON, '--run', 'nowhere'], 'No run found in nowhere', '--run'],
    [['4.3/order', '--reason', 'r', '--owner', ' '], '--owner is empty', 'Give a value'],
  ])('refuses %j and writes nothing', async (args, sentence, wayOut) => {
    const file = newFile();
    const { code, stderr, text } = await assay(['waive', ...args, '--waivers', file]);
    expect(code, text).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr).toContain(wayOut);
    expect(existsSync(at(file))).toBe(false);
  });

  it('says so when the folder of the file is missing', async () => {
    const args = ['waive', '4.3/order', '--waivers', 'no such folder/waivers.yaml', ...REASON];
    const { code, stderr } = await assay(args);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'no such folder/waivers.yaml: cannot be written: no such file or folder',
    );
    expect(stderr).not.toContain('.tmp');
  });

  it('leaves a file that is not a waiver file unchanged', async () => {
    const file = newFile();
    writeFileSync(at(file), 'version: 1\nwaivers:\n  - id: 4.3/order\n');
    const before = textOf(file);
    const { code, stderr } = await assay(['waive', '4.3/order', '--waivers', file, ...REASON]);
    expect(code).toBe(2);
    expect(stderr).toContain('[ASSAY_WAIVERS]');
    expect(textOf(file)).toBe(before);
  });
});

describe('from a failing run to a waiver to a passing run', () => {
  it('covers a violation and an inconclusive outcome, and can be renewed from a run that used it', async () => {
    // One news page fails, and one list is in the wrong order.
    const server = await disturbed(
      (request, response, answer) => {
        if ((request.url ?? '').startsWith('/v1/news')) response.writeHead(500).end('{}');
        else answer();
      },
      { faults: ['etf-summary-oldest-first'] },
    );
    const run = (output: string, ...args: string[]) =>
      assay([
        'run',
        '-t',
        server.target,
        '--format',
        'json',
        '--only',
        '4.2/news,4.3',
        '-o',
        output,
        ...args,
      ]);
    const resultsIn = (output: string) => JSON.parse(textOf(`${output}/results.json`)) as Results;
    try {
      const first = await run('red');
      expect(first.code, first.text).toBe(1);
      const red = resultsIn('red').requirements.filter(({ outcome }) =>
        ['failed', 'inconclusive'].includes(outcome),
      );
      expect(new Set(red.map(({ outcome }) => outcome))).toEqual(
        new Set(['failed', 'inconclusive']),
      );
      const ids = red.map(({ id }) => id);
      const waived = await assay([
        'waive',
        ...ids,
        '--run',
        'red',
        '--waivers',
        'w.yaml',
        ...REASON,
      ]);
      expect(waived.code, waived.text).toBe(0);
      const green = await run('green', '--waivers', 'w.yaml');
      expect(green.code, green.text).toBe(0);
      expect(resultsIn('green')).toMatchObject({ verdict: 'no-violation', failing: [] });
      const { must } = resultsIn('green').summary;
      expect(must).toMatchObject({ failed: 0, inconclusive: 0, waived: ids.length });
      expect(green.stdout).toMatch(
        /~ 1 waived \(must\): .*inconclusive:\s+GET\s+\/news answered 500/,
      );
      const again = await assay([
        'waive',
        ...ids,
        '--run',
        'green',
        '--waivers',
        'again.yaml',
        ...REASON,
      ]);
      expect(again.code, again.text).toBe(0);
      expect(waiversIn('again.yaml')).toEqual(waiversIn('w.yaml'));
    } finally {
      await server.close();
    }
  });
});
