import type { Exchange } from '../spec/exchange.ts';
import { RATE_HEADERS, RATE_LIMIT } from '../spec/limits.ts';
import { viewOf } from '../judge/view.ts';
import { DEFAULT_FACTS } from '../judge/facts.ts';
import { wholeNumber } from '../text/whole-number.ts';
import { fail, ok, skip, warn, type Check } from './check.ts';

/** Clock skew that makes logs hard to compare, ms. */
const SKEW_TO_WARN_MS = 60_000;

/** Limits announced in a response (§8); null for each that it does not have. */
export const announced = ({ response }: Exchange) => ({
  limit: wholeNumber(response?.headers[RATE_HEADERS.limit]),
  remaining: wholeNumber(response?.headers[RATE_HEADERS.remaining]),
});

export function headersCheck(exchanges: readonly Exchange[], limit: number): Check {
  const name = 'rate-limit headers';
  const seen = exchanges.map(announced).find((one) => one.limit !== null || one.remaining !== null);
  if (seen === undefined)
    return ok(name, 'none in these responses, which is allowed for every response except a 429');
  const text = `limit ${seen.limit ?? 'unknown'}, remaining ${seen.remaining ?? 'unknown'}`;
  if (seen.limit === null || seen.limit === limit) return ok(name, text);
  const fix =
    limit === RATE_LIMIT
      ? `The specification says ${RATE_LIMIT}. A run will report the difference; set limits.requests only for a test target with scaled limits.`
      : `The target announces ${seen.limit}, but limits.requests is ${limit}: correct one of them.`;
  return warn(name, text, fix);
}

/** True when a response with a specified shape is wrapped (ruling 21); undefined when unclear. */
export function isWrapped(exchange: Exchange): boolean | undefined {
  const view = viewOf(exchange, DEFAULT_FACTS);
  return view?.ok === true && view.isJson ? view.wrapped : undefined;
}

export function envelopeCheck(exchange: Exchange, envelope: string | null): Check {
  const wrapped = isWrapped(exchange);
  if (wrapped === undefined) return skip('envelope', 'no successful response to check');
  if (wrapped === (envelope !== null)) {
    return ok(
      'envelope',
      wrapped ? `the content of "${envelope}" is judged, as set in the target file` : 'none',
    );
  }
  return wrapped
    ? warn(
        'envelope',
        'bodies are wrapped in {code, message, data}',
        'The specification has no envelope (ruling 21). Set `envelope: data` to judge the content.',
      )
    : fail(
        'envelope',
        `bodies are not wrapped, but the target file sets \`envelope: ${envelope}\``,
        'Remove `envelope` from the target file.',
      );
}

export function skewCheck(exchange: Exchange): Check {
  if (exchange.response?.headers['date'] === undefined) {
    return skip(
      'clock',
      'the target sends no Date header; assuming that its clock matches the local clock',
    );
  }
  const { skewMs } = exchange;
  if (skewMs === 0) return ok('clock', 'the clocks agree to the second');
  const seconds = Math.round(Math.abs(skewMs) / 100) / 10;
  const text = `the target's clock is ${seconds} s ${skewMs > 0 ? 'ahead' : 'behind'}, which is taken into account`;
  return Math.abs(skewMs) > SKEW_TO_WARN_MS
    ? warn(
        'clock',
        text,
        "Correct one of the clocks: the rate-limit reset is given in the target's time.",
      )
    : ok('clock', text);
}
