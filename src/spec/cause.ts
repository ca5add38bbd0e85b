/**
 * Why a requirement is untested. `not-selected`: excluded by the user, the profile or the budget, or not in the
 * recording; `setting`: a key or fixture is missing, `setting` is its name in the target file; `data`: the target has
 * no such data today; `time`: time has to pass on the target first; `unseen`: not seen yet in watched traffic.
 */
export type UntestedCause =
  | {
      readonly kind: 'not-selected';
      readonly by: 'only' | 'skip' | 'profile' | 'budget' | 'recording';
      /** The smallest profile that includes it, if its profile excluded it. */
      readonly profile?: string;
    }
  | { readonly kind: 'setting'; readonly setting: string }
  | { readonly kind: 'data' }
  | { readonly kind: 'time' }
  | { readonly kind: 'unseen' };

/** The target has no such data today. */
export const NO_DATA: UntestedCause = { kind: 'data' };
/** Time has to pass on the target. */
export const NEEDS_TIME: UntestedCause = { kind: 'time' };

/** Not seen yet in watched traffic. */
export const NOT_SEEN_YET: UntestedCause = { kind: 'unseen' };

/** A setting of the target file is missing. */
export const missingSetting = (setting: string): UntestedCause => ({ kind: 'setting', setting });

/** The run does not include the requirement. */
export const notSelected = (
  by: Extract<UntestedCause, { kind: 'not-selected' }>['by'],
  profile?: string,
): UntestedCause => ({ kind: 'not-selected', by, ...(profile !== undefined && { profile }) });

/** Deselected by the user, so other exchanges are not judged for it either. */
export function isLeftOut({ cause }: { readonly cause?: UntestedCause | null }): boolean {
  return cause?.kind === 'not-selected' && (cause.by === 'only' || cause.by === 'skip');
}
