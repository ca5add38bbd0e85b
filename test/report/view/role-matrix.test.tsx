import { describe, expect, it } from 'vitest';
import { ENDPOINT_PATHS, type EndpointPath } from '../../../src/spec/endpoints.ts';
import { KEY_ROLES, type Exchange, type KeyRole } from '../../../src/spec/exchange.ts';
import { missingSetting } from '../../../src/spec/cause.ts';
import { groupCauses } from '../../../src/report/analysis/causes.ts';
import { renderView } from '../../../src/report/page/render.tsx';
import { refusalWords, roleMatrix, seenWords } from '../../../src/report/analysis/role-matrix.ts';
import type { RoleCell } from '../../../src/report/analysis/role-matrix.ts';
import type {
  Outcome,
  RequirementResult,
  Results,
  RunSettings,
} from '../../../src/report/model/results.ts';
import { Page } from '../../../src/report/page/view/parts.tsx';
import { RoleMatrixView } from '../../../src/report/page/view/role-matrix.tsx';
import { accessOf } from '../../../src/requirements/access.ts';
import { HOSTILE_SOME } from '../hostile.ts';
import { makeExchange, makeRequirement, makeResults } from '../fixture.ts';

const REFUSED = JSON.stringify({ code: 400101, message: 'x', details: {} });
const EXPIRED = JSON.stringify({ code: 400102, message: 'x', details: {} });

const asked = (
  number: number,
  role: KeyRole,
  status: number,
  body = '[]',
  endpoint: EndpointPath = '/news',
): Exchange => makeExchange(number, { endpoint, path: endpoint, role, status, body });

const found = (
  id: string,
  exchanges: readonly string[],
  outcome: Outcome = 'failed',
): RequirementResult =>
  makeRequirement(id, outcome, {
    exchanges,
    findings: exchanges.map((exchange) => ({
      message: 'GET /news answered 200',
      expected: 'status 401',
      actual: 'status 200',
      pointer: null,
      exchange,
    })),
  });

const resultsOf = (
  exchanges: readonly Exchange[],
  requirements: readonly RequirementResult[] = [],
  more: Partial<Results> = {},
): Results => ({ ...makeResults(), exchanges, requirements, ...more });

const cellOf = (results: Results, role: KeyRole, endpoint: EndpointPath = '/news'): RoleCell => {
  const row = roleMatrix(results).rows.find((one) => one.endpoint === endpoint);
  const cell = row?.cells.find((one) => one.role === role);
  if (cell === undefined) throw new Error(`no cell for ${role}`);
  return cell;
};

const drawn = (results: Results): string =>
  renderView(() => (
    <Page value={{ holds: () => true, copy: null }}>
      <RoleMatrixView results={results} causes={groupCauses(results)} />
    </Page>
  ));

describe('what a key is to get', () => {
  it('follows from the rules and names a requirement for each role and endpoint', () => {
    for (const role of KEY_ROLES) {
      for (const path of ENDPOINT_PATHS) {
        expect(accessOf(role, path, ['/news']).requirement, `${role} ${path}`).not.toBeNull();
      }
    }
    expect(accessOf('none', '/news', [])).toMatchObject({
      short: '401',
      requirement: '5/key-required',
    });
    expect(accessOf('expired', '/news', [])).toMatchObject({
      short: '401 400102',
      requirement: '5/expired-key',
    });
    expect(accessOf('restricted', '/news', ['/news']).short).toBe('403 400301');
    expect(accessOf('restricted', '/etfs', ['/news'])).toMatchObject({
      allowed: true,
      requirement: '5/restricted-elsewhere',
    });
  });

  it('takes the five digits of a code as well (ruling 6), and no other code', () => {
    const { isDue } = accessOf('unknown', '/news', []);
    expect([isDue(401, 400101), isDue(401, 40101)]).toEqual([true, true]);
    expect([isDue(401, 400102), isDue(403, 400101), isDue(200, 0)]).toEqual([false, false, false]);
  });
});

describe('the matrix of endpoints and roles', () => {
  it('has a row for each endpoint and a column for each role, those that are let in first', () => {
    const { rows, columns } = roleMatrix(makeResults());
    expect(rows.map(({ endpoint }) => endpoint)).toEqual(ENDPOINT_PATHS);
    expect(columns.map(({ role }) => role).toSorted()).toEqual(KEY_ROLES.toSorted());
    const barred = columns.filter((one) => one.barred).map(({ role }) => role);
    expect(barred).toEqual(columns.slice(3).map(({ role }) => role));
    expect(barred.toSorted()).toEqual(['disabled', 'expired', 'none', 'unknown']);
  });

  it('has the rows where a key was let in first, then those with other findings', () => {
    const exchanges = [
      asked(1, 'unknown', 403, REFUSED, '/news'),
      asked(2, 'unknown', 200, '[]', '/etfs'),
      asked(3, 'none', 200, '[]', '/indices'),
    ];
    const { rows } = roleMatrix(
      resultsOf(exchanges, [found('5/unknown-key', ['x1', 'x2']), found('5/key-required', ['x3'])]),
    );
    const order = ['/indices', '/etfs', '/news'] as const;
    expect(rows.slice(0, 3).map(({ endpoint }) => endpoint)).toEqual(order);
    expect(rows.slice(3).map(({ endpoint }) => endpoint)).toEqual(
      ENDPOINT_PATHS.filter((path) => order.every((one) => one !== path)),
    );
  });

  it('counts what was seen by status and code, what is due first', () => {
    const exchanges = [
      asked(1, 'expired', 429),
      asked(2, 'expired', 429),
      asked(3, 'expired', 401, EXPIRED),
    ];
    const judged = makeRequirement('5/expired-key', 'passed', { exchanges: ['x3'] });
    const cell = cellOf(resultsOf(exchanges, [judged]), 'expired');
    // No tick without a judged answer, however right it looks.
    expect(cellOf(resultsOf(exchanges), 'expired').outcome).toBe('inconclusive');
    expect(cell.outcome).toBe('passed');
    expect(cell.seen.map(seenWords)).toEqual(['401 400102 ×1', '429 ×2']);
  });

  it('shows a difference where a finding stands, with what was wrong first', () => {
    const results = resultsOf(
      [asked(1, 'none', 401, REFUSED), asked(2, 'none', 200), asked(3, 'none', 200)],
      [found('5/key-required', ['x2', 'x3'])],
    );
    const cell = cellOf(results, 'none');
    expect(cell).toMatchObject({
      outcome: 'failed',
      finding: { requirement: '5/key-required', exchange: 'x2' },
    });
    expect(cell.seen.map(seenWords)).toEqual(['200 ×2', '401 400101 ×1']);
    expect(cell.seen.map(({ wrong }) => wrong)).toEqual([true, false]);
  });

  it('shows the answer that let a key in before wrong refusals, however many', () => {
    const exchanges = [
      asked(1, 'unknown', 403, REFUSED),
      asked(2, 'unknown', 403, REFUSED),
      asked(3, 'unknown', 200),
    ];
    const results = resultsOf(exchanges, [found('5/unknown-key', ['x1', 'x2', 'x3'])]);
    const cell = cellOf(results, 'unknown');
    expect(cell.finding).toEqual({ requirement: '5/unknown-key', exchange: 'x3' });
    expect(cell.seen.map(seenWords)).toEqual(['200 ×1', '403 400101 ×2']);
  });

  it('takes the level of the finding: a should warns, and what is waived is waived', () => {
    const exchanges = [asked(1, 'restricted', 403, '{"code":400301}')];
    const [warned, waived] = (['warned', 'waived'] as const).map((outcome) =>
      cellOf(
        resultsOf(exchanges, [found('5/restricted-elsewhere', ['x1'], outcome)]),
        'restricted',
      ),
    );
    expect([warned?.outcome, waived?.outcome]).toEqual(['warned', 'waived']);
  });

  it('accuses nobody of another answer that the judge let pass, and leaves open what it did not judge', () => {
    const exchanges = [asked(1, 'unknown', 400, '{"code":400003}'), asked(2, 'disabled', 503)];
    const judged = makeRequirement('5/unknown-key', 'passed', { exchanges: ['x1'] });
    const results = resultsOf(exchanges, [judged]);
    expect(cellOf(results, 'unknown')).toMatchObject({
      outcome: 'observed',
      why: 'refused for another reason',
    });
    expect(cellOf(results, 'disabled')).toMatchObject({
      outcome: 'inconclusive',
      why: '503 ×1: unclear whether the key was accepted',
    });
  });

  it('does not judge a refused role that also got a server error', () => {
    const exchanges = [asked(1, 'none', 401, REFUSED), asked(2, 'none', 500)];
    const judged = makeRequirement('5/key-required', 'passed', { exchanges: ['x1'] });
    const results = resultsOf(exchanges, [judged]);
    expect(cellOf(results, 'none')).toMatchObject({
      outcome: 'inconclusive',
      why: '401 400101 ×1, 500 ×1: unclear whether the key was accepted',
    });
    expect(refusalWords(roleMatrix(results))).toContain('not judged: 1 inconclusive');
  });

  it('does not tell the reason of another endpoint', () => {
    const elsewhere = makeRequirement('5/key-required', 'inconclusive', {
      exchanges: ['x9'],
      reason: 'GET /currencies answered with status 500',
    });
    expect(cellOf(resultsOf([asked(1, 'none', 503)], [elsewhere]), 'none')).toMatchObject({
      outcome: 'inconclusive',
      why: '503 ×1: unclear whether the key was accepted',
    });
  });

  it('finds a difference although only the first of many findings are on record', () => {
    const ids = Array.from({ length: 20 }, (_, index) => `x${index + 1}`);
    const many = found('5/unknown-key', ids);
    const late = asked(40, 'unknown', 200, '[]', '/etfs');
    const results = resultsOf(
      [late],
      [{ ...many, exchanges: [...ids, 'x40'], unrecorded: ['x40'] }],
    );
    expect(cellOf(results, 'unknown', '/etfs').outcome).toBe('failed');
  });

  it('calls no refusal of a key fine that is to be let in, found or not', () => {
    const kept = asked(40, 'restricted', 403, '{"code":400301}', '/etfs');
    const judged = makeRequirement('5/restricted-elsewhere', 'passed', { exchanges: ['x40'] });
    expect(cellOf(resultsOf([kept], [judged]), 'restricted', '/etfs').outcome).toBe('inconclusive');
    const ids = Array.from({ length: 20 }, (_, index) => `x${index + 1}`);
    const many = found('5/restricted-elsewhere', ids, 'warned');
    const cut = resultsOf([kept], [{ ...many, exchanges: [...ids, 'x40'], unrecorded: ['x40'] }]);
    expect(cellOf(cut, 'restricted', '/etfs').outcome).toBe('warned');
  });

  it('does not hold a wrong body against a key that was let in, but does a refusal', () => {
    const let_in = resultsOf([asked(1, 'valid', 200)], [found('4.2/news', ['x1'])]);
    expect(cellOf(let_in, 'valid').outcome).toBe('passed');
    const kept = resultsOf([asked(1, 'valid', 403)], [found('4.6/analyses', ['x1'])]);
    expect(cellOf(kept, 'valid').outcome).toBe('failed');
  });

  it('counts the restricted key, which is valid, apart from invalid keys', () => {
    const results = resultsOf([asked(1, 'restricted', 200)], [found('5/forbidden', ['x1'])], {
      settings: { forbidden: ['/news'] } as unknown as RunSettings,
    });
    expect(refusalWords(roleMatrix(results))).toBe(
      'Invalid keys were not tested; the restricted key was refused in 0 of 1 pair of key and endpoint, 1 accepted at least once',
    );
  });

  it('counts refusals over the cases that were tested', () => {
    const judged = makeRequirement('5/unknown-key', 'passed', { exchanges: ['x1'] });
    const results = resultsOf([asked(1, 'unknown', 401, REFUSED)], [judged]);
    expect(refusalWords(roleMatrix(results))).toBe(
      `Invalid keys were refused in 1 of 1 pair of key and endpoint, ${4 * ENDPOINT_PATHS.length - 1} not tested; no restricted key was tried`,
    );
  });

  it('does not call a restricted key untested that was tried elsewhere, nor a case judged that is not', () => {
    const settings = { forbidden: ['/news'] } as unknown as RunSettings;
    const elsewhere = resultsOf([asked(1, 'restricted', 200, '[]', '/etfs')], [], { settings });
    expect(refusalWords(roleMatrix(elsewhere))).toContain(
      'the restricted key was not tried where it is forbidden',
    );
    const unclear = resultsOf([asked(1, 'unknown', 403), asked(2, 'unknown', 403, '', '/etfs')]);
    expect(refusalWords(roleMatrix(unclear))).toBe(
      `Invalid keys were not judged: 2 inconclusive, ${4 * ENDPOINT_PATHS.length - 2} not tested; no restricted key was tried`,
    );
  });

  it('counts what --only left out as not tested, whatever was answered', () => {
    const cause = { kind: 'not-selected', by: 'only' } as const;
    const own = makeRequirement('5/unknown-key', 'untested', {
      reason: 'left out by --only',
      cause,
    });
    const cell = cellOf(resultsOf([asked(1, 'unknown', 401, REFUSED)], [own]), 'unknown');
    expect(cell).toMatchObject({ outcome: 'untested', why: 'left out by --only' });
  });

  it('has no tick for a key to be let in without an answer that shows it', () => {
    const exchanges = [asked(1, 'restricted', 404, '{"code":400401}', '/etfs/{ticker}/history')];
    const judged = makeRequirement('5/restricted-elsewhere', 'passed', { exchanges: ['x1'] });
    expect(
      cellOf(resultsOf(exchanges, [judged]), 'restricted', '/etfs/{ticker}/history'),
    ).toMatchObject({ outcome: 'observed', why: 'not refused for its key' });
  });

  it('holds a code of keys with another status against the target where no control succeeded', () => {
    const exchanges = [asked(1, 'unknown', 403, REFUSED, '/news/hot')];
    const results = resultsOf(exchanges, [
      makeRequirement('5/unknown-key', 'failed', { exchanges: [] }),
      found('7/status-agrees', ['x1']),
    ]);
    expect(cellOf(results, 'unknown', '/news/hot')).toMatchObject({
      outcome: 'failed',
      finding: { requirement: '7/status-agrees', exchange: 'x1' },
    });
    expect(refusalWords(roleMatrix(results))).toContain(
      '1 of 1 pair of key and endpoint, 1 with the wrong error',
    );
  });

  it('knows where the restricted key is closed out in a recording, as its judge does', () => {
    const judged = makeRequirement('5/forbidden', 'passed', { exchanges: ['x1'] });
    const results = resultsOf([asked(1, 'restricted', 403, '{"code":400301}')], [judged], {
      facts: { forbidden: ['/news'] },
    });
    expect(cellOf(results, 'restricted').outcome).toBe('passed');
  });

  it('says how a smoke run requests what it left out', () => {
    const results = resultsOf([], [makeRequirement('5/unknown-key', 'failed')], {
      profile: 'smoke',
    });
    expect(cellOf(results, 'unknown').why).toBe(
      'not requested in this run; use --profile standard',
    );
  });

  it('says why a role was not asked: no key, or left out', () => {
    const results = resultsOf(
      [],
      [
        makeRequirement('5/disabled-key', 'untested', {
          reason: 'needs a disabled key',
          cause: missingSetting('keys.disabled'),
        }),
        makeRequirement('5/unknown-key', 'untested', { reason: 'left out by --skip.' }),
      ],
    );
    expect(cellOf(results, 'disabled').why).toBe('no such key: set keys.disabled');
    expect(cellOf(results, 'expired').why).toBe('no such key: set keys.expired');
    expect(cellOf(results, 'unknown').why).toBe('left out by --skip');
    expect(cellOf(results, 'none').why).toBe('not requested in this run');
    const spared = { ...results, target: { ...results.target, keys: { nearQuota: [] } } };
    expect(cellOf(spared, 'nearQuota').why).toBe('the monitor does not use the near-quota key');
    const { rows } = roleMatrix(results);
    expect(rows.flatMap(({ cells }) => cells).map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 7 * ENDPOINT_PATHS.length }, () => 'untested'),
    );
  });
});

describe('a refusal with the status of a success', () => {
  it('is no access as expected', () => {
    const limited = JSON.stringify({ code: 402901, message: 'Rate limit exceeded', details: {} });
    const exchanges = [asked(1, 'valid', 200), asked(2, 'valid', 200, limited)];
    const passed = makeRequirement('4.2/news', 'passed', { exchanges: ['x1'] });
    const cell = cellOf(resultsOf(exchanges, [passed]), 'valid');
    expect(cell.seen.map(({ due, count }) => [due, count])).toEqual([
      [true, 1],
      [false, 1],
    ]);
  });
});

describe('the table of the matrix', () => {
  it('leads from a difference to its finding and to an exchange', () => {
    const results = resultsOf([asked(2, 'none', 200)], [found('5/key-required', ['x2'])]);
    const [cause] = groupCauses(results);
    const markup = drawn(results);
    expect(markup).toContain(`href="#f-${cause?.id}"`);
    expect(markup).toContain('href="#x-x2"');
    expect(markup).toContain('class="cell failed"');
  });

  it('tells a key that was let in from a wrong refusal, in sign, words and sum', () => {
    const settings = { forbidden: ['/news', '/etfs'] } as unknown as RunSettings;
    const exchanges = [
      asked(1, 'unknown', 200),
      asked(2, 'restricted', 401, '{"code":400301}'),
      asked(3, 'restricted', 401, '{"code":400301}', '/etfs'),
    ];
    const requirements = [found('5/unknown-key', ['x1']), found('5/forbidden', ['x2', 'x3'])];
    const markup = drawn(resultsOf(exchanges, requirements, { settings }));
    expect(markup).toMatch(/✗<\/span><\/span> 1 let in</);
    expect(markup).toMatch(/≠<\/span><\/span> 2 refused with the wrong error</);
    expect(markup.match(/title="refused with the wrong error; expected/g)).toHaveLength(2);
    expect(markup.match(/title="let in; expected/g)).toHaveLength(1);
  });

  it('is whole when nothing was asked', () => {
    const markup = drawn(resultsOf([]));
    expect(markup.match(/class="cell untested"/g)).toHaveLength(7 * ENDPOINT_PATHS.length + 1);
    expect(markup).not.toContain('href="#x-');
  });

  it('keeps hostile text inert', () => {
    const text = HOSTILE_SOME.join(' ');
    const results = resultsOf(
      [asked(1, 'none', 200, text), asked(2, 'unknown', 500, text)],
      [
        found('5/key-required', ['x1']),
        makeRequirement('5/unknown-key', 'inconclusive', { reason: text }),
      ],
      { profile: `<img src=x onerror=alert(1)>` },
    );
    const markup = drawn(results);
    expect(markup).toContain('&lt;img');
    expect(markup).not.toMatch(/<(?:script|img|iframe|style)/i);
  });
});
