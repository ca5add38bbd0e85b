import type { Exchange } from '../contract/exchange.ts';

/** Members that an envelope around a body is seen to have, next to `data`. */
const ENVELOPE_MEMBERS = new Set([
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

/** Bodies above this size are judged by their beginning only; a summary need not parse megabytes. */
const PARSE_BOUND = 1_000_000;

/**
 * True when a successful body is the resource wrapped in an outer object such as `{code, message, data}`, which the
 * specification does not have (ruling 21).
 */
export function isWrapped(exchange: Exchange): boolean {
  const { response } = exchange;
  if (response === null || response.status < 200 || response.status > 299) return false;
  if (response.truncated === true || response.text.length > PARSE_BOUND) {
    const start = response.text.slice(0, 300);
    return /^\s*\{\s*"(?:code|message|msg|success)"\s*:/.test(start) && /"data"\s*:/.test(start);
  }
  let body: unknown;
  try {
    body = JSON.parse(response.text);
  } catch {
    return false;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  const members = Object.keys(body);
  return (
    members.includes('data') &&
    members.length > 1 &&
    members.every((member) => ENVELOPE_MEMBERS.has(member))
  );
}
