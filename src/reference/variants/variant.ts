import type { Modification } from '../hooks.ts';

/** Another choice that the specification allows. */
export interface Variant extends Modification {
  readonly id: string;
  readonly title: string;
  /** Section of the specification that leaves the choice. */
  readonly section: string;
  /** The question it answers; variants with the same question exclude each other. */
  readonly question: string;
  /**
   * Set on the one variant that conforms only when the target file names the same envelope (ruling 21); it is no free
   * choice.
   */
  readonly envelope?: 'data';
}
