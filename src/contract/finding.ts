import type { RequirementId } from './requirement-id.ts';

/** What a rule has against an exchange. Expected and actual are short texts that stand alone. */
export interface Finding {
  readonly requirement: RequirementId;
  /** One sentence: what is wrong. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** JSON pointer into the response body, or null when the finding is about status or headers. */
  readonly pointer: string | null;
  /** Id of the exchange that shows it. */
  readonly exchange: string;
  /** Case of a property that drew the request, as `--path` takes it; left out when a check chose the request. */
  readonly replay?: string;
}
