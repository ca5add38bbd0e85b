import { createReference, movableClock } from '#src/reference/reference.ts';
import type { ReferenceTarget } from '#src/reference/target-file.ts';

/** What one case asks of the reference server. */
export interface CaseSettings {
  readonly faults: readonly string[];
  readonly variants: readonly string[];
}

/** A reference server of one run of one tool. */
export interface CaseServer {
  readonly baseUrl: string;
  readonly key: string;
  readonly targetFile: (validKeys: number) => ReferenceTarget;
  /** Requests as counted at the server, refused ones included. */
  readonly requests: () => number;
  /** Those of them that carried a valid key, which are the ones that a limit meters. */
  readonly metered: () => number;
  close(): Promise<void>;
}

/** A Wednesday afternoon: the newest row of both markets is not settled yet, and the month holds a holiday. */
const TRADING_DAY = Date.UTC(2026, 8, 9, 15);

/** Requests a minute for peers, which have no plan for 20 and would see nothing but refusals. */
const OPEN_LIMIT = 1_000_000;

/** Starts a fresh server; `open` lifts the rate limit and the quota. */
export async function startServer(
  { faults, variants }: CaseSettings,
  open: boolean,
): Promise<CaseServer> {
  const reference = createReference({
    seed: 1,
    clock: movableClock(TRADING_DAY),
    control: true,
    faults,
    variants,
    ...(open ? { limit: OPEN_LIMIT, quota: OPEN_LIMIT } : {}),
  });
  const listening = await reference.listen();
  return {
    baseUrl: listening.baseUrl,
    key: reference.keys.valid[0] ?? '',
    targetFile(validKeys) {
      const file = reference.targetFile(listening.baseUrl);
      return { ...file, keys: { ...file.keys, valid: file.keys.valid.slice(0, validKeys) } };
    },
    requests: () => reference.stats().total,
    metered() {
      const { byKey } = reference.stats();
      return reference.keys.valid.reduce((sum, key) => sum + (byKey[key]?.requests ?? 0), 0);
    },
    close: () => listening.close(),
  };
}
