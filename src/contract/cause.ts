/**
 * Why a requirement is untested. `not-selected`: the user, the profile or the budget left it out, or a recording does not
 * show it; `setting`: a key or fixture is missing, and `setting` names it as the target file does; `data`: the target
 * shows nothing of the kind today; `time`: time has to pass on the target first.
 */
export type UntestedCause =
  | {
      readonly kind: 'not-selected';
      readonly by: 'only' | 'skip' | 'profile' | 'budget' | 'recording';
    }
  | { readonly kind: 'setting'; readonly setting: string }
  | { readonly kind: 'data' }
  | { readonly kind: 'time' };

/** The target shows nothing of the kind today. */
export const NO_DATA: UntestedCause = { kind: 'data' };
/** Time has to pass on the target. */
export const NEEDS_TIME: UntestedCause = { kind: 'time' };

/** A setting of the target file is missing. */
export const missingSetting = (setting: string): UntestedCause => ({ kind: 'setting', setting });

/** The run leaves the requirement out. */
export const notSelected = (
  by: Extract<UntestedCause, { kind: 'not-selected' }>['by'],
): UntestedCause => ({ kind: 'not-selected', by });
