import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { groupCauses } from '../../src/report/analysis/causes.ts';
import { gateByBaseline } from '../../src/report/model/baseline-gate.ts';
import { diffResults } from '../../src/report/model/diff.ts';
import { evidenceFingerprint } from '../../src/report/model/fingerprint.ts';
import type { Results } from '../../src/report/model/results.ts';
import { decide } from '../../src/run/verdict.ts';
import { applyWaivers, readWaivers } from '../../src/run/waivers.ts';
import { readResults } from '../../src/cli/read-results.ts';
import { assay, scratch } from '../cli/assay.ts';
import { resultsWith } from './real-runs.ts';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`first-version/${name}`, import.meta.url));

/** Faults, by the file that version 1 wrote for everything that was red with them. */
const FAULTS = JSON.parse(readFileSync(fixture('faults.json'), 'utf8')) as Record<string, string[]>;

/** When the files were written: what a fault of the history turns red depends on the trading days of the month. */
const WRITTEN = Date.parse('2026-11-25T20:00:00Z');

/** What faults show beyond the waivers of their time: the last page of pairs is looked at, and quotes are left in English now, too. */
const BEYOND: Readonly<Record<string, readonly string[]>> = {
  'waivers-1.yaml': ['4.1/pairs-total'],
  'waivers-2.yaml': ['4.2/quote-language'],
};

/**
 * What version 1 accused wrongly: a pair that is refused in any spelling says nothing about its letter case, and no response has
 * to contain the row of a weekend.
 */
const FALSE_ALARMS: Readonly<Record<string, readonly string[]>> = {
  'waivers-1.yaml': ['4.2/pages-join', '4.3/symbol-case', '4.4/limit-default'],
};
/** Of these, what is not judged here any more: pages of which one repeats an item. */
const UNJUDGED: readonly string[] = ['4.2/pages-join'];

describe.each(Object.entries(FAULTS))('waivers of version 1: %s', (name, faults) => {
  let results: Results;
  beforeAll(async () => {
    results = await resultsWith(faults, ['--waivers', fixture(name)], WRITTEN);
  });

  it('hold for an unchanged target, and say how to renew them', () => {
    const { waivers = [], requirements } = results;
    const [held, others] = [true, false].map((holds) =>
      waivers.filter(({ state }) => (state === 'applied') === holds),
    );
    expect(others?.map(({ id, state }) => `${id} ${state}`)).toEqual(
      (FALSE_ALARMS[name] ?? []).map(
        (id) => `${id} ${UNJUDGED.includes(id) ? 'idle' : 'unmatched'}`,
      ),
    );
    expect(held?.every(({ detail }) => detail.includes('assay waive --upgrade'))).toBe(true);
    const failed = requirements.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ id }) => id)).toEqual(BEYOND[name] ?? []);
  });

  it.runIf(name === 'waivers-1.yaml')('and so does a baseline of that version', async () => {
    const { requirements, ...asFound } = unwaived(results);
    const failOn = ['must', 'should'] as const;
    const end = decide(requirements, { interrupted: false, fatal: null, failOn });
    const baseline = await readResults(fixture('baseline.json'));
    const { gate, failing } = gateByBaseline(
      { ...asFound, requirements, ...end },
      baseline,
      failOn,
    );
    // The file kept neither requests nor checks, so nothing shows that what failed was judged again.
    const stale = FALSE_ALARMS[name] ?? [];
    expect(gate).toMatchObject({
      regressions: BEYOND[name] ?? [],
      unexpectedPasses: [],
      stale,
      unmatched: [],
    });
    expect(gate?.known.length).toBeGreaterThan(20);
    expect(failing?.map(({ id }) => id)).toEqual([...(BEYOND[name] ?? []), ...stale]);
  });

  it('are upgraded by a run that confirms them', async () => {
    const run = path.join(scratch, `run-${name}`);
    const file = path.join(scratch, name);
    mkdirSync(run, { recursive: true });
    writeFileSync(path.join(run, 'results.json'), JSON.stringify(results));
    copyFileSync(fixture(name), file);
    const { code, stdout } = await assay(['waive', '--upgrade', '--run', run, '--waivers', file]);
    expect(code).toBe(0);
    const wrong = FALSE_ALARMS[name] ?? [];
    expect(stdout).toContain(`, ${wrong.length} left unchanged`);
    const upgraded = readWaivers(file).filter(({ id }) => !wrong.includes(id));
    expect(upgraded.every(({ evidence }) => evidence.startsWith('e2-'))).toBe(true);
    const asFound = unwaived(results);
    const again = applyWaivers(asFound.requirements, results.exchanges, upgraded, '2026-11-25');
    expect(again.waivers.filter(({ state }) => state !== 'applied')).toEqual([]);
  });

  it('and everything else stays the same when every sentence is reworded', () => {
    const before = unwaived(results);
    const after = reworded(before);
    expect(evidenceOf(after)).toEqual(evidenceOf(before));
    expect(causesOf(after)).toEqual(causesOf(before));
    const other = { ...before, requirements: before.requirements.slice(40) };
    expect(decisionsOf(after, other)).toEqual(decisionsOf(before, other));
    expect(kindsOf(diffResults(other, after))).toEqual(kindsOf(diffResults(other, before)));
  });
});

/** The results as they were judged, before waivers. */
function unwaived(results: Results): Results {
  return {
    ...results,
    requirements: results.requirements.map(({ waived, ...one }) => ({ ...one, ...waived })),
  };
}

/** The results with another beginning of every sentence. */
function reworded(results: Results): Results {
  const other = (text: string): string => `Reworded: ${text}`;
  const orNull = (text: string | null): string | null => (text === null ? null : other(text));
  return {
    ...results,
    sentence: other(results.sentence),
    notes: results.notes.map(other),
    requirements: results.requirements.map((one) => ({
      ...one,
      reason: orNull(one.reason),
      findings: one.findings.map((finding) => ({ ...finding, message: other(finding.message) })),
      checks: one.checks.map((check) => ({ ...check, reason: orNull(check.reason) })),
    })),
  };
}

const evidenceOf = ({ requirements, exchanges }: Results): readonly (string | null)[] => {
  const byId = new Map(exchanges.map((one) => [one.id, one]));
  return requirements.map((one) => evidenceFingerprint(one, byId));
};

const causesOf = (results: Results): readonly unknown[] =>
  groupCauses(results).map(({ id, outcome, harm, members, endpoints, related }) => [
    id,
    outcome,
    harm,
    members.map(({ requirement, finding }) => [requirement.id, finding.exchange]),
    endpoints,
    related.map((exchange) => exchange.id),
  ]);

const kindsOf = ({ changes }: ReturnType<typeof diffResults>): readonly unknown[] =>
  changes.map(({ kind, subject, because }) => [kind, subject, because]);

function decisionsOf(results: Results, baseline: Results): readonly unknown[] {
  const { requirements } = results;
  const end = decide(requirements, { interrupted: false, fatal: null, failOn: ['must'] });
  const { gate, exitCode, failing } = gateByBaseline({ ...results, ...end }, baseline, ['must']);
  return [end.verdict, end.exitCode, end.failing, gate, exitCode, failing];
}
