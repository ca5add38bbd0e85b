import type { FixtureKind } from '../../spec/endpoints.ts';
import type { Exchange } from '../../spec/exchange.ts';
import type { RequestOptions } from '../../http/session.ts';
import type { Facts } from '../../judge/facts.ts';
import type { FixtureAnswer } from '../../target/discover.ts';

/** The part of a session that a search needs. */
export interface PropertySession {
  readonly seed: number;
  /** The case to replay (`--path`); null for a search. */
  readonly path: string | null;
  readonly facts: Facts;
  readonly http: {
    /** Time of the target, epoch ms. */
    targetNow(): number;
    /** Remaining requests; infinite without a limit. */
    budgetLeft(role: 'valid'): number;
    readonly fixtures: { exchanges(): readonly string[] };
  };
  send(path: string, options: RequestOptions): Promise<Exchange>;
  fixtures(kind: FixtureKind): Promise<FixtureAnswer>;
  /** Tells the rules to accept any response to this identifier. */
  doubtful(parameter: string, id: string): void;
}
