import { TargetError } from './errors.ts';

/** Headers that belong to one connection and not to the request (RFC 9110 §7.6.1), so that no request may set them. */
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

/** Headers that Assay must set itself, with the reason and the way out. */
const OWN: Readonly<Record<string, string>> = {
  'content-length': 'it is computed from the body',
  expect: 'Assay sends no bodies that a server could announce its interest in',
  'accept-encoding': 'Assay asks for bodies that are not compressed, to bound their size',
  'proxy-authorization':
    'credentials of a proxy stand in its address: --proxy http://user:password@host:port',
  'proxy-authenticate': 'it is a header of answers',
};

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Headers of `--header "Name: value"`, as a record.
 * @throws TargetError `ASSAY_TARGET_INVALID` for a text that is no header
 */
export function parseHeaders(flags: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    flags.map((flag) => {
      const colon = flag.indexOf(':');
      // The text is not repeated in the message: what stands behind the colon may be a credential.
      if (colon < 1) throw refused('--header is not of the form "Name: value".');
      return [flag.slice(0, colon).trim(), flag.slice(colon + 1).trim()];
    }),
  );
}

/**
 * Merges headers without regard to the case of names; later ones win.
 * @throws TargetError `ASSAY_TARGET_INVALID` for the key header (§5), headers of one connection, or bad characters
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
  if (!NAME.test(name)) return 'a name holds characters that no header may have.';
  if (!VALUE.test(value)) return `the value of ${name} holds characters that no header may have.`;
  if (lower === keyHeader.toLowerCase()) {
    return `${name} is the key header. Each check sets it for the role it needs: give keys under keys.* or in ASSAY_API_KEY.`;
  }
  if (HOP_BY_HOP.has(lower)) {
    return `${name} is a header of the connection, not of the request, and cannot be set.`;
  }
  const why = OWN[lower];
  return why === undefined ? undefined : `${name} cannot be set: ${why}.`;
}

function refused(message: string): TargetError {
  return new TargetError(
    'ASSAY_TARGET_INVALID',
    message,
    'Give headers as --header "X-Team: data", or under http.headers of the target file.',
  );
}
