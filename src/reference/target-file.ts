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

export interface TargetOptions {
  readonly baseUrl: string;
  readonly keys: ReferenceKeys;
  readonly world: World;
  readonly limits: ReferenceTarget['limits'];
  readonly envelope: boolean;
  readonly control: boolean;
}

/**
 * The target file of a server. Identifiers from list endpoints are omitted, so that discovery is used; others are included.
 */
export function referenceTarget(options: TargetOptions): ReferenceTarget {
  const { baseUrl, keys, world, limits, envelope, control } = options;
  return {
    baseUrl,
    auth: { header: KEY_HEADER },
    keys,
    fixtures: {
      unknownCurrencyId: unknownId(world.currencyIds),
      malformedCurrencyId: 'not-a-currency-id',
      unknownIds: UNKNOWN_IDS,
    },
    limits,
    envelope: envelope ? 'data' : null,
    ...(control && { clock: { control: new URL(CONTROL_PATH, baseUrl).href } }),
  };
}

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
