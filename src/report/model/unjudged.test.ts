import { describe, expect, it } from 'vitest';
import { missingSetting, NO_DATA, notSelected, type UntestedCause } from '../../spec/cause.ts';
import { groupUnjudged, settingOf } from './unjudged.ts';
import { makeResults } from '../../../test/report/fixture.ts';

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
