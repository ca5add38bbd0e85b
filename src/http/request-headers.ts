import type { TargetHttp } from '../target/target.ts';
import { httpSecrets } from './secrets.ts';

export interface HeaderSources {
  /** Host and port of the target. */
  readonly host: string;
  readonly userAgent: string;
  /** Headers of the target file. */
  readonly configured: TargetHttp['headers'];
  /** Name of the key header (§5 rule 2). */
  readonly keyHeader: string;
  /** Key to send; null for none. */
  readonly key: string | null;
  /** Headers of this request only, overriding all others. */
  readonly extra: Readonly<Record<string, string>>;
}

/** The headers of a request. Names are case-insensitive; a configured key header never replaces that of the role. */
export function requestHeaders(sources: HeaderSources): Record<string, string> {
  const { host, userAgent, configured, keyHeader, key, extra } = sources;
  const headers = new Map<string, readonly [name: string, value: string]>();
  const set = (name: string, value: string): void => {
    headers.set(name.toLowerCase(), [name, value]);
  };
  set('host', host);
  set('accept', 'application/json');
  // Compressed responses are decompressed anyway, but requesting them would only cost time.
  set('accept-encoding', 'identity');
  set('user-agent', userAgent);
  for (const [name, value] of Object.entries(configured)) set(name, value);
  headers.delete(keyHeader.toLowerCase());
  if (key !== null) set(keyHeader, key);
  for (const [name, value] of Object.entries(extra)) set(name, value);
  return Object.fromEntries(headers.values());
}

/** Other credentials in the settings, which must not be recorded either. */
export function configuredSecrets(http: TargetHttp): string[] {
  return httpSecrets(http).map(({ value }) => value);
}
