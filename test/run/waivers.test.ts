import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { heldBack, waiverFile } from '../../src/report-app/reviews.ts';
import type { Review } from '../../src/report-app/reviews.ts';
import { NEEDS_TIME, missingSetting, NO_DATA, notSelected } from '../../src/spec/cause.ts';
import { diffResults } from '../../src/report/model/diff.ts';
import { evidenceFingerprint } from '../../src/report/model/fingerprint.ts';
import { isJudged, outcomeOf } from '../../src/report/model/status.ts';
import type { KeyVariation } from '../../src/spec/near-keys.ts';
import type { PageData } from '../../src/report/page/page-data.ts';
import type { RequirementResult, ResultFinding } from '../../src/report/model/results.ts';
import { decide, summarize } from '../../src/run/verdict.ts';
import { isBroken } from '../../src/report/model/waiver-words.ts';
import { applyWaivers, readWaivers, WaiverError, type Waiver } from '../../src/run/waivers.ts';
import { makeExchange, makeRequirement, makeResults } from '../report/fixture.ts';

const TODAY = '2026-11-21';
const exchanges = [makeExchange(1, { endpoint: '/news', path: '/news', status: 400 })];
const byId = new Map(exchanges.map((one) => [one.id, one]));

function finding(part: Partial<ResultFinding> = {}): ResultFinding {
  return {
    message: 'GET /news answers with the wrong code',
    expected: 'code 400001',
    actual: '400003 (number)',
    pointer: '/code',
    exchange: 'x1',
    ...part,
  };
}

const violated = makeRequirement('4.2/news', 'failed', { findings: [finding()] });
const evidence = evidenceFingerprint(violated, byId) ?? '';
const waiver = {
  id: '4.2/news',
  owner: 'Ada',
  reason: 'the fix ships with release 12',
  ticket: 'MD-7',
  expires: '2026-12-01',
  evidence,
};

function apply(
  part: object,
  requirement: RequirementResult = violated,
  profile = 'standard',
): readonly unknown[] {
  const { requirements, waivers } = applyWaivers(
    [requirement],
    exchanges,
    [{ ...waiver, ...part }],
    TODAY,
    profile,
  );
  return [requirements[0]?.outcome, waivers[0]?.state, waivers.filter(isBroken).length];
}

describe('applyWaivers', () => {
  it('waives known findings and names the owner', () => {
    const { requirements } = applyWaivers([violated], exchanges, [waiver], TODAY);
    expect(requirements[0]).toMatchObject({
      outcome: 'waived',
      reason: 'waived until 2026-12-01 by Ada, MD-7: the fix ships with release 12',
      findings: violated.findings,
    });
  });

  it('is valid through its last day', () => {
    expect(apply({ expires: TODAY })).toEqual(['waived', 'applied', 0]);
    expect(apply({ expires: '2026-11-20' })).toEqual(['failed', 'expired', 1]);
    const passed = makeRequirement(violated.id, 'passed');
    expect(apply({ expires: '2026-11-20' }, passed)).toEqual(['passed', 'unmatched', 1]);
  });

  it('covers findings counted by key at every endpoint, and others at their endpoint', () => {
    const elsewhere = [makeExchange(1, { endpoint: '/news/hot', path: '/news/hot', status: 400 })];
    const at = new Map(elsewhere.map((one) => [one.id, one]));
    expect(evidenceFingerprint(violated, at)).not.toBe(evidence);
    const ofLimits = { ...violated, id: '8/refusal-window', section: '8' };
    expect(evidenceFingerprint(ofLimits, at)).toBe(evidenceFingerprint(ofLimits, byId));
    const other = { ...ofLimits, findings: [finding({ pointer: '/details/window' })] };
    expect(evidenceFingerprint(other, at)).not.toBe(evidenceFingerprint(ofLimits, at));
  });

  it('covers a count that keys share, whether the finding names the header or not', () => {
    const evidenceOf = (kind: string, header?: string): string | null =>
      evidenceFingerprint(
        makeRequirement('8/per-key', 'failed', {
          findings: [finding({ kind, pointer: null, ...(header !== undefined && { header }) })],
        }),
        byId,
      );
    const header = 'x-ratelimit-remaining';
    expect(evidenceOf('keys-share-a-count', header)).toBe(evidenceOf('keys-share-a-count'));
    expect(evidenceOf('refused-for-all-keys', ':status')).toBe(evidenceOf('refused-for-all-keys'));
    expect(evidenceOf('remaining-twice', header)).not.toBe(evidenceOf('remaining-twice'));
  });

  it('do not cover another way in', () => {
    const letIn = makeRequirement('5/unknown-key', 'failed', {
      findings: [finding({ kind: 'let-in', pointer: null })],
    });
    const byWay = (variation?: KeyVariation): string | null =>
      evidenceFingerprint(
        letIn,
        new Map(exchanges.map((one) => [one.id, variation ? { ...one, variation } : one])),
      );
    expect(new Set([byWay(), byWay('null'), byWay('shorter')]).size).toBe(3);
  });

  it('does not cover a new defect', () => {
    const other = { ...violated, findings: [finding({ pointer: '/message', actual: 'null' })] };
    expect(apply({}, other)).toEqual(['failed', 'drifted', 1]);
    const more = {
      ...violated,
      findings: [...violated.findings, finding({ pointer: '/details' })],
    };
    expect(apply({}, more)).toEqual(['failed', 'drifted', 1]);
  });

  it('covers the same defect with different values', () => {
    const again = { ...violated, findings: [finding({ actual: '400002 (number)' })] };
    expect(apply({}, again)).toEqual(['waived', 'applied', 0]);
  });

  it('matches nothing when the violation is gone or was never there', () => {
    expect(apply({}, makeRequirement('4.2/news', 'passed'))).toEqual(['passed', 'unmatched', 1]);
    expect(apply({ id: '4.2/no-such' })).toEqual(['failed', 'unmatched', 1]);
    const twice = applyWaivers([violated], exchanges, [waiver, waiver], TODAY);
    expect(twice.waivers.map(({ state }) => state)).toEqual(['applied', 'unmatched']);
  });

  it('is pending when its requirement was not judged', () => {
    const untested = makeRequirement('4.2/news', 'untested', { reason: 'left out by --only' });
    expect(apply({ expires: '2020-01-01' }, untested)).toEqual(['untested', 'idle', 0]);
  });

  it('is not needed this time where the run left out checks of a requirement that passes', () => {
    const [judged] = makeRequirement('4.2/news', 'passed').checks;
    for (const by of ['profile', 'budget', 'only', 'skip'] as const) {
      const left = { title: 'another', outcome: 'untested', cause: notSelected(by) } as const;
      const checks = [judged, { ...left, reason: 'left out', exchanges: [], ms: 0 }].flatMap(
        (one) => one ?? [],
      );
      const part = makeRequirement('4.2/news', 'passed', { checks });
      expect(apply({}, part, 'smoke')).toEqual(['passed', 'idle', 0]);
      expect(apply({}, { ...violated, checks }, 'smoke')).toEqual(['waived', 'applied', 0]);
      // Larger profiles leave out what shows little.
      const state = by === 'profile' ? ['unmatched', 1] : ['idle', 0];
      expect(apply({}, part)).toEqual(['passed', ...state]);
    }
    const unlucky = { ...makeRequirement('4.2/news', 'passed'), cause: NO_DATA };
    expect(apply({}, unlucky)).toEqual(['passed', 'unmatched', 1]);
  });

  it('says of other evidence that the run may have sent other requests', () => {
    const fewer = { ...violated, findings: [finding({ pointer: '/message' })] };
    const { waivers } = applyWaivers([fewer], exchanges, [waiver], TODAY);
    expect(waivers[0]?.detail).toContain(
      'the target fails in another way, or the run sent other requests. Review',
    );
  });

  it('fails the run when it no longer matches', () => {
    const passed = [makeRequirement('4.2/news', 'passed')];
    const end = { interrupted: false, fatal: null, failOn: [] };
    expect(decide(passed, end).exitCode).toBe(0);
    const { waivers } = applyWaivers(passed, exchanges, [waiver], TODAY);
    const broken = decide(passed, { ...end, waivers });
    expect(broken.exitCode).toBe(1);
    expect(broken.sentence).toContain('Failed by a waiver that is no longer valid: 4.2/news.');
    const other = makeRequirement('4.2/other', 'passed');
    const waived = applyWaivers([violated, other], exchanges, [waiver], TODAY);
    const decision = decide(waived.requirements, end);
    expect(decision).toMatchObject({ verdict: 'conforms', exitCode: 0 });
    expect(decision.sentence).toContain('1 of 2 must requirements verified');
    expect(decision.sentence).toContain('1 violated and waived');
  });
});

describe('a waiver of an inconclusive outcome', () => {
  const withheld = makeRequirement('4.2/news', 'inconclusive', {
    reason: 'the control GET /news?page=2 was answered with 503',
  });
  const missing = makeRequirement('4.2/news', 'untested', {
    reason: 'the target shows nothing of the kind',
    cause: NO_DATA,
  });
  const other = makeRequirement('4.2/other', 'passed');
  const end = { interrupted: false, fatal: null, failOn: [] };
  const waiverOf = (requirement: RequirementResult): Waiver => ({
    ...waiver,
    evidence: evidenceFingerprint(requirement, byId) ?? '',
    ...(requirement.outcome === 'inconclusive' ? { outcome: 'inconclusive' } : {}),
    ...(requirement.outcome === 'untested' ? { outcome: 'untested' } : {}),
  });
  const after = (requirement: RequirementResult, part: Partial<Waiver>, made = requirement) =>
    applyWaivers([requirement, other], exchanges, [{ ...waiverOf(made), ...part }], TODAY);

  it('keeps the verdict from being incomplete, and is listed with the original outcome', () => {
    expect(decide([withheld, other], end)).toMatchObject({ verdict: 'incomplete', exitCode: 3 });
    const { requirements, waivers } = after(withheld, {});
    expect(requirements[0]).toMatchObject({
      outcome: 'waived',
      waived: { outcome: 'inconclusive', reason: withheld.reason },
      reason: `waived until 2026-12-01 by Ada, MD-7: the fix ships with release 12; inconclusive: ${withheld.reason}`,
    });
    expect(decide(requirements, { ...end, waivers })).toMatchObject({
      verdict: 'conforms',
      exitCode: 0,
      sentence: '1 of 2 must requirements verified, none violated, 1 waived without being judged.',
    });
    const { must } = summarize(requirements);
    expect(must).toMatchObject({ passed: 1, inconclusive: 0, waived: 1 });
    expect(Object.values(must).reduce((sum, count) => sum + count)).toBe(2);
  });

  it('covers a data gap with its original outcome, and no other kind of gap', () => {
    const { requirements } = after(missing, {});
    expect(requirements[0]).toMatchObject({
      outcome: 'waived',
      waived: { outcome: 'untested', reason: missing.reason },
    });
    expect(summarize(requirements).must).toMatchObject({ untested: 0, waived: 1 });
    for (const cause of [missingSetting('keys.expired'), NEEDS_TIME, notSelected('only')]) {
      const { requirements: same, waivers } = after({ ...missing, cause }, {}, missing);
      expect([same[0]?.outcome, waivers[0]?.state]).toEqual(['untested', 'idle']);
    }
  });

  it('is no evidence: a run in which nothing was judged stays incomplete', () => {
    for (const gap of [withheld, missing]) {
      const { requirements } = applyWaivers([gap], exchanges, [waiverOf(gap)], TODAY);
      expect(requirements[0]?.outcome).toBe('waived');
      expect(decide(requirements, end)).toMatchObject({ verdict: 'incomplete', exitCode: 3 });
    }
    const { requirements } = applyWaivers([violated], exchanges, [waiver], TODAY);
    expect(decide(requirements, end).verdict).toBe('conforms');
    const { requirements: open } = after(withheld, {});
    expect(open.map(isJudged)).toEqual([false, true]);
    expect(open.map(outcomeOf)).toEqual(['inconclusive', 'passed']);
  });

  it('does not cover a violation, nor vice versa', () => {
    const made = waiverOf(withheld);
    const now = applyWaivers([violated], exchanges, [made], TODAY);
    expect([now.requirements[0]?.outcome, now.waivers[0]?.state]).toEqual(['failed', 'drifted']);
    const then = applyWaivers([withheld], exchanges, [waiver], TODAY);
    expect([then.requirements[0]?.outcome, then.waivers[0]?.state]).toEqual([
      'inconclusive',
      'idle',
    ]);
  });

  it('holds whatever the reason, and expires', () => {
    const states = (requirement: RequirementResult, part: Partial<Waiver> = {}) => {
      const { requirements, waivers } = after(requirement, part, withheld);
      const { exitCode, failing } = decide(requirements, { ...end, waivers });
      return [requirements[0]?.outcome, waivers[0]?.state, exitCode, failing.map(({ why }) => why)];
    };
    const reason = 'the control GET /news?page=7 was answered with 500';
    expect(states({ ...withheld, reason })).toEqual(['waived', 'applied', 0, []]);
    expect(states(withheld, { expires: '2026-11-20' })).toEqual([
      'inconclusive',
      'expired',
      3,
      ['inconclusive', 'waiver'],
    ]);
  });

  it('does not fail a run that improved', () => {
    for (const made of [withheld, missing]) {
      const { requirements, waivers } = after(makeRequirement('4.2/news', 'passed'), {}, made);
      expect([requirements[0]?.outcome, waivers[0]?.state]).toEqual(['passed', 'idle']);
      expect(decide(requirements, { ...end, waivers }).exitCode).toBe(0);
    }
  });

  it('keeps its fingerprint while waived, so that the report can renew it', () => {
    for (const gap of [withheld, missing, violated]) {
      const { requirements } = applyWaivers([gap], exchanges, [waiverOf(gap)], TODAY);
      const [waived] = requirements;
      expect(waived?.outcome).toBe('waived');
      expect(waived && evidenceFingerprint(waived, byId)).toBe(waiverOf(gap).evidence);
    }
  });

  it('is not compared as a violation', () => {
    const { requirements } = after(withheld, {});
    const results = { ...makeResults(), requirements };
    const passed = {
      ...results,
      requirements: [{ ...withheld, outcome: 'passed' as const }, other],
    };
    expect(diffResults(passed, results).changes.map(({ kind }) => kind)).toEqual([
      'newly-unverified',
    ]);
  });
});

describe('readWaivers', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-waivers-'));
  const file = (text: string): string => {
    const name = path.join(folder, 'waivers.yaml');
    writeFileSync(name, text);
    return name;
  };

  it('reads what the report writes', () => {
    const review: Review = {
      cause: 'f-1',
      decision: 'waive',
      owner: 'Ada',
      reason: 'the fix ships with release 12',
      ticket: 'MD-7',
      expires: '2026-12-01',
    };
    const data = {
      causes: [
        { id: 'f-1', message: 'm', requirements: ['4.2/news', '4.2/other', '4.2/total'] },
        { id: 'f-3', message: 'm', requirements: ['4.2/total'] },
      ],
      requirements: [
        { ...violated, fingerprint: evidence },
        { ...violated, id: '4.2/other', fingerprint: null },
        { ...violated, id: '4.2/total', fingerprint: evidence },
      ],
      waivers: [],
    } as unknown as PageData;
    const { text, count } = waiverFile(data, [
      review,
      { ...review, cause: 'f-2', decision: 'dispute', ticket: '', expires: '' },
    ]);
    expect(readWaivers(file(text))).toEqual([waiver]);
    // A waiver is about all findings of a requirement, and one of 4.2/total is not decided.
    expect(count).toBe(1);
    expect(heldBack(data, [review])).toEqual(['4.2/total']);
    const both = [review, { ...review, cause: 'f-3' }];
    expect(waiverFile(data, both).count).toBe(2);
    expect(heldBack(data, both)).toEqual([]);
    expect(heldBack(data, [review, { ...review, cause: 'f-3', decision: 'accept' }])).toEqual([
      '4.2/total',
    ]);
  });

  it('reads YAML', () => {
    const text = `version: 1\nwaivers:\n  - id: 4.2/news\n    owner: Ada\n    reason: r\n    expires: "2026-12-01"\n    evidence: ${evidence}\n`;
    expect(readWaivers(file(text))).toMatchObject([{ id: '4.2/news', expires: '2026-12-01' }]);
  });

  it.each([
    ['', 'no file at all'],
    ['version: 2\nwaivers: []\n', 'another version'],
    ['version: 1\nwaivers: [{id: 4.2/news}]\n', 'fields missing'],
    ['version: 1\nwaivers: []\nextra: 1\n', 'an unknown field'],
    ['a: &a [*a]\n', 'an alias'],
    ['{', 'no YAML'],
  ])('refuses %j: %s', (text) => {
    expect(() => readWaivers(file(text))).toThrow(WaiverError);
  });

  it('reports the errors of the file in order', () => {
    const text = 'version: 1\nwaivers:\n  - id: 4.2/news\n    owner: Ada\n    extra: 1\n';
    const name = file(text);
    expect(() => readWaivers(name)).toThrow(
      new RegExp(
        `${path.basename(name)}:3:5: waivers\\[0\\]\\S*: is missing(?:.|\n)*:5:5: waivers\\[0\\]\\.extra: unknown`,
      ),
    );
    expect(() => readWaivers(file('version: 1\nwaivers: [\n'))).toThrow(/:\d+:\d+: /);
  });

  it('names the file that it could not read', () => {
    expect(() => readWaivers(path.join(folder, 'none.yaml'))).toThrow(/none\.yaml: cannot be read/);
  });
});
