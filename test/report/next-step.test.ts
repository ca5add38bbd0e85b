import { describe, expect, it } from 'vitest';
import {
  missingSetting,
  NO_DATA,
  notSelected,
  type UntestedCause,
  WAS_INTERRUPTED,
} from '../../src/spec/cause.ts';
import { nextStep, rerunNote } from '../../src/report/analysis/rerun.ts';
import { renderJUnit } from '../../src/report/formats/junit.ts';
import type {
  CheckResult,
  RequirementResult,
  ResultFinding,
  Results,
} from '../../src/report/model/results.ts';
import { groupUnjudged, settingOf } from '../../src/report/model/unjudged.ts';
import { LOAD_RESULT } from '../load/load-result.ts';
import { makeExchange, makeRequirement, makeResults } from './fixture.ts';

function results(requirements: readonly RequirementResult[], more: Partial<Results> = {}): Results {
  return { ...makeResults(), requirements, ...more };
}

function finding(parts: Partial<ResultFinding>): ResultFinding {
  return { message: 'wrong', expected: 'a', actual: 'b', pointer: null, exchange: 'x1', ...parts };
}

describe('nextStep', () => {
  const ask = {
    endpoint: '/etfs',
    path: '/etfs',
    query: [['symbol', 'dot']],
    status: 400,
  } as const;
  const violated = (id: string, exchange: string | null = null) =>
    makeRequirement(id, 'failed', { findings: [finding({ exchange })] });
  const all = [
    violated('8/limit-enforced'),
    violated('4.3/symbol-enum'),
    violated('4.3/listed', 'x1'),
    violated('4.3/other', 'x2'),
  ];
  const spent = 'keys.nearQuota was refused on its first request (status 429)';
  const limiter = 'the rate limiter refused no request, and no window was observed to its end';
  const control =
    'The control request GET /etfs?symbol=dot did not succeed (status 400), so a refusal would prove nothing';
  const open = (id: string, reason: string, cause: UntestedCause | null = null) =>
    makeRequirement(id, cause === null ? 'inconclusive' : 'untested', { reason, cause });
  const step = (one: RequirementResult, more: Partial<Results>, others = all) => {
    const run = results([...others, one], {
      exchanges: [makeExchange(1, ask), makeExchange(2, { ...ask, query: [] })],
      ...more,
    });
    const [group] = groupUnjudged(run.requirements, run.exchanges);
    if (group === undefined) throw new Error('it was not judged');
    return nextStep(group, run);
  };
  const leftOut = (title: string): CheckResult => ({
    title,
    outcome: 'untested',
    reason: 'left out by the profile smoke; use --profile standard',
    exchanges: [],
    ms: 0,
  });
  const unlisted = open('4.3/unlisted', control);

  it.each<[string, RequirementResult, Partial<Results>, string, string | null]>([
    [
      'a limiter that refuses nothing',
      open('8/reset', limiter),
      {},
      'Follows from 8/limit-enforced.',
      '--only 8/limit-enforced --only 8/reset',
    ],
    ['a control that was refused', unlisted, {}, 'Follows from 4.3/listed.', '--only 4.3/listed'],
    [
      'a message of the wrong refusal',
      open('4.3/symbol-message', '', NO_DATA),
      {},
      'Follows from 4.3/symbol-enum.',
      '--only 4.3/symbol-enum',
    ],
    [
      'a spent key',
      open('8/quota', spent, NO_DATA),
      {},
      'Set keys.nearQuota to a key with requests left',
      '--only 8/quota',
    ],
    [
      'a small profile',
      { ...open('4.4/window', 'no response', NO_DATA), checks: [leftOut('None is older')] },
      { profile: 'smoke' },
      'Run the standard profile',
      'assay run --base-url https://staging.example/v1 --seed 7 --only 4.4/window',
    ],
    [
      'data that a small profile asked for in vain',
      { ...open('4.4/window', 'no response', NO_DATA), checks: [leftOut('any history')] },
      { profile: 'smoke' },
      'Nothing to do until',
      null,
    ],
    [
      'data that is not there',
      open('4.4/window', 'no response', NO_DATA),
      {},
      'Nothing to do until',
      null,
    ],
    [
      'no answer',
      open('4.4/window', 'no answer within 10 s'),
      {},
      'Rerun when the target responds:',
      '4.4/window',
    ],
    [
      'an interruption',
      open('4.4/window', WAS_INTERRUPTED),
      {},
      'Replace FOLDER',
      '--resume FOLDER',
    ],
    [
      'what recordings lose',
      open(
        '5/header-case',
        'needs its case, which recordings do not keep',
        notSelected('recording'),
      ),
      { profile: 'recorded' },
      'Recordings cannot show this.',
      null,
    ],
  ])('fits %s', (_of, one, more, words, command) => {
    const next = step(one, more);
    expect(next.words).toContain(words);
    if (command === null) expect(next.command).toBeNull();
    else expect(next.command).toContain(command);
  });

  it('does not wait for a target that responded', () => {
    for (const one of [unlisted, open('8/reset', limiter)])
      expect(step(one, {}, []).words).toBe('Rerun:');
  });

  it('is in every row of JUnit after an interruption', () => {
    const rows = ['4.4/window', '8/reset'].map((id) => open(id, WAS_INTERRUPTED));
    const xml = renderJUnit(results(rows));
    expect(xml.match(/Next: assay run .* --resume FOLDER/g)).toHaveLength(2);
    expect(renderJUnit(results([unlisted]))).not.toContain('--resume');
  });

  it('asks for no target file where the command of the load names it', () => {
    const keys = { valid: ['k'], nearQuota: ['n'] };
    const target = { ...makeResults().target, keys } as unknown as Results['target'];
    expect(rerunNote(results([], { target }))).toContain('Replace FILE');
    const load = [{ ...LOAD_RESULT, command: 'assay load rl-exact --target t.json' }];
    expect(rerunNote(results([], { target, load }))).toBeNull();
  });
});

describe('groupUnjudged', () => {
  it('groups by the setting to add', () => {
    const groups = groupUnjudged(makeResults().requirements);
    const expired = groups.find((group) => group.setting === 'keys.expired');
    expect(expired?.requirements.map((one) => one.id)).toEqual([
      '5/expired-key',
      '5/expired-key-code',
    ]);
    expect(expired?.reasons).toHaveLength(2);
    expect(groups[0]?.outcome).toBe('error');
    expect(groups.map((group) => group.setting)).toContain('--max-requests');
  });

  it.each<[UntestedCause | null, string | null]>([
    [missingSetting('keys.nearQuota'), 'keys.nearQuota'],
    [notSelected('budget'), '--max-requests'],
    [notSelected('profile'), '--profile'],
    [notSelected('recording'), null],
    [NO_DATA, null],
    [null, null],
  ])('takes the setting from the cause %j', (cause, setting) => {
    expect(settingOf({ cause })).toBe(setting);
  });
});
