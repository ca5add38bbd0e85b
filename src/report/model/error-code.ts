import { ERRORS, errorNamed } from '../../spec/error-codes.ts';
import type { Exchange } from '../../spec/exchange.ts';

/** The number in `code` near the beginning of a body; 0 when there is none. */
function codeIn({ response }: Pick<Exchange, 'response'>): number {
  const code = /"code"\s*:\s*(\d{1,9})\b/.exec(response?.text.slice(0, 400) ?? '')?.[1];
  return code === undefined ? 0 : Number(code);
}

/** The code of an error body (§7), read from its beginning; 0 when there is none. */
export const errorCode = (exchange: Pick<Exchange, 'response'>): number =>
  (exchange.response?.status ?? 0) < 400 ? 0 : codeIn(exchange);

/** The status that §7 requires for the code of a response, when the response has another; null otherwise. */
export function statusOfCode(exchange: Pick<Exchange, 'response'>): number | null {
  const { response } = exchange;
  const name = errorNamed(codeIn(exchange));
  if (response === null || name === undefined) return null;
  return ERRORS[name].status === response.status ? null : ERRORS[name].status;
}
