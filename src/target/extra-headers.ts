import { TargetError } from './errors.ts';

/** Hop-by-hop headers (RFC 9110 §7.6.1), which cannot be set. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** Headers that Assay must set itself, with the reason. */
const OWN: Readonly<Record<string, string>> = {
  'content-length': 'it is computed from the body',
  expect: 'Assay sends no request bodies',
  'accept-encoding': 'Assay requests uncompressed bodies so that it can enforce its size limit',
  'proxy-authorization':
    'proxy credentials belong in the proxy URL: --proxy http://user:password@host:port',
  'proxy-authenticate': 'it is a response header',
};

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Parses `--header "Name: value"`.
 * @throws TargetError `ASSAY_TARGET_INVALID` for an invalid header
 */
export function parseHeaders(flags: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    flags.map((flag) => {
      const colon = flag.indexOf(':');
      // The message does not repeat the text, which may contain a credential.
      if (colon < 1) throw refused('--header must be "Name: value".');
      return [flag.slice(0, colon).trim(), flag.slice(colon + 1).trim()];
    }),
  );
}

/**
 * Merges headers by case-insensitive name; later ones win.
 * @throws TargetError `ASSAY_TARGET_INVALID` for the key header (§5), hop-by-hop headers, or invalid characters
 */
export function mergeHeaders(
  keyHeader: string,
  ...sources: readonly (readonly [origin: string, Readonly<Record<string, string>>])[]
): Record<string, string> {
  const merged = new Map<string, readonly [string, string]>();
  for (const [origin, headers] of sources) {
    for (const [name, value] of Object.entries(headers)) {
      const fault = headerFault(name, value, keyHeader);
      if (fault !== undefined) throw refused(`${origin}: ${fault}`);
      merged.set(name.toLowerCase(), [name, value]);
    }
  }
  return Object.fromEntries(merged.values());
}

function headerFault(name: string, value: string, keyHeader: string): string | undefined {
  const lower = name.toLowerCase();
  if (!NAME.test(name)) return 'a header name contains invalid characters.';
  if (!VALUE.test(value)) return `the value of ${name} contains invalid characters.`;
  if (lower === keyHeader.toLowerCase()) {
    return `${name} is the key header, which each check sets for the role it needs: configure keys under keys.* or in ASSAY_API_KEY.`;
  }
  if (HOP_BY_HOP.has(lower)) {
    return `${name} is a hop-by-hop header and cannot be set.`;
  }
  const why = OWN[lower];
  return why === undefined ? undefined : `${name} cannot be set: ${why}.`;
}

function refused(message: string): TargetError {
  return new TargetError(
    'ASSAY_TARGET_INVALID',
    message,
    'Set headers with --header "X-Team: data", or under http.headers in the target file.',
  );
}
