import { shellQuote } from '../text/curl.ts';
import type { Results } from './results.ts';

/** The command that judges one requirement of the same target again, with the same seed. */
export function rerunCommand(results: Results, requirementId: string): string {
  const target = results.target.reference ? [] : ['--base-url', shellQuote(results.target.baseUrl)];
  const words = ['assay', 'run', ...target, '--seed', String(results.seed)];
  return [...words, '--only', shellQuote(requirementId)].join(' ');
}
