import { endpoint } from '../../spec/endpoints.ts';
import type { Exchange } from '../../spec/exchange.ts';
import { isEnveloped } from '../../spec/envelope.ts';
import { jsonValue } from '../../text/json-value.ts';

/** Larger bodies are judged by their beginning only. */
const PARSE_BOUND = 1_000_000;

/**
 * True when a successful body is the resource wrapped in an outer object such as `{code, message, data}`, which the
 * specification does not have (ruling 21).
 */
export function isWrapped(exchange: Exchange): boolean {
  const { response } = exchange;
  if (exchange.endpoint === null || response === null) return false;
  if (response.status < 200 || response.status > 299) return false;
  if (response.truncated === true || response.text.length > PARSE_BOUND) {
    const start = response.text.slice(0, 300);
    return (
      /^\s*\{\s*"(?:code|data|message|msg|success)"\s*:/.test(start) && /"data"\s*:/.test(start)
    );
  }
  let body: unknown;
  try {
    body = jsonValue(response.text);
  } catch {
    return false;
  }
  return isEnveloped(body, endpoint(exchange.endpoint));
}
