/** `must`: stated. `should`: follows from the stated meaning. `observe`: the specification is silent; never failed. */
export type Level = 'must' | 'should' | 'observe';

/** Where a requirement comes from: a sentence, a meaning, a gap, or sentences that disagree. */
export type Basis = 'stated' | 'implied' | 'silent' | 'contradictory';
