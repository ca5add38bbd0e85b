import type { Exchange } from '../../contract/exchange.ts';

/** The code of an error body (§7), read from its beginning; 0 when there is none. */
export function errorCode({ response }: Pick<Exchange, 'response'>): number {
  if (response === null || response.status < 400) return 0;
  const code = /"code"\s*:\s*(\d{1,9})\b/.exec(response.text.slice(0, 400))?.[1];
  return code === undefined ? 0 : Number(code);
}
