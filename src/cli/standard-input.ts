/** Standard input among files, which is written `-`. No file has this name. */
export const STANDARD_INPUT = '\0standard input';
