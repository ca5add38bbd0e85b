import type { FixtureKind } from '../../spec/endpoints.ts';
import type { Exchange } from '../../spec/exchange.ts';
import type { RequestOptions } from '../../http/session.ts';
import type { Facts } from '../../judge/facts.ts';
import type { FixtureAnswer } from '../../target/discover.ts';

/** What a search needs of the session of the run. */
export interface PropertySession {
  readonly seed: number;
  /** The one case to try again, as `--path` names it; null for a search. */
  readonly path: string | null;
  readonly facts: Facts;
  readonly http: {
    /** Time of the target, epoch ms. */
    targetNow(): number;
    /** Requests that may still be sent; infinite when unbounded. */
    budgetLeft(role: 'valid'): number;
    readonly fixtures: { exchanges(): readonly string[] };
  };
  send(path: string, options: RequestOptions): Promise<Exchange>;
  fixtures(kind: FixtureKind): Promise<FixtureAnswer>;
  /** Tells the rules that any answer to this identifier will do. */
  doubtful(parameter: string, id: string): void;
}
