/** What a suite imports. */
export { requirement, type CheckContext } from './requirement.ts';
export { Inconclusive, Untested } from './outcome.ts';
export type { Answer } from './answer.ts';
export type { Query } from './api.ts';
export type { Api, GetOptions } from './api.ts';
export { plain, PLAIN_QUERY, SMOKE_ENDPOINTS } from './plain.ts';
