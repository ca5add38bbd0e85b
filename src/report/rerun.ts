import { shellQuote } from '../text/curl.ts';
import type { Results } from './results.ts';

/** The command that judges the same target again with the same seed: one requirement, or all without an id. */
export function rerunCommand(results: Results, requirementId?: string): string {
  const target = results.target.reference ? [] : ['--base-url', shellQuote(results.target.baseUrl)];
  const words = ['assay', 'run', ...target, '--seed', String(results.seed)];
  const only = requirementId === undefined ? [] : ['--only', shellQuote(requirementId)];
  return [...words, ...only].join(' ');
}
