/**
 * Why a requirement is untested. `not-selected`: the user, the profile or the budget left it out, or a recording does not
 * show it; `setting`: a key or fixture is missing, and `setting` names it as the target file does; `data`: the target
 * shows nothing of the kind today; `time`: time has to pass on the target first; `unseen`: the traffic that is watched did
 * not show it yet.
 */
export type UntestedCause =
  | {
      readonly kind: 'not-selected';
      readonly by: 'only' | 'skip' | 'profile' | 'budget' | 'recording';
    }
  | { readonly kind: 'setting'; readonly setting: string }
  | { readonly kind: 'data' }
  | { readonly kind: 'time' }
  | { readonly kind: 'unseen' };

/** The target shows nothing of the kind today. */
export const NO_DATA: UntestedCause = { kind: 'data' };
/** Time has to pass on the target. */
export const NEEDS_TIME: UntestedCause = { kind: 'time' };

/** No client has asked for it yet, in traffic that is watched. */
export const NOT_SEEN_YET: UntestedCause = { kind: 'unseen' };

/** A setting of the target file is missing. */
export const missingSetting = (setting: string): UntestedCause => ({ kind: 'setting', setting });

/** The run leaves the requirement out. */
export const notSelected = (
  by: Extract<UntestedCause, { kind: 'not-selected' }>['by'],
): UntestedCause => ({ kind: 'not-selected', by });
