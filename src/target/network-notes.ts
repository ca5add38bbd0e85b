import { withoutCredentials } from './proxy.ts';
import type { Target } from './target.ts';

/** Notes about the connection to the target, for results and reports. */
export function networkNotes({ baseUrl, http }: Pick<Target, 'baseUrl' | 'http'>): string[] {
  const notes: string[] = [];
  if (http.insecure && baseUrl.startsWith('https:')) {
    notes.push(
      'TLS certificates were not verified (--insecure or http.insecure), so the target was not authenticated.',
    );
  }
  if (http.proxy !== null) {
    notes.push(`Requests went through the proxy ${withoutCredentials(http.proxy)}.`);
  }
  return notes;
}
