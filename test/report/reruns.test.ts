// Commands that repeat a finding or judge what was not judged: they ask what showed it, or say what that needs.
import { describe, expect, it } from 'vitest';
import { gapsOf, outlineOf } from '../../src/report/analysis/outline.ts';
import { groupCauses } from '../../src/report/analysis/causes.ts';
import { pageData } from '../../src/report/page/data.ts';
import { renderHtml } from '../../src/report/page/page.tsx';
import { isSpent, withAskers } from '../../src/report/analysis/rerun.ts';
import type { RequirementResult, Results } from '../../src/report/model/results.ts';
import { ELSEWHERE } from '../../src/report/model/status.ts';
import { missingSetting, NO_DATA, notSelected } from '../../src/spec/cause.ts';
import type { KeyRole } from '../../src/spec/exchange.ts';
import { makeExchange, makeRequirement, makeResults } from './fixture.ts';

const red = (id: string, follows: readonly string[] = []): RequirementResult => ({
  ...makeRequirement(id, 'failed', {
    checks: [{ title: ELSEWHERE, outcome: 'failed', reason: null, exchanges: ['x1'], ms: 0 }],
    findings: [
      { message: `${id} is red`, expected: 'e', actual: 'a', pointer: null, exchange: 'x1' },
    ],
  }),
  follows,
});

const run = (role: KeyRole, ...requirements: readonly RequirementResult[]): Results => ({
  ...makeResults(),
  requirements,
  exchanges: [makeExchange(1, { endpoint: '/news', path: '/news', role })],
});

describe('the rerun of a finding that no check of its own asked for', () => {
  it('has the requirement that the same answer violates, not what merely follows', () => {
    const untested = makeRequirement('5/key-required', 'untested', { checks: [] });
    const followers = { ...untested, follows: ['4/no-5xx'] };
    const both = run('restricted', red('4/no-5xx'), followers, red('7/unknown-resource-no-record'));
    expect(withAskers(both, '4/no-5xx')).toEqual(['4/no-5xx', '7/unknown-resource-no-record']);
    const alone = run('restricted', red('4/no-5xx'), followers);
    expect(withAskers(alone, '4/no-5xx')).toEqual(['4/no-5xx', '5/key-required']);
  });

  it('needs a key with requests left where only the near-quota key showed it', () => {
    const results = run('nearQuota', red('4.2/page-full'));
    expect(isSpent(results, '4.2/page-full')).toBe(true);
    const first = outlineOf(results, false).parts[0]?.entries[0];
    const labels = first?.facts.map(({ label, text }) => [label, text]);
    expect(labels).toContainEqual(['Next', expect.stringContaining('keys.nearQuota')]);
    expect(labels?.map(([label]) => label)).not.toContain('Rerun');
    expect(isSpent(run('valid', red('4.2/page-full')), '4.2/page-full')).toBe(false);
  });
});

describe('the rerun of a requirement of the quota', () => {
  const noted = (results: Results): string =>
    outlineOf(results, false)
      .parts[0]?.entries[0]?.facts.map(({ text }) => text)
      .join(' ') ?? '';

  it('needs a key with requests left, unless the server is a new one each time', () => {
    const results = run('nearQuota', red('8/quota'));
    const { target } = results;
    expect(noted(results)).toMatch(/used up the near-quota key\..* --only 8\/quota/);
    expect(renderHtml(results)).toContain('used up the near-quota key');
    const [requirement] = pageData(results, groupCauses(results)).data.requirements;
    expect(requirement?.quotaNote).toContain('used up the near-quota key');
    expect(noted({ ...results, target: { ...target, reference: true } })).not.toContain('used up');
    expect(noted(run('valid', red('8/reset')))).not.toContain('used up');
  });

  it('needs one as well for what another violation hides', () => {
    const hidden = makeRequirement('8/quota-not-early', 'untested', { cause: NO_DATA });
    const [gap] = gapsOf(run('nearQuota', red('8/quota'), { ...hidden, follows: ['8/quota'] }));
    expect(gap?.next.words).toMatch(/^Fix 8\/quota\. Set keys\.nearQuota .*, then run:$/);
  });
});

describe('the next step', () => {
  it('after a failure that only the near-quota key showed is to set one with requests left', () => {
    const open = makeRequirement('4.2/page-full', 'inconclusive', {
      cause: missingSetting('keys.nearQuota'),
    });
    const [gap] = gapsOf(run('valid', open));
    expect(gap).toMatchObject({
      setting: 'keys.nearQuota',
      next: { words: expect.stringContaining('requests left') },
    });
    expect(gap?.next.command).not.toContain('--only');
  });

  it.each([
    [NO_DATA, notSelected('profile'), 'standard', 'full'],
    [NO_DATA, notSelected('profile'), 'full', 'nothing'],
    [NO_DATA, missingSetting('limits.windowMs'), 'standard', 'nothing'],
    [missingSetting('limits.windowMs'), notSelected('profile'), 'standard', 'windows'],
  ] as const)('for what only refusals show, %j with the limiter %j, in %s: %s', (...row) => {
    const [cause, ofLimiter, profile, expected] = row;
    const words = {
      full: 'Run the full',
      nothing: 'No command',
      windows: 'Give the target longer',
    };
    const header = { ...makeRequirement('8/header-limit', 'untested', { cause }), section: '8' };
    const limiter = makeRequirement('8/limit-enforced', 'untested', { cause: ofLimiter });
    const gaps = gapsOf({ ...run('valid', header, limiter), profile });
    const gap = gaps.find(({ requirements }) => requirements.includes(header));
    expect(gap?.next.words).toContain(words[expected]);
    // That alone makes it refuse.
    const isFilled = gap?.next.command?.includes('--only 8/limit-enforced') ?? false;
    expect(isFilled).toBe(expected === 'full');
  });

  describe('the full profile', () => {
    const gapsAfter = (profile: Results['profile'], ...open: readonly RequirementResult[]) =>
      gapsOf({ ...run('valid', ...open), profile });
    const hidden = (
      id: string,
      reason: string,
      left: string,
      cause = notSelected('profile', 'full'),
    ): RequirementResult => ({
      ...makeRequirement(id, 'untested', { cause: NO_DATA, reason }),
      checks: [left].filter(Boolean).map((title) => ({
        title,
        outcome: 'untested' as const,
        reason: null,
        cause,
        exchanges: [],
        ms: 0,
      })),
    });

    it('shows nothing of what all its checks ran for, next to what it has requests for', () => {
      const gaps = gapsAfter(
        'standard',
        hidden('4.1/klines-limit-default', 'too few', ''),
        hidden('4.1/klines-limit-exact', 'too few', 'with limit=1 and no range'),
      );
      const words = gaps.map(({ requirements: [one], next }) => [one?.id, next.words]);
      expect(words).toContainEqual(['4.1/klines-limit-default', expect.stringMatching(/^No/)]);
      expect(words).toContainEqual(['4.1/klines-limit-exact', expect.stringMatching(/^Run the f/)]);
    });

    it('may have the requests for which the profile had none left', () => {
      const spent = notSelected('profile');
      const cut = hidden('4.4/t1-group', 'a', 'on the next trading day', spent);
      const gaps = gapsAfter('standard', cut, hidden('4.4/volume-of-shares', 'a', ''));
      expect(gaps.map(({ next }) => next.words.slice(0, 12))).toEqual([
        'Run the full',
        'No command h',
      ]);
      expect(gapsAfter('full', cut)[0]?.next.words).toMatch(/^No command helps/);
    });

    it('searches only where few requirements are named', () => {
      const ids = ['limit-exact', 'limit-part', 'range', 'window', 'limit-max'];
      const all = ids.map((id) => hidden(`4.1/klines-${id}`, 'few', 'any klines of a currency'));
      expect(gapsAfter('standard', ...all)[0]?.next.words).toMatch(/^No command helps/);
      expect(gapsAfter('standard', ...all.slice(1))[0]?.next.words).toMatch(/^Run the full/);
    });

    it('is not said to be needed after smoke for what the requests of standard may show', () => {
      const open = [notSelected('profile', 'full')].map((cause) =>
        makeRequirement('4.3/symbol-message', 'untested', { cause }),
      );
      expect(gapsAfter('smoke', ...open)[0]?.next.words).toContain('(standard may suffice)');
      expect(gapsAfter('standard', ...open)[0]?.next.words).not.toContain('suffice');
    });

    it('is not advised after a full run', () => {
      const open = ['5/header-case', '5/a', '5/b', '5/c', '5/d'].map((id) =>
        makeRequirement(id, 'untested', { cause: notSelected('profile') }),
      );
      const [alone] = gapsAfter('full', ...open.slice(0, 1));
      expect(alone?.next.words).toMatch(/^Run these alone/);
      expect(alone?.next.command).toMatch(/--profile full .*--only 5\/header-case$/);
      expect(gapsAfter('full', ...open)[0]?.next.words).toContain('--max-requests');
    });
  });

  it('without --max-requests keeps the selection, for which a profile may ask more', () => {
    const open = ['5/a', '5/b', '5/c', '7/d', '5/header-case'].map((id) =>
      makeRequirement(id, 'untested', { cause: notSelected('budget') }),
    );
    const { settings } = makeResults();
    const selected = { ...run('valid', ...open), settings: { ...settings, only: ['5', '7'] } };
    const [gap] = gapsOf(selected as Results);
    expect(gap?.next.command).toMatch(/--only 5 --only 7$/);
  });
});
