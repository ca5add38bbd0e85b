import { TARGET_DEFAULTS } from '../../src/target/target.ts';
import type { Target, TargetHttp } from '../../src/target/target.ts';

export const VALID_KEY = 'Va1idKey-0001-abcdef';

/** A target with one valid key and all defaults. */
export function targetAt(
  baseUrl: string,
  changes: Partial<Omit<Target, 'http'>> & { http?: Partial<TargetHttp> } = {},
): Target {
  const { http, ...rest } = changes;
  return {
    ...TARGET_DEFAULTS,
    baseUrl,
    keys: { valid: [VALID_KEY] },
    fixtures: {},
    ...rest,
    http: { ...TARGET_DEFAULTS.http, ...http },
  };
}
