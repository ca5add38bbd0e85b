import type { Exchange } from '../spec/exchange.ts';
import { RATE_HEADERS, RATE_LIMIT } from '../spec/limits.ts';
import { viewOf } from '../judge/view.ts';
import { DEFAULT_FACTS } from '../judge/facts.ts';
import { wholeNumber } from '../text/whole-number.ts';
import { fail, ok, skip, warn } from './check.ts';
import type { Check } from './check.ts';

/** Skew from which a log of the target can no longer be compared with ours, ms. */
const SKEW_TO_WARN_MS = 60_000;

/** Limits that the answers of a target announce. */
export interface Announced {
  readonly limit: number | null;
  readonly remaining: number | null;
  /** Time of the target, epoch ms. */
  readonly reset: number | null;
}

/** Rate-limit headers of an answer (§8); all null when it has none. */
export function announced({ response }: Exchange): Announced {
  const number = (name: string): number | null => wholeNumber(response?.headers[name]);
  return {
    limit: number(RATE_HEADERS.limit),
    remaining: number(RATE_HEADERS.remaining),
    reset: number(RATE_HEADERS.reset),
  };
}

export function headersCheck(exchanges: readonly Exchange[], limit: number): Check {
  const name = 'rate-limit headers';
  const seen = exchanges.map(announced).find((one) => one.limit !== null || one.remaining !== null);
  if (seen === undefined)
    return ok(name, 'none on these answers, which is allowed except on a refusal');
  const text = `limit ${seen.limit ?? 'not said'}, ${seen.remaining ?? 'unknown'} left`;
  if (seen.limit === null || seen.limit === limit) return ok(name, text);
  const fix =
    limit === RATE_LIMIT
      ? `The specification says ${RATE_LIMIT}. A run will report it; set limits.requests only for a test target that is scaled on purpose.`
      : `limits.requests says ${limit}: bring the two together.`;
  return warn(name, text, fix);
}

/** True when an answer of a stated shape is wrapped (ruling 21); undefined when it cannot be told. */
export function isWrapped(exchange: Exchange): boolean | undefined {
  const view = viewOf(exchange, DEFAULT_FACTS);
  return view?.ok === true && view.isJson ? view.wrapped : undefined;
}

export function envelopeCheck(exchange: Exchange, envelope: string | null): Check {
  const wrapped = isWrapped(exchange);
  if (wrapped === undefined) return skip('envelope', 'there is no successful answer to look at');
  if (wrapped === (envelope !== null)) {
    return ok('envelope', wrapped ? `"${envelope}" is taken off, as the target file says` : 'none');
  }
  return wrapped
    ? warn(
        'envelope',
        'bodies are wrapped in {code, message, data}',
        'The specification has bare bodies (ruling 21). Set `envelope: data` to judge the inside.',
      )
    : fail(
        'envelope',
        `bodies are bare, but the target file says envelope: ${envelope}`,
        'Take envelope out of the target file.',
      );
}

export function skewCheck(exchange: Exchange): Check {
  if (exchange.response?.headers['date'] === undefined) {
    return skip('clock', 'the target sends no Date header; its clock is taken to be ours');
  }
  const { skewMs } = exchange;
  if (skewMs === 0) return ok('clock', 'the clocks agree, as far as seconds tell');
  const seconds = Math.round(Math.abs(skewMs) / 100) / 10;
  const text = `the target is ${seconds} s ${skewMs > 0 ? 'ahead' : 'behind'}; this is taken into account`;
  return Math.abs(skewMs) > SKEW_TO_WARN_MS
    ? warn(
        'clock',
        text,
        'Set one of the clocks: the reset of the rate limit is a time of the target.',
      )
    : ok('clock', text);
}
