import type { EndpointPath } from './endpoints.ts';
import type { KeyRole } from './exchange.ts';
import type { RequirementId } from './requirement-id.ts';

/** Pseudo-header for the status, as in HTTP/2. */
export const STATUS = ':status';

/** A violation found in an exchange. Expected and actual are short, self-contained texts. */
export interface Finding {
  readonly requirement: RequirementId;
  /** What kind of defect it is; see `src/judge/messages.ts`. */
  readonly kind: string;
  /** Values that the sentence of its kind names, besides the request; `wrong`: what is wrong with a refusal. */
  readonly facts?: Readonly<Record<string, string | number>>;
  /** One sentence that says what is wrong, made from the kind. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** JSON pointer into the response body, or null when the finding is about status or headers. */
  readonly pointer: string | null;
  /**
   * Affected response header in lower case, or {@link STATUS}; undefined for other findings and with a pointer.
   */
  readonly header?: string;
  /** Affected request parameter, if one requirement covers several. */
  readonly parameter?: string;
  /** Path template of the request; null for other paths. Undefined for findings about a whole run. */
  readonly endpoint?: EndpointPath | null;
  /** Role of the key in the request. */
  readonly role?: KeyRole;
  /** Ids of other exchanges that it was compared with. */
  readonly against?: readonly string[];
  /** Id of the exchange. */
  readonly exchange: string;
  /** Case of the property that generated the request, for `--path`. */
  readonly replay?: string;
}
