import type { Hooks } from '../conduct/hooks.ts';

/** A deliberate violation of a stated clause that no change of a request or an answer could show: it needs the inside. */
export interface Defect extends Hooks {
  readonly id: string;
  /** What is wrong, in one sentence. */
  readonly text: string;
}

/** Turns entries by id into defects. */
export const defectsOf = (
  entries: Readonly<Record<string, readonly [text: string, hooks: Hooks]>>,
): readonly Defect[] =>
  Object.entries(entries).map(([id, [text, hooks]]) => ({ id, text, ...hooks }));
