import { describe, expect, it } from 'vitest';
import { validate } from '../../src/judge/schema/schemas.ts';
import { countFindings, groupCauses, warningsAmong } from '../../src/report/analysis/causes.ts';
import type { Cause } from '../../src/report/analysis/causes.ts';
import { asShown } from '../../src/report/analysis/shown.ts';
import { renderJUnit } from '../../src/report/formats/junit.ts';
import { shownBy } from '../../src/report/model/status.ts';
import { renderHtml } from '../../src/report/page/page.tsx';
import { outlineOf } from '../../src/report/analysis/outline.ts';
import { commandsOf, withAskers } from '../../src/report/analysis/rerun.ts';
import type { RequirementResult, ResultFinding, Results } from '../../src/report/model/results.ts';
import { LOAD_RESULT } from '../load/load-result.ts';
import { makeExchange, makeRequirement, makeResults } from './fixture.ts';

function results(requirements: readonly RequirementResult[], more: Partial<Results> = {}): Results {
  return { ...makeResults(), requirements, ...more };
}

function finding(parts: Partial<ResultFinding>): ResultFinding {
  return { message: 'wrong', expected: 'a', actual: 'b', pointer: null, exchange: 'x1', ...parts };
}

/** A figure that was sent as a string. */
function text(id: string): RequirementResult {
  return makeRequirement(id, 'failed', {
    findings: [
      finding({
        kind: 'field-string',
        message: `"${id}" is a string`,
        expected: 'a JSON number',
        actual: `"${id}" (string)`,
        pointer: `/0/${id}`,
      }),
    ],
  });
}

describe('groupCauses', () => {
  it('makes one cause of what a run and a load scenario found, shown by the run', () => {
    const limited = makeRequirement('8/limit-enforced', 'failed', {
      findings: [finding({ kind: 'limit-exceeded', message: 'the 21st was admitted' })],
    });
    const [cause, ...others] = groupCauses(results([limited], { load: [LOAD_RESULT] }));
    expect(others).toEqual([]);
    expect(cause?.exchange?.id).toBe('x1');
    expect(cause?.scenarios).toEqual([0]);
    expect(cause?.requirements).toEqual([limited]);
  });

  it('finds what only load shows, before what does less harm, and repeats it with the load', () => {
    const run = results([text('2.2/price')], { load: [LOAD_RESULT] });
    const causes = groupCauses(run);
    expect(causes.map(({ requirements: [one] }) => one?.id)).toEqual([
      '8/limit-enforced',
      '2.2/price',
    ]);
    const [first] = causes;
    const commands = first === undefined ? [] : commandsOf(run, first);
    expect(commands.map(([, command]) => command)).toEqual(['assay load rl-exact']);
  });

  it('makes one cause of the findings of one requirement and shows the smallest exchange', () => {
    const causes = groupCauses(makeResults());
    const unlisted = causes.find((cause) => cause.requirements[0]?.id === '4.3/unlisted');
    expect(unlisted?.members).toHaveLength(2);
    expect(unlisted?.exchange?.id).toBe('x2');
    expect(unlisted?.endpoints).toEqual(['/etfs/summary-history']);
  });

  it('makes one cause of the same mistake on many endpoints', () => {
    const requirements = ['/news', '/etfs', '/indices'].map((path, index) =>
      makeRequirement(`7/code-${index}`, 'failed', {
        findings: [
          finding({
            message: `GET ${path} answers with another code`,
            expected: 'code 400402',
            actual: '404 (number)',
            pointer: '/code',
            exchange: 'x7',
          }),
        ],
      }),
    );
    const other = makeRequirement('5/unknown-key', 'failed', {
      findings: [
        finding({
          message: 'GET /etfs answers with another code',
          expected: 'code 400101',
          actual: '404 (number)',
          pointer: '/code',
        }),
      ],
    });
    const causes = groupCauses(results([...requirements, other]));
    expect(causes.map((cause) => cause.requirements.map((one) => one.id))).toEqual([
      // Wrong refusals and missing ones do as much harm: the spread decides.
      ['7/code-0', '7/code-1', '7/code-2'],
      ['5/unknown-key'],
    ]);
  });

  it('joins the same mistake on several fields of one section, not of two sections', () => {
    const causes = groupCauses(
      results([text('2.10/actual'), text('2.10/forecast'), text('2.4/open')]),
    );
    expect(causes.map((cause) => cause.requirements.length)).toEqual([2, 1]);
  });

  it('makes one cause of one fault, whatever value was asked for, and copies no near-quota key', () => {
    const languages = ['zh', 'fr', 'tr'];
    const exchanges = languages.map((language, index) =>
      makeExchange(index + 1, {
        endpoint: '/news',
        path: '/news',
        query: [['language', language]],
        role: language === 'fr' ? 'nearQuota' : 'valid',
      }),
    );
    const findings = languages.map((language, index) =>
      finding({
        kind: 'other-language',
        expected: `a text (${language})`,
        exchange: `x${index + 1}`,
      }),
    );
    const of = (id: string, own: readonly ResultFinding[], seen: readonly string[]) =>
      makeRequirement(id, own.length === 0 ? 'passed' : 'failed', {
        findings: own,
        checks: [{ title: '', outcome: 'failed', reason: null, exchanges: seen, ms: 1 }],
      });
    const quote = of('4.2/quote-language', findings.slice(0, 2), ['x1']);
    const run = results(
      [
        of('4.2/language', findings, []),
        quote,
        of('8/quota-answer', [], ['x2']),
        of('4.2/total', [], ['x3']),
      ],
      { exchanges },
    );
    const [cause, ...others] = groupCauses(run);
    expect(others).toEqual([]);
    expect(cause?.members).toHaveLength(5);
    const commands = cause === undefined ? [] : commandsOf(run, cause).map(([, one]) => one);
    expect(commands.join()).not.toMatch(/NEAR_QUOTA|quota-answer|4\.2\/total/);
    expect(withAskers(run, '4.2/language')).not.toContain('8/quota-answer');
    expect(withAskers(run, '4.2/language')).toContain('4.2/total');
  });

  it('keeps a finding in an answer that was let in with its own cause where a valid key gets the same', () => {
    const exchanges = [
      makeExchange(1, { endpoint: '/news', path: '/news', role: 'restricted' }),
      makeExchange(2, { endpoint: '/news', path: '/news' }),
    ];
    const tags = (...at: readonly string[]): RequirementResult =>
      makeRequirement('2.7/html-tags', 'failed', {
        findings: at.map((exchange) => finding({ kind: 'tags', pointer: '/list', exchange })),
      });
    const letIn = makeRequirement('5/forbidden', 'failed', {
      findings: [finding({ kind: 'let-in', exchange: 'x1' })],
    });
    const settings = { forbidden: ['/news'] } as unknown as Results['settings'] & object;
    const ids = (...own: readonly RequirementResult[]): readonly (readonly string[])[] =>
      groupCauses(results(own, { exchanges, settings })).map(({ requirements }) =>
        requirements.map(({ id }) => id),
      );
    expect(ids(tags('x1', 'x2'), letIn)).toEqual([['5/forbidden'], ['2.7/html-tags']]);
    expect(ids(tags('x1'), letIn)).toEqual([['2.7/html-tags', '5/forbidden']]);
  });

  it('repeats with a valid key what only the near-quota key was answered, and reruns no check for it', () => {
    const at = { endpoint: '/news', path: '/news' } as const;
    const exchanges = [makeExchange(1, at), makeExchange(2, { ...at, role: 'nearQuota' })];
    const of = (id: string): readonly string[] => {
      const run = results(
        [makeRequirement(id, 'failed', { findings: [finding({ exchange: 'x2' })] })],
        { exchanges },
      );
      return groupCauses(run).flatMap((cause) => commandsOf(run, cause).flat());
    };
    const content = of('4.2/page-full').join(' ');
    expect(content).toContain('with the key in ASSAY_API_KEY: curl');
    expect(content).toContain('${ASSAY_API_KEY%%,*}');
    expect(content).not.toMatch(/NEAR_QUOTA|--only/);
    expect(of('8/quota').join(' ')).toMatch(/ASSAY_NEAR_QUOTA_KEY.*--only 8\/quota/s);
  });

  it('makes one cause of what is wrong with the same value or the whole body of the same refusal, and of nothing more', () => {
    const at = { endpoint: '/news', path: '/news', status: 429 } as const;
    const exchanges = [makeExchange(1, at), makeExchange(2, at)];
    const of = (id: string, pointer: string, ...seen: readonly string[]) =>
      makeRequirement(id, 'failed', {
        findings: seen.map((exchange) => finding({ kind: id, exchange, pointer })),
      });
    const causes = (...requirements: readonly RequirementResult[]) =>
      groupCauses(results(requirements, { exchanges })).map((one) => one.requirements.length);
    const quota = of('8/quota', '', 'x1');
    expect(causes(quota, of('7/error-shape', '', 'x1'))).toEqual([2]);
    expect(causes(quota, of('7/error-shape', '', 'x1', 'x2'))).toEqual([1, 1]);
    expect(causes(quota, of('7/error-shape', '/message', 'x1'))).toEqual([1, 1]);
    // A value that two requirements find wrong is one defect in any response.
    const value = of('2.8/history-volume', '/0/volume', 'x1');
    expect(causes(value, of('4.4/t1-filled', '/0/volume', 'x1'))).toEqual([2]);
    expect(causes(value, of('4.4/t1-filled', '/1/volume', 'x1'))).toEqual([1, 1]);
    expect(causes(of('4.4/t1-filled', '/0/volume', 'x1', 'x2'), value)).toEqual([2]);
  });

  it('names a warning that stands among the findings of a violation, so that every list has it', () => {
    const exchanges = [
      makeExchange(1, { endpoint: '/news', path: '/news', status: 422, body: '{"code":400003}' }),
    ];
    const status = { findings: [finding({ pointer: '/code' })] };
    const run = results(
      [
        makeRequirement('7/status', 'failed', status),
        makeRequirement('4.3/code', 'warned', status),
      ],
      { exchanges },
    );
    const words = ', 1 warning among them (4.3/code)';
    expect(warningsAmong(groupCauses(run))).toBe(words);
    expect(outlineOf(run).parts[0]?.title).toBe(`Violations: 1 cause, 2 findings${words}`);
  });

  it('counts the findings that were not recorded, and shows their exchanges before the others', () => {
    const many = {
      ...makeRequirement('7/status-agrees', 'failed', {
        findings: ['x1', 'x2'].map((exchange) => finding({ exchange })),
        exchanges: ['x1', 'x2', 'x3', 'x4'],
      }),
      total: 5,
      unrecorded: ['x4'],
    };
    const run = results([many]);
    const [cause] = groupCauses(run);
    expect(countFindings(cause === undefined ? [] : [cause])).toBe('2 of 5 findings');
    expect(outlineOf(run).parts[0]?.title).toBe('Violations: 1 cause, 2 of 5 findings');
    expect(renderJUnit(run)).toContain('Recorded: 2 of 5 findings');
    expect(renderHtml(run)).toContain('2 of 5 findings');
    expect(shownBy(many)).toEqual(['x1', 'x2', 'x4', 'x3']);
    expect(validate('results', JSON.parse(JSON.stringify(run)))).toEqual([]);
    // Where they are of several causes, nothing says of which.
    const part = { ...(cause as Cause), members: (cause?.members ?? []).slice(0, 1) };
    expect(countFindings([part])).toBe('at least 1 finding');
  });

  it.each(['failed', 'waived'] as const)(
    'puts what is found in a response to a key let in under that, and not open under waived: %s',
    (outcome) => {
      const exchanges = [makeExchange(1, { endpoint: '/news', path: '/news', role: 'unknown' })];
      const own = { findings: [finding({})] };
      const later = makeRequirement('4.2/order', outcome, own);
      const of = (root: 'failed' | 'waived') =>
        groupCauses(results([makeRequirement('5/unknown-key', root, own), later], { exchanges }));
      expect(of(outcome)).toHaveLength(1);
      expect(of(outcome === 'failed' ? 'waived' : 'failed')).toHaveLength(2);
    },
  );

  it('keeps keys of two roles that are let in apart', () => {
    const roles = ['unknown', 'disabled'] as const;
    const exchanges = roles.map((role, index) =>
      makeExchange(index + 1, { endpoint: '/news', path: '/news', role }),
    );
    const let_in = (number: number) => ({
      findings: [finding({ kind: 'let-in', message: 'let in', exchange: `x${number}` })],
    });
    const requirements = [
      makeRequirement('5/unknown-key', 'failed', let_in(1)),
      makeRequirement('5/disabled-key', 'failed', let_in(2)),
    ];
    const causes = groupCauses(results(requirements, { exchanges }));
    expect(causes.map((one) => one.requirements.map(({ id }) => id))).toEqual([
      ['5/unknown-key'],
      ['5/disabled-key'],
    ]);
  });

  it.each([
    [403, '5/forbidden', 'refused-otherwise'],
    [429, '8/refusal-code', 'wrong-refusal-code'],
  ])('advises to keep the right status %i with the code of another error', (status, id, kind) => {
    const body = '{"code":400101,"message":"Invalid API key"}';
    const refusal = makeExchange(1, { endpoint: '/news', path: '/news', status, body });
    const code = { kind, pointer: '/code', facts: { wrong: 'error code' } } as const;
    const requirements = [
      makeRequirement(id, 'failed', { findings: [finding(code)] }),
      makeRequirement('7/status-agrees', 'failed', { findings: [finding({})] }),
    ];
    const shown = asShown(results(requirements, { exchanges: [refusal] }));
    expect(shown.requirements[0]?.findings[0]?.pointer).toBe('/code');
    const [cause, ...others] = groupCauses(shown);
    expect(others).toEqual([]);
    expect(cause?.message).toContain(`have the right status ${status}, and the code of another`);
    expect(cause?.advice).toMatch(/^Keep the status/);
  });

  it('keeps a violation and a warning apart, violations first', () => {
    const same = { findings: [finding({})] };
    const causes = groupCauses(
      results([
        makeRequirement('4.2/a', 'warned', same),
        makeRequirement('4.2/b', 'warned', same),
        makeRequirement('4.2/c', 'failed', same),
      ]),
    );
    expect(causes.map((cause) => cause.outcome)).toEqual(['failed', 'warned']);
  });

  it('sees wrapped bodies as one cause, and what the headers show as another', () => {
    const wrapped = makeExchange(1, {
      endpoint: '/news',
      path: '/news',
      body: '{"code":0,"message":"ok","data":{"list":[]}}',
    });
    const requirements = [
      makeRequirement('2.2/price', 'failed', {
        findings: [finding({ message: 'price is missing', pointer: '/price' })],
      }),
      makeRequirement('2.7/id', 'failed', {
        findings: [finding({ message: 'not an array', pointer: '' })],
      }),
      makeRequirement('8/reset-ms', 'failed', { findings: [finding({ message: 'in seconds' })] }),
    ];
    const causes = groupCauses(results(requirements, { exchanges: [wrapped] }));
    expect(causes).toHaveLength(2);
    const cause = causes.find(({ message }) => message.includes('wrapped'));
    expect(cause?.advice).toMatch(/envelope: data/);
    expect(cause?.requirements.map((one) => one.id)).toEqual(['2.2/price', '2.7/id']);

    const target = { ...makeResults().target, envelope: 'data' };
    expect(groupCauses(results(requirements, { exchanges: [wrapped], target }))).toHaveLength(3);
  });

  it('puts what is missing in bodies that are not JSON under that', () => {
    const page = makeExchange(1, { endpoint: '/news', path: '/news', status: 401, body: '<h1>No' });
    const requirements = [
      makeRequirement('5/unknown-key', 'failed', {
        findings: [finding({ message: 'no code', pointer: '/code' })],
      }),
      makeRequirement('4/json-body', 'failed', { findings: [finding({ message: 'no JSON' })] }),
      makeRequirement('8/headers-present', 'failed', {
        findings: [finding({ message: 'no header' })],
      }),
    ];
    const causes = groupCauses(results(requirements, { exchanges: [page] }));
    expect(causes.map((cause) => cause.requirements.map((one) => one.id))).toEqual([
      ['8/headers-present'],
      ['5/unknown-key', '4/json-body'],
    ]);
    expect(causes[1]).toMatchObject({
      message: expect.stringContaining('not JSON'),
      example: { requirement: { id: '4/json-body' } },
    });
  });

  it('puts what is found at endpoints that are not there under that, and only there', () => {
    const at = (number: number, status: number, role: 'valid' | 'unknown' = 'valid') =>
      makeExchange(number, {
        endpoint: '/news',
        path: '/news',
        status,
        role,
        body: '{"error":"x"}',
      });
    const requirements = ['4.2/news', '5/unknown-key'].map((id, index) =>
      makeRequirement(id, index === 0 ? 'warned' : 'failed', {
        findings: [finding({ message: id, exchange: `x${index + 1}` })],
      }),
    );
    const gone = [at(1, 404), at(2, 404, 'unknown')];
    const [cause, ...others] = groupCauses(results(requirements, { exchanges: gone }));
    expect(others).toEqual([]);
    expect(cause).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining(
        'GET /news is missing: every request with a valid key got 404.',
      ),
    });
    const served = [...gone, at(3, 200)];
    expect(groupCauses(results(requirements, { exchanges: served }))).toHaveLength(2);
  });

  it('loses no failed requirement, not even one without a finding', () => {
    const all = makeResults();
    const named = new Set(
      groupCauses(all).flatMap((cause) => cause.requirements.map((one) => one.id)),
    );
    for (const one of all.requirements) {
      expect(named.has(one.id)).toBe(['failed', 'warned', 'waived'].includes(one.outcome));
    }
  });

  it('gives ids that are unique and do not depend on what the target sent', () => {
    const ids = groupCauses(makeResults()).map((cause) => cause.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^f-[0-9a-f]{8}$/.test(id))).toBe(true);
    expect(groupCauses(makeResults()).map((cause) => cause.id)).toEqual(ids);
  });
});
