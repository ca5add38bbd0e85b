import { withoutCredentials } from './proxy.ts';
import type { Target } from './target.ts';

/** Standing notes about the way to the target, for results and reports: what weakens them, and what stood in between. */
export function networkNotes({ baseUrl, http }: Pick<Target, 'baseUrl' | 'http'>): string[] {
  const notes: string[] = [];
  if (http.insecure && baseUrl.startsWith('https:')) {
    notes.push(
      'TLS certificates were not verified (--insecure or http.insecure): who answered is not known.',
    );
  }
  if (http.proxy !== null) {
    notes.push(`Requests went through the proxy ${withoutCredentials(http.proxy)}.`);
  }
  return notes;
}
