import type { Endpoint } from './endpoints.ts';

/** Common members of an envelope, including `data`. */
const MEMBERS: ReadonlySet<string> = new Set([
  'code',
  'data',
  'details',
  'message',
  'msg',
  'request_id',
  'success',
  'time',
  'timestamp',
  'trace_id',
]);

/**
 * True when a successful body is wrapped in an envelope such as `{code, message, data}` (ruling 21). No resource of §2
 * has a member `data`; for endpoints without a specified shape, `data` alone is not an envelope.
 */
export function isEnveloped(body: unknown, { response }: Endpoint): boolean {
  if (!isRecord(body) || !('data' in body)) return false;
  const names = Object.keys(body);
  return (
    (names.length > 1 || response.kind !== 'unstated') && names.every((name) => MEMBERS.has(name))
  );
}

/**
 * True when an envelope has a status member, and not just `data`, which any server may return.
 */
export const saysHowItWent = (body: unknown): boolean =>
  isRecord(body) && ('code' in body || 'success' in body);

const isRecord = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

/** That a setting has the content of wrapped bodies judged. */
export const envelopeNote = (envelope: string): string =>
  `Bodies are wrapped in an envelope, which violates the specification (ruling 21). The content of "${envelope}" was judged because the target file sets envelope: ${envelope}.`;
