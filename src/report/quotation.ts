/**
 * What a requirement is quoted with from the specification that a user named. The text of the specification is no part
 * of Assay: for each clause Assay knows a digest of its table row or sentence, and what has the same digest has the same
 * words. So a quotation is right whatever version of the file it comes from, or there is none.
 */
export interface Quotation {
  readonly clause: string;
  /** The row or sentence, without the outer marks of a table and the number of a rule. */
  readonly text: string;
}
