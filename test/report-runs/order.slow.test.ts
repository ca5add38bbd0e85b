// Findings of real runs in the order of harm, one defect at a time, each with an example that can be sent again.
import { beforeAll, describe, expect, it } from 'vitest';
import { groupCauses } from '../../src/report/analysis/causes.ts';
import type { Cause } from '../../src/report/analysis/causes.ts';
import { isBreach, adviceFor } from '../../src/report/analysis/seen.ts';
import { refusalWords, roleMatrix } from '../../src/report/analysis/role-matrix.ts';
import { sendAgain } from '../../src/report/analysis/send-again.ts';
import { pageData } from '../../src/report/page/data.ts';
import { exchangeRows, searchable } from '../../src/report/page/view/lists.tsx';
import { compileQuery } from '../../src/report-app/query.ts';
import { start } from '../cli/assay.ts';
import { served } from '../cli/served.ts';
import { serving } from '../trust/servers.ts';
import {
  FORMATS,
  idsOf as idsOfRun,
  MANY,
  readRun,
  resultsWith,
  runOf,
  runWith,
  textOf,
} from './real-runs.ts';
import type { RealRun } from './real-runs.ts';

let many: RealRun;
let causes: readonly Cause[];
const idsOf = (cause: Cause | undefined): readonly string[] =>
  cause?.requirements.map(({ id }) => id) ?? [];
const placeOf = (id: string): number => causes.findIndex((cause) => idsOf(cause).includes(id));
beforeAll(async () => {
  many = await runWith(MANY);
  causes = groupCauses(many.results);
});

describe('10: causes in the order of harm', () => {
  it('let in, limiter, 5xx, data, refusals, wording', () => {
    const order = [
      '5/forbidden',
      '8/limit-enforced',
      '4/no-5xx',
      '2.2/price',
      '7/status-agrees',
      '7/currency-not-found-message',
    ].map(placeOf);
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it('a reset that wobbles is behind a key that is let in', async () => {
    const results = await resultsWith(
      ['forbidden-admitted-charts', 'header-reset-wobbles'],
      ['--only', '5,8'],
    );
    const ids = groupCauses(results).flatMap(idsOf);
    expect(ids).toContain('8/reset-steady');
    expect(ids[0]).toBe('5/forbidden');
  });

  it('and the exit line names every violated requirement in that order, in every format', () => {
    const failed = idsOfRun(many, 'failed');
    const [, named = ''] =
      /Exit code 1: violated: ([^\s,]+(?:, [^\s,]+)*)/.exec(many.terminal) ?? [];
    const order = named.split(', ');
    expect(order.toSorted()).toEqual(failed.toSorted());
    const examples = causes.flatMap(({ outcome, example }) =>
      outcome === 'failed' ? [order.indexOf(example.requirement.id)] : [],
    );
    expect(examples.length).toBeGreaterThan(8);
    expect(examples).toEqual(examples.toSorted((a, b) => a - b));
    expect(many.markdown.replaceAll('`', '').replace(/ +/g, ' ')).toContain(order.join(' , '));
    expect(textOf(many.junit)).toContain(named);
    const first = textOf(many.html.slice(0, many.html.indexOf('id="first-screen-end"')));
    for (const id of order) expect(first).toContain(id);
  });

  it('has every breach on the first screen, whatever else there is', () => {
    const breaches = causes.filter(({ harm }) => isBreach(harm));
    const first = many.html.slice(0, many.html.indexOf('id="first-screen-end"'));
    expect(breaches.map(idsOf)).toEqual([['5/forbidden']]);
    expect(causes.length).toBeGreaterThan(12);
    for (const { id } of breaches) expect(first).toContain(`href="#f-${id}"`);
  });

  it('never sums up keys that were let in and keys that were refused otherwise', () => {
    expect(refusalWords(roleMatrix(many.results))).toMatch(
      /, 1 with the wrong error; the restricted key was refused in 1 of 2 pairs of key and endpoint, 1 accepted at least once$/,
    );
  });
});

describe('11: one defect, one cause', () => {
  it.each([
    ['a 422 for a 400', ['error-status-422'], ['--only', '4.1,4.3,7'], 4],
    ['a 500', ['macro-zero-crash'], ['--only', '4,4.6,7'], 2],
    ['a value that should be refused', ['summary-symbol-any'], ['--only', '4.3,7'], 2],
  ])('%s', async (_, faults, part, least) => {
    const results = await resultsWith(faults, part);
    const own = groupCauses(results);
    expect(own.map(idsOf)).toHaveLength(1);
    expect(idsOf(own[0]).length).toBeGreaterThanOrEqual(least);
    // What follows stands below, and is named.
    expect(own[0]?.example.requirement.level).toBe('must');
  });
});

describe('12: the example is the simplest request that shows it', () => {
  it('with a valid key where one shows it, in English, spelled as usual', () => {
    const foreign = /language=(?!en)/;
    let inEnglish = 0;
    for (const { exchange, members } of causes) {
      if (exchange === null) continue;
      const shownBy = members.flatMap(({ finding }) =>
        many.results.exchanges.filter(({ id }) => id === finding.exchange),
      );
      const valid = shownBy.filter(({ role }) => role === 'valid');
      if (valid.length > 0) expect(exchange.role).toBe('valid');
      expect(exchange.role).not.toBe('nearQuota');
      const urls = (valid.length > 0 ? valid : shownBy).map(({ request }) => request.url);
      // Which pages show a defect of news depends on the news of the hour.
      if (urls.every((url) => foreign.test(url)) || !urls.some((url) => foreign.test(url)))
        continue;
      expect(exchange.request.url).not.toMatch(foreign);
      inEnglish += 1;
    }
    expect(inEnglish).toBeGreaterThan(0);
    const order = causes[placeOf('4.3/order')];
    expect(order?.exchange?.request.url).toMatch(/symbol=[A-Z]+&country_code=[A-Z]+$/);
  });
});

describe('13: the loop of a limiter waits for a fresh window', () => {
  it('before its first request', () => {
    const cause = causes[placeOf('8/limit-enforced')];
    if (cause?.exchange == null) throw new Error('no exchange');
    const command = sendAgain(many.results, '8/limit-enforced', cause.exchange);
    expect(command).toMatch(
      /^echo 'waiting 61 s for a fresh window; count only responses with the same X-RateLimit-Reset'; sleep 61; for n in 1 /,
    );
  });
});

describe('14: what has no verdict has a first screen of its own', () => {
  const own = (run: RealRun): void => {
    const summary = run.html.slice(run.html.indexOf('id="summary"'));
    const first = summary.slice(0, summary.indexOf('<section class="view"'));
    expect(first).toContain('Next steps');
    for (const box of ['box-found', 'box-budget', 'box-keys', 'box-gaps', 'id="coverage"'])
      expect(first).not.toContain(box);
  };

  it('a wrong service, which answers everything with a page and 200', async () => {
    const server = await serving((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Sign in</title>');
    });
    try {
      const run = await runOf(['-u', server.origin, '-k', 'some-key']);
      own(run);
      expect(run.code).toBe(3);
      expect(run.page).toContain('assay doctor --base-url');
      expect(run.html).not.toContain('id="not-verified"');
      expect(run.junit).toMatch(/<testsuites name="assay" tests="\d+" failures="0" errors="1"/);
      expect(run.terminal).not.toContain('Not verified:');
      expect(run.terminal).toContain('is not the service under test');
      expect(run.terminal).not.toMatch(/✗ violation|[1-9]\d* findings|of 10 languages/);
      const cells = roleMatrix(run.results).rows.flatMap((row) => row.cells);
      expect(cells.filter(({ outcome }) => outcome === 'passed')).toEqual([]);
      expect(run.html).not.toMatch(/<td class="cell passed"/);
    } finally {
      await server.close();
    }
  });

  it('an interrupted run', async () => {
    const server = await served({});
    const running = start(['run', '-t', server.target, '-o', 'cut', '--format', FORMATS]);
    try {
      await running.until('progress:');
      running.child.kill('SIGINT');
      const run = readRun('cut', await running.ended);
      expect(run.code).toBe(130);
      expect(run.terminal).toContain('INTERRUPTED');
      expect(run.terminal).toMatch(/: assay run --target \S.* --resume cut/);
      expect(run.terminal).not.toContain('(100 %)');
      expect(run.results.verdict).toBe('interrupted');
      expect(idsOfRun(run, 'passed').length).toBeGreaterThan(0);
      own(run);
      expect(run.page).toContain('--resume cut');
      expect(run.page).not.toContain('FOLDER');
      expect(run.junit).toMatch(/<testsuites name="assay" tests="\d+" failures="0" errors="1"/);
    } finally {
      await server.stop();
    }
  });
});

describe('6: the mark stands at what is wrong', () => {
  it('which is the status if the code is right', async () => {
    const faults = ['unknown-key-403', 'error-status-422', 'summary-dot-us-refused'];
    const results = await resultsWith(faults, ['--only', '4.3,5,7']);
    const wrong = results.requirements.filter(({ outcome }) =>
      ['failed', 'warned'].includes(outcome),
    );
    expect(wrong.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['4.3/listed', '5/unknown-key', '7/status-agrees']),
    );
    for (const { id, findings, checks, outcome } of wrong) {
      expect(
        findings.map(({ pointer }) => pointer),
        id,
      ).not.toContain('/code');
      expect(
        checks.map((one) => one.outcome),
        id,
      ).toContain(outcome);
    }
    // A listed pair that is refused is lost data, not a wrong refusal, and has advice of its own.
    const listed = groupCauses(results).find(
      ({ example }) => example.requirement.id === '4.3/listed',
    );
    if (listed === undefined) throw new Error('no cause');
    const refusals = groupCauses(results).filter(({ harm }) => harm > listed.harm);
    expect(refusals.flatMap(idsOf)).toContain('5/unknown-key');
    expect(adviceFor(listed.example, listed.exchange, results).why).toContain('get no data');
  });
});

describe('14: a run against a dead port', () => {
  it('can be resumed, in every report', async () => {
    const run = await runOf(['-u', 'http://127.0.0.1:9/v1', '-k', 'some-key']);
    expect(run.code).toBe(3);
    const folder = /--resume (real-\d+)/.exec(run.terminal)?.[1] ?? 'none';
    expect(run.page).toContain(`--resume ${folder}`);
    expect(run.page).not.toContain('FOLDER');
    expect(JSON.stringify(run.results)).not.toContain(folder);
  });
});

describe('15: search finds what is on the page', () => {
  it('an id, a word of what was found, and a role beside an outcome', () => {
    const { results } = many;
    const { data } = pageData(results, causes);
    const rows = exchangeRows(data, (id) => (id === 'x1' ? 'Aardvark of a body' : ''));
    const find = (query: string): readonly string[] =>
      rows.filter(compileQuery(query)).map(({ elementId }) => elementId);
    const breach = causes[0]?.exchange?.id ?? '';
    expect(find(breach)).toContain(`x-${breach}`);
    expect(find('aardvark')).toEqual(['x-x1']);
    expect(find('role:restricted is:failed')).toContain(`x-${breach}`);
    expect(find('"status 403 and code 400301"')).toContain(`x-${breach}`);
    const requirements = (query: string): readonly string[] =>
      data.requirements
        .filter((one) => compileQuery(query)(searchable(one, data)))
        .map(({ id }) => id);
    expect(requirements('role:restricted is:failed')).toContain('5/forbidden');
    expect(requirements(breach)).toContain('5/forbidden');
  });
});
