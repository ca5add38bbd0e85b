/** Help for the reader of a red result. Words of this project; nothing here decides a verdict. */
export interface Guidance {
  /** What goes wrong for consumers when the requirement is violated. */
  readonly why: string;
  /** What a red result has usually turned out to be, the likeliest first. */
  readonly usually: readonly string[];
}

/** Guidance for all ids that a pattern matches. */
export interface Family {
  readonly ids: RegExp;
  readonly guidance: Guidance;
}

export const says = (why: string, ...usually: readonly string[]): Guidance => ({ why, usually });
