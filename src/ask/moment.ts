/**
 * When a check asks that does not ask ahead. `alone`: nothing else may be under way, since it looks at the whole traffic of
 * the run, holds a key, or moves or waits for the clock. `in turn`: what it asks for depends on what the checks before it
 * were answered, so that these have to come out first; others may go on meanwhile.
 */
export type Moment = 'alone' | 'in turn';
