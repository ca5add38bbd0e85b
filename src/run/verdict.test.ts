import { describe, expect, it } from 'vitest';
import {
  missingSetting,
  NEEDS_TIME,
  NO_DATA,
  notSelected,
  type UntestedCause,
} from '../spec/cause.ts';
import type { Outcome } from '../report/model/results.ts';
import { decide, type Judged, type RunEnd } from './verdict.ts';

const END: RunEnd = { interrupted: false, fatal: null, failOn: ['must'] };

const must = (id: string, outcome: Outcome, cause: UntestedCause | null = null): Judged => ({
  id,
  level: 'must',
  outcome,
  cause,
  reason: null,
});
const should = (id: string, outcome: Outcome): Judged => ({
  id,
  level: 'should',
  outcome,
  cause: null,
  reason: null,
});
const passed = must('4.1/a', 'passed');
const untested = (cause: UntestedCause): Judged => must('4.2/b', 'untested', cause);

describe('decide', () => {
  it.each([NO_DATA, NEEDS_TIME])('conforms when the rest is untested for %j', (cause) => {
    expect(decide([passed, untested(cause)], END)).toMatchObject({
      verdict: 'conforms',
      exitCode: 0,
      failing: [],
    });
  });

  it('does not conform when another violation keeps a must from being judged', () => {
    const hidden = { ...untested(NO_DATA), follows: ['5/restricted-elsewhere'] };
    expect(decide([passed, hidden], END)).toMatchObject({ verdict: 'no-violation', exitCode: 0 });
  });

  it.each([
    missingSetting('keys.expired'),
    notSelected('only'),
    notSelected('skip'),
    notSelected('profile'),
    notSelected('budget'),
  ])('says no more than that nothing was found when a part was left out: %j', (cause) => {
    expect(decide([passed, untested(cause)], END)).toMatchObject({
      verdict: 'no-violation',
      exitCode: 0,
    });
  });

  it.each([
    [missingSetting('keys.expired'), 1],
    [notSelected('profile'), 1],
    [notSelected('budget'), 1],
    [notSelected('only'), 0],
    [notSelected('skip'), 0],
    [NO_DATA, 0],
    [NEEDS_TIME, 0],
  ])('with --fail-on untested, %j ends with %i', (cause, exitCode) => {
    const decision = decide([passed, untested(cause)], { ...END, failOn: ['untested'] });
    expect(decision.exitCode).toBe(exitCode);
    expect(decision.failing).toEqual(exitCode === 0 ? [] : [{ id: '4.2/b', why: 'untested' }]);
  });

  it('says why none of the selected requirements was tested', () => {
    const why = 'left out by the profile standard';
    const out = must('4.1/a', 'untested', notSelected('only'));
    const asked = { ...untested(notSelected('profile')), reason: why };
    expect(decide([out, asked], END)).toMatchObject({
      verdict: 'incomplete',
      exitCode: 3,
      sentence: `No verdict: 0 of 2 must requirements verified, 2 not tested. Nothing selected was tested: ${why}.`,
    });
    const whole = { ...asked, reason: 'The budget is used up. Raise it.' };
    expect(decide([out, whole], END).sentence).toMatch(/: The budget is used up\. Raise it\.$/);
    const sentence = decide([out, should('4.1/w', 'passed')], END).sentence;
    expect(sentence).toBe('No verdict: 0 of 1 must requirement verified, 1 not tested.');
  });

  it('names by id what fails the run', () => {
    const decision = decide([passed, should('4.1/w', 'warned')], { ...END, failOn: ['should'] });
    expect(decision).toMatchObject({ exitCode: 1, failing: [{ id: '4.1/w', why: 'warned' }] });
    expect(decision.sentence).toContain('--fail-on should: 4.1/w');
    expect(decide([passed, should('4.1/w', 'warned')], END).exitCode).toBe(0);
  });

  it('ranks a violation above a bug in Assay, and that above inconclusive', () => {
    const all = [must('1', 'failed'), must('2', 'error'), must('3', 'inconclusive'), passed];
    expect(decide(all, END)).toMatchObject({
      verdict: 'violates',
      exitCode: 1,
      sentence: expect.stringContaining('1 not judged because of an error of Assay') as string,
    });
    expect(decide(all.slice(1), END)).toMatchObject({ verdict: 'error', exitCode: 4 });
    expect(decide(all.slice(2), END)).toMatchObject({
      verdict: 'incomplete',
      exitCode: 3,
      failing: [{ id: '3', why: 'inconclusive' }],
    });
  });

  it('reaches no verdict when nothing was verified', () => {
    expect(decide([untested(NO_DATA)], END).verdict).toBe('incomplete');
    expect(decide([should('4.1/w', 'passed')], END).verdict).toBe('incomplete');
  });

  it('ignores a waived must, but not an expired waiver', () => {
    expect(decide([passed, must('4.2/b', 'waived')], END).verdict).toBe('conforms');
    const waiver = {
      id: '4.2/b',
      owner: 'Ada',
      reason: 'r',
      ticket: null,
      expires: '2020-01-01',
      state: 'expired',
      detail: 'd',
    } as const;
    expect(decide([passed], { ...END, waivers: [waiver] })).toMatchObject({
      exitCode: 1,
      failing: [{ id: '4.2/b', why: 'waiver' }],
    });
  });
});
