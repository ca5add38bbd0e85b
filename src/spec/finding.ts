import type { RequirementId } from './requirement-id.ts';

/** Stands for the status among the headers of an answer, as HTTP/2 writes it. */
export const STATUS = ':status';

/** What a rule has against an exchange. Expected and actual are short texts that stand alone. */
export interface Finding {
  readonly requirement: RequirementId;
  /** What kind of defect it is; see `src/judge/messages.ts`. */
  readonly kind: string;
  /** What the sentence of its kind names besides the request. */
  readonly facts?: Readonly<Record<string, string | number>>;
  /** What is wrong, in one sentence made of the kind. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** JSON pointer into the response body, or null when the finding is about status or headers. */
  readonly pointer: string | null;
  /**
   * Header of the answer that it is about, in lower case, or {@link STATUS}; left out when it is about neither, and where
   * a pointer says it all.
   */
  readonly header?: string;
  /** Parameter of the request that it is about, where one requirement is about several. */
  readonly parameter?: string;
  /** Ids of other exchanges that it was compared with. */
  readonly against?: readonly string[];
  /** Id of the exchange that shows it. */
  readonly exchange: string;
  /** Case of a property that drew the request, as `--path` takes it; left out when a check chose the request. */
  readonly replay?: string;
}
