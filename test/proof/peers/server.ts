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
  /**
   * How many requests with a valid key had come in with the first request that bears this name in its
   * `X-Schemathesis-TestCaseId`, itself included; undefined when none did.
   */
  readonly meteredUpTo: (testCase: string) => number | undefined;
  close(): Promise<void>;
}

/** A Wednesday afternoon: the newest row of both markets is not settled yet, and the month holds a holiday. */
const TRADING_DAY = Date.UTC(2026, 8, 9, 15);

/** Requests a minute for peers, which have no plan for 20 and would see nothing but refusals. */
const OPEN_LIMIT = 1_000_000;

/** The header in which Schemathesis names the test case that a request belongs to. */
const TEST_CASE_HEADER = 'x-schemathesis-testcaseid';

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
  const valid = new Set(reference.keys.valid);
  const upTo = new Map<string, number>();
  let sent = 0;
  const listening = await reference.listen({
    onRequest(key, rawHeaders) {
      if (key !== undefined && valid.has(key)) sent += 1;
      const at = rawHeaders.findIndex(
        (name, index) => index % 2 === 0 && name.toLowerCase() === TEST_CASE_HEADER,
      );
      const testCase = at === -1 ? undefined : rawHeaders[at + 1];
      if (testCase !== undefined && !upTo.has(testCase)) upTo.set(testCase, sent);
    },
  });
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
    meteredUpTo: (testCase) => upTo.get(testCase),
    close: () => listening.close(),
  };
}
