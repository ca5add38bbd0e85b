/** One thing that a deployment may do this way or that. The first value is the default. */
export interface Dimension {
  readonly title: string;
  readonly values: readonly [string, string, ...string[]];
  /** Drawn seldom: such worlds are slow. */
  readonly rare?: true;
}
