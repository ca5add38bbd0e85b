/** `must`: stated. `should`: implied by the stated meaning. `observe`: the specification is silent; never fails. */
export type Level = 'must' | 'should' | 'observe';

/** Basis of a requirement in the specification: a sentence, a meaning, a gap, or contradicting sentences. */
export type Basis = 'stated' | 'implied' | 'silent' | 'contradictory';
