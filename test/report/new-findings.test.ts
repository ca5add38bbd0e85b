// What a report says of a violation that was known and got worse: what is new is shown, by name.
import { describe, expect, it } from 'vitest';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { KeyVariation } from '../../src/spec/near-keys.ts';
import type { Exchange } from '../../src/spec/exchange.ts';
import { groupCauses } from '../../src/report/analysis/causes.ts';
import { markOf, newWords } from '../../src/report/analysis/history.ts';
import { commandsOf } from '../../src/report/analysis/rerun.ts';
import { asShown } from '../../src/report/analysis/shown.ts';
import { renderJUnit } from '../../src/report/formats/junit.ts';
import { renderMarkdown } from '../../src/report/formats/markdown.ts';
import { renderSarif } from '../../src/report/formats/sarif.ts';
import { gateByBaseline } from '../../src/report/model/baseline-gate.ts';
import { withBaseline } from '../../src/report/model/diff.ts';
import type { Results } from '../../src/report/model/results.ts';
import { renderHtml } from '../../src/report/page/page.tsx';
import { LOAD_RESULT } from '../load/load-result.ts';
import { makeExchange, makeRequirement, makeResults } from './fixture.ts';

interface LetIn {
  readonly at: EndpointPath;
  readonly more?: Partial<Exchange>;
}

/** A run in which a bad key was let in, by these requests; the others were refused. */
function run(id: string, asked: readonly LetIn[], letIn: readonly LetIn[]): Results {
  const exchanges = asked.map((one, index) => ({
    ...makeExchange(index + 1, {
      endpoint: one.at,
      path: one.at,
      role: id === '5/forbidden' ? 'restricted' : 'unknown',
      status: letIn.includes(one) ? 200 : 401,
    }),
    ...one.more,
  }));
  const findings = letIn.map((one) => ({
    message: `GET ${one.at} was answered${one.more === undefined ? '' : ` with ${one.more.variation}`}`,
    expected: 'status 403',
    actual: 'status 200',
    pointer: null,
    kind: 'let-in' as const,
    endpoint: one.at,
    exchange: `x${asked.indexOf(one) + 1}`,
  }));
  const { facts: _facts, ...made } = makeResults();
  return {
    ...made,
    facts: { forbidden: ['/analyses', '/news'] },
    verdict: 'violates',
    exitCode: 1,
    failing: [],
    waivers: [],
    exchanges,
    requirements: [makeRequirement(id, 'failed', { findings })],
  };
}

const charts: LetIn = { at: '/analyses' };
const news: LetIn = { at: '/news' };

describe('a violation that is known at one endpoint and new at another', () => {
  const before = run('5/forbidden', [charts, news], [charts]);
  const after = run('5/forbidden', [charts, news], [charts, news]);
  const results = gateByBaseline(withBaseline(after, before), before, ['must']);

  it('is shown where it is new, with the request to repeat', () => {
    const [cause] = groupCauses(asShown(results));
    expect(cause?.message).toBe('GET /news was answered');
    expect(cause?.exchange?.id).toBe('x2');
    expect(cause && commandsOf(results, cause)[0]?.[1]).toContain('/news');
    expect(results.changes?.changes).toMatchObject([
      { kind: 'new-violation', exchanges: ['x2'], after: 'failed: GET /news was answered' },
    ]);
  });

  it('names what is new in every format', () => {
    expect(renderMarkdown(results)).toMatch(
      /new: GET \/news was answered[^]*New: 1 finding \(\/news\)/,
    );
    expect(renderJUnit(results)).toContain(
      'message="not in the baseline, or worse than in it; violated: GET /news',
    );
    const sarif = renderSarif(results);
    expect(sarif).toContain('"baselineState": "new"');
    expect(sarif).toMatch(/GET \/news was answered\\n.*\\nNew: 1 finding \(\/news\)/);
    expect(renderHtml(results)).toContain('new: 1 finding (/news)');
  });

  it('has nothing to add where all of it is new, or nothing', () => {
    const nothing = run('5/forbidden', [charts, news], []);
    for (const earlier of [{ ...nothing, requirements: [] }, after]) {
      const [cause] = groupCauses(withBaseline(after, earlier));
      expect(cause && newWords(cause)).toBe('');
    }
  });
});

describe('a bad key that is let in in several ways', () => {
  const asWords = (variation: KeyVariation): LetIn => ({ at: '/news', more: { variation } });
  const all = [asWords('longer'), asWords('null'), asWords('other-case')];
  const results = run('5/unknown-key', all, all);

  it('has a cause for each, so that every format names all of them', () => {
    expect(groupCauses(asShown(results))).toHaveLength(3);
    const formats = [renderMarkdown, renderJUnit, renderSarif, renderHtml];
    for (const format of formats)
      for (const { more } of all)
        expect(format(results)).toContain(`GET /news was answered with ${more?.variation}`);
    expect(renderJUnit(results)).toMatch(
      /failure[^>]*with longer; [^>]*with null; [^>]*other-case"/,
    );
  });

  it('has one cause where any unknown key is, but not if that is elsewhere', () => {
    const causesWith = (one: LetIn): number =>
      groupCauses(run('5/unknown-key', [...all, one], [...all, one])).length;
    expect(causesWith(news)).toBe(1);
    expect(causesWith(charts)).toBe(4);
  });

  it('has a new one next to a known one', () => {
    const marks = groupCauses(
      withBaseline(results, run('5/unknown-key', all, all.slice(0, 2))),
    ).map((cause) => [cause.message, cause.fresh.length]);
    expect(marks).toEqual([
      ['GET /news was answered with longer', 0],
      ['GET /news was answered with null', 0],
      ['GET /news was answered with other-case', 1],
    ]);
  });
});

it('what only a load scenario found is neither new nor known: it is not compared', () => {
  const results = withBaseline({ ...makeResults(), load: [LOAD_RESULT] }, makeResults());
  const cause = groupCauses(results).find(({ scenarios }) => scenarios.length > 0);
  expect(cause).toBeDefined();
  expect(cause && markOf(cause, results)).toBeNull();
});
