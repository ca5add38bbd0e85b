import { KEY_HEADER } from '../spec/limits.ts';
import { CONTROL_PATH } from './control.ts';
import type { ReferenceKeys } from './keys.ts';
import type { World } from './world.ts';

/** The content of a target file. */
export interface ReferenceTarget {
  readonly baseUrl: string;
  readonly auth: { readonly header: string };
  readonly keys: ReferenceKeys;
  readonly fixtures: {
    readonly unknownCurrencyId: string;
    readonly malformedCurrencyId: string;
    readonly unknownIds: Readonly<Record<string, string>>;
  };
  readonly limits: {
    readonly requests: number;
    readonly windowMs: number;
    readonly monthlyQuota: number;
  };
  readonly envelope: 'data' | null;
  /** Present when the server's clock can be advanced over HTTP. */
  readonly clock?: { readonly control: string };
}

/**
 * The target file of a server. Identifiers from list endpoints are omitted, so that discovery is used; others are included.
 */
export const referenceTarget = (
  world: World,
  control: boolean,
  stated: Pick<ReferenceTarget, 'baseUrl' | 'keys' | 'limits' | 'envelope'>,
): ReferenceTarget => ({
  baseUrl: stated.baseUrl,
  auth: { header: KEY_HEADER },
  keys: stated.keys,
  fixtures: {
    unknownCurrencyId: unknownId(world.currencyIds),
    malformedCurrencyId: 'not-a-currency-id',
    unknownIds: UNKNOWN_IDS,
  },
  limits: stated.limits,
  envelope: stated.envelope,
  ...(control && { clock: { control: new URL(CONTROL_PATH, stated.baseUrl).href } }),
});

/** Identifiers that no reference server has. */
const UNKNOWN_IDS = {
  ticker: 'NOSUCHETF',
  stock_ticker: 'NOSUCHSTOCK',
  index_ticker: 'nosuchindex',
  sector_name: 'no-such-sector',
  event: 'no-such-event',
  chart_name: 'no_such_chart',
  project_id: '999999999999999999',
} as const;

/** A well-formed currency_id that no currency has. */
function unknownId(ids: readonly string[]): string {
  let candidate = 999_999_999_999;
  while (ids.includes(String(candidate))) candidate -= 1;
  return String(candidate);
}
