import { describe, expect, it } from 'vitest';
import { gateByBaseline } from '../../src/report/model/baseline-gate.ts';
import { diffResults } from '../../src/report/model/diff.ts';
import { fixesSince } from '../../src/report/model/fixed.ts';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { FindingKind } from '../../src/judge/messages.ts';
import type { CheckResult, Results } from '../../src/report/model/results.ts';
import type { Exchange, KeyRole } from '../../src/spec/exchange.ts';
import type { KeyVariation } from '../../src/spec/near-keys.ts';
import { makeExchange, makeRequirement, makeResults } from './fixture.ts';

const ID = '4.3/order';

interface Request {
  readonly endpoint?: EndpointPath;
  readonly path?: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly status?: number;
  readonly role?: KeyRole;
}

const sent = (number: number, { path = '/news', ...parts }: Request): Exchange =>
  makeExchange(number, { endpoint: null, path, ...parts });

const check = (title: string, ...exchanges: readonly string[]): CheckResult => ({
  title,
  outcome: 'passed',
  reason: null,
  exchanges,
  ms: 1,
});

/** A run in which x1 violated the requirement, found by a check. */
const before = (request: Request, title = 'one', owner = ID): Results => {
  const finding = { message: 'm', expected: 'e', actual: 'a', pointer: null, exchange: 'x1' };
  const checks = [check(title, 'x1')];
  const failed = makeRequirement(ID, 'failed', { findings: [finding], checks: [] });
  return {
    ...makeResults(),
    requirements:
      owner === ID
        ? [{ ...failed, checks }]
        : [failed, makeRequirement(owner, 'passed', { checks })],
    exchanges: [sent(1, request)],
  };
};

/** What shows the fix in a run in which the requirement passes, judged on x1 alone. */
function fixOf(
  earlier: Results,
  requests: readonly Request[],
  { checks = [], ...more }: Partial<Results> & { checks?: readonly CheckResult[] } = {},
): readonly string[] | null {
  const now = makeRequirement(ID, 'passed', { exchanges: ['x1'], checks });
  const other = makeRequirement('4.2/news', 'passed', { checks });
  const after = { ...makeResults(), requirements: [now, other], ...more };
  const exchanges = requests.map((request, index) => sent(index + 1, request));
  return fixesSince(earlier, { ...after, exchanges })(now);
}

describe('a violation is fixed', () => {
  const page = (value: string): Request => ({ query: [['page', value]] });

  it('when any refusal of the limiter is right in what was wrong in one: which request is refused is chance', () => {
    const fixOfPart = (section: string, pointer: string | null, requests: readonly Request[]) => {
      const earlier = before({ path: '/etfs', status: 429 });
      const [red] = earlier.requirements;
      const findings = red?.findings.map((one) => ({ ...one, pointer })) ?? [];
      const now = { ...makeRequirement(ID, 'passed', { exchanges: ['x1', 'x2'] }), section };
      const exchanges = requests.map((one, index) => sent(index + 1, one));
      return fixesSince(
        { ...earlier, requirements: [{ ...makeRequirement(ID, 'failed'), findings }] },
        { ...makeResults(), requirements: [now], exchanges },
      )(now);
    };
    const others = [{ path: '/news' }, { path: '/indices', status: 429 }];
    expect(fixOfPart('8', '/message', others)).toEqual(['x2']);
    expect(fixOfPart('8', '/message', [{ path: '/news' }])).toBeNull();
    expect(fixOfPart('8', null, others)).toBeNull();
    expect(fixOfPart('7', '/message', others)).toBeNull();
  });

  it('when the request that showed it was answered again, by whichever check', () => {
    expect(fixOf(before(page('7')), [page('1'), page('7')])).toEqual(['x2']);
    expect(fixOf(before(page('7')), [page('1'), page('8')])).toBeNull();
    for (const other of [{ path: '/etfs' }, { role: 'restricted' }, { status: 503 }] as const)
      expect(fixOf(before(page('7')), [page('1'), { ...page('7'), ...other }])).toBeNull();
  });

  it('by another status only where that was judged', () => {
    const refused = { ...page('7'), status: 400 };
    expect(fixOf(before(refused), [page('7')])).toEqual(['x1']);
    expect(fixOf(before(refused), [page('1'), page('7')])).toBeNull();
  });

  describe('when its check sent the request again with other times or ids', () => {
    const since = (time: string, { category = '1', ...more } = {}): Request => ({
      endpoint: '/news',
      query: [
        ['category', category],
        ['start_time', time],
      ],
      ...more,
    });
    const old = before(since('7'));
    const again = { checks: [check('one', 'x1')] };

    it('and judged the answer, with the same profile, seed and fixtures', () => {
      expect(fixOf(old, [since('8')], again)).toEqual(['x1']);
      const left = [{ ...check('one'), outcome: 'untested' as const }];
      expect(fixOf(old, [since('8')], { checks: left })).toBeNull();
      for (const other of [{ profile: 'smoke' }, { seed: 8 }])
        expect(fixOf(old, [since('8')], { ...again, ...other })).toBeNull();
    });

    it('also if it is the check of another requirement', () => {
      expect(fixOf(before(since('7'), 'one', '4.2/news'), [since('8')], again)).toEqual(['x1']);
      expect(fixOf(before(since('7'), 'two', '4.2/news'), [since('8')], again)).toBeNull();
    });

    it('but not with another value of another parameter', () => {
      expect(fixOf(old, [since('7', { category: '4' })], again)).toBeNull();
      expect(fixOf(before(page('7')), [page('8')], again)).toBeNull();
    });

    it('unless another violation was found in the answer', () => {
      const findings = [
        { message: 'm', expected: 'e', actual: 'a', pointer: null, exchange: 'x1' },
      ];
      const other = makeRequirement('4.3/window', 'failed', { findings });
      const now = makeRequirement(ID, 'passed', { exchanges: ['x1'], ...again });
      const exchanges = [sent(1, since('8'))];
      const after = { ...makeResults(), requirements: [now, other], exchanges };
      expect(fixesSince(old, after)(now)).toBeNull();
      // Whatever a refusal of the limiter says, that it refuses shows that it does.
      expect(fixesSince(old, after)({ ...now, section: '8' })).toEqual(['x1']);
      expect(fixesSince(old, after)({ ...now, section: '8', exchanges: [] })).toBeNull();
    });
  });
});

describe('a known violation got worse', () => {
  const KEY = '5/unknown-key';
  const run = (kind: FindingKind, paths: readonly EndpointPath[], asked = paths): Results => {
    const exchanges = asked.map((path, index) =>
      makeExchange(index + 1, { endpoint: null, path, role: 'unknown' }),
    );
    const findings = paths.map((endpoint, index) => ({
      message: kind,
      expected: 'e',
      actual: kind,
      pointer: null,
      replay: null,
      kind,
      endpoint,
      role: 'unknown' as const,
      exchange: `x${index + 1}`,
    }));
    const requirements = [makeRequirement(KEY, 'failed', { findings })];
    return { ...makeResults(), exitCode: 1, failing: [], waivers: [], exchanges, requirements };
  };
  const refused = run('refused-otherwise', ['/news', '/etfs']);
  const letIn = run('let-in', ['/news']);
  const letInAs = (variation: KeyVariation): Results => ({
    ...letIn,
    exchanges: letIn.exchanges.map((one) => ({ ...one, variation })),
  });

  it.each([
    ['a key that was refused is let in', run('let-in', ['/news', '/etfs']), refused],
    [
      'it is let in elsewhere, too',
      run('let-in', ['/news', '/etfs']),
      run('let-in', ['/news'], ['/news', '/etfs']),
    ],
    ['it makes the server fail', run('crashed', ['/news', '/etfs']), refused],
    [
      'the server fails elsewhere, too',
      run('server-error', ['/news', '/etfs']),
      run('server-error', ['/etfs'], ['/etfs', '/news']),
    ],
    [
      'the same is seen at an endpoint that was right',
      run('author-text-differs', ['/news', '/etfs']),
      run('author-text-differs', ['/etfs'], ['/etfs', '/news']),
    ],
    ['another word or spelling is let in', letInAs('null'), letInAs('shorter')],
    ['any unknown key is let in', letIn, letInAs('shorter')],
  ])('where %s', (_, now, earlier) => {
    const gated = gateByBaseline(now, earlier, ['must']);
    expect(gated.gate).toMatchObject({ regressions: [KEY], known: [] });
    expect(gated.exitCode).toBe(1);
    expect(diffResults(earlier, now).changes.map(({ kind }) => kind)).toEqual(['new-violation']);
  });

  const LIMIT = '8/limit-enforced';
  const LOST = '8/reset';
  /** A run whose limiter admits one too many of the valid keys. */
  const limiter = (ofRestricted: 'passed' | 'failed', rest: 'passed' | 'untested'): Results => {
    const { requirements, ...more } = run('admitted-beyond-limit', ['/news', '/etfs']);
    const findings = requirements[0]?.findings ?? [];
    const own = makeRequirement(LIMIT, 'failed', {
      findings: ofRestricted === 'passed' ? findings.slice(0, 1) : findings,
      checks: [
        { ...check('valid', 'x1'), outcome: 'failed' },
        { ...check('restricted', 'x2'), outcome: ofRestricted },
      ],
    });
    const lost = makeRequirement(LOST, rest);
    const follows = rest === 'passed' ? [] : [LIMIT];
    return { ...more, requirements: [own, { ...lost, follows, cause: { kind: 'data' } }] };
  };

  it('where a check fails that passed, and blames the target for what that keeps from being judged', () => {
    const [known, worse] = [limiter('passed', 'passed'), limiter('failed', 'untested')];
    expect(gateByBaseline(worse, known, ['must'])).toMatchObject({
      exitCode: 1,
      gate: { regressions: [LIMIT], known: [] },
    });
    expect(diffResults(known, worse).changes).toMatchObject([
      { subject: LIMIT, kind: 'new-violation', exchanges: ['x2'], worse: ['x2'] },
      { subject: LOST, kind: 'newly-unverified', because: 'target' },
    ]);
    const same = limiter('passed', 'untested');
    expect(diffResults(known, same).changes).toMatchObject([
      { subject: LIMIT, kind: 'still-violated' },
      { subject: LOST, because: 'data' },
    ]);
    expect(gateByBaseline(known, worse, ['must']).gate).toMatchObject({ known: [LIMIT] });
  });

  const withoutKinds: Results = {
    ...refused,
    requirements: refused.requirements.map((one) => ({
      ...one,
      findings: one.findings.map(({ kind: _kind, ...finding }) => finding),
    })),
  };

  it.each([
    ['the same is seen', refused, refused],
    [
      'the same is seen at an endpoint that nobody asked before',
      run('author-text-differs', ['/news', '/etfs']),
      run('author-text-differs', ['/news']),
    ],
    ['the server fails as before', run('server-error', ['/etfs']), run('server-error', ['/etfs'])],
    ['an earlier version kept no kinds', run('let-in', ['/news', '/etfs']), withoutKinds],
    [
      'it is let in where nobody asked before',
      run('let-in', ['/news', '/etfs']),
      run('let-in', ['/news']),
    ],
    ['a spelling is let in where any unknown key was', letInAs('null'), letIn],
    ['it is refused where it was let in', refused, run('let-in', ['/news', '/etfs'])],
  ])('but not where %s', (_, now, earlier) => {
    expect(gateByBaseline(now, earlier, ['must']).gate).toMatchObject({ known: [KEY] });
  });
});
