import { judgedBy } from './own-rules.ts';
import { OF_LIMITS } from '../../src/requirements/judging.ts';
import type { Exchange, KeyRole } from '../../src/spec/exchange.ts';
import type { RequirementId } from '../../src/spec/requirement-id.ts';
import { contextOf } from '../../src/judge/context.ts';
import { DEFAULT_FACTS, type Facts } from '../../src/judge/facts.ts';
import type { Judgement } from '../../src/judge/judgement.ts';

import { viewOf } from '../../src/judge/view.ts';

/** Start of a minute, target's time. */
export const START = Date.UTC(2026, 8, 9, 15);
export const WINDOW = 60_000;
export const RESET = START + WINDOW;

export interface Answered {
  readonly key?: string;
  readonly role?: KeyRole;
  readonly status?: number;
  readonly method?: string;
  /** Target's time when the request was sent, ms after START; 10 ms after the one before by default. */
  readonly at?: number;
  readonly took?: number;
  /** Target's clock minus local clock, ms. */
  readonly skew?: number;
  readonly limit?: string | number | null;
  readonly remaining?: string | number | null;
  readonly reset?: string | number | null;
  /** False to leave the Date header out. */
  readonly dated?: boolean;
  /** What `Date` says, compared with the clock that the limiter goes by, ms. */
  readonly dateOff?: number;
  readonly body?: unknown;
  readonly text?: string;
}

export const REFUSAL = {
  code: 402901,
  message: 'Rate limit exceeded',
  details: { limit: 20, window: '60s', retry_after: 60 },
};

/** Exchanges in the order sent, with ids, times and the headers of a target that announces its windows. */
export class Recording {
  readonly exchanges: Exchange[] = [];
  #last = 0;

  add(answered: Answered): this {
    const {
      key = 'k:1',
      role = 'valid',
      status = 200,
      method = 'GET',
      took = 5,
      skew = 0,
    } = answered;
    const at = answered.at ?? this.#last + 10;
    this.#last = Math.max(this.#last, at);
    const sentAt = START + at - skew;
    const { limit = 20, remaining = null, reset = RESET, dateOff = 0 } = answered;
    const fields: [string, string | number | null][] = [
      [
        'date',
        answered.dated === false ? null : new Date(START + at + took + dateOff).toUTCString(),
      ],
      ['x-ratelimit-limit', limit],
      ['x-ratelimit-remaining', remaining],
      ['x-ratelimit-reset', reset],
    ];
    const body = answered.body ?? (status === 429 ? REFUSAL : []);
    const text = answered.text ?? JSON.stringify(body);
    this.exchanges.push({
      id: `x${this.exchanges.length + 1}`,
      endpoint: '/analyses',
      pathParameters: {},
      role,
      key,
      request: { method, url: 'http://target/analyses', path: '/analyses', query: [], headers: {} },
      response: {
        status,
        headers: Object.fromEntries(
          fields.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
        ),
        text,
        bytes: text.length,
      },
      error: null,
      sentAt,
      receivedAt: sentAt + took,
      // The clocks are compared by what `Date` says.
      skewMs: answered.dated === false ? 0 : skew + dateOff,
      attempt: 1,
    });
    return this;
  }

  /** A request whose answer was lost. */
  lost(): this {
    this.add({});
    const last = this.exchanges.pop();
    if (last === undefined) return this;
    const error = { kind: 'reset', message: 'connection reset' } as const;
    this.exchanges.push({ ...last, response: null, error });
    return this;
  }

  /** Requests of one key, each with the next lower figure. */
  countDown(from: number, to: number, { at, ...answered }: Answered = {}): this {
    if (at !== undefined) this.#last = at - 10;
    for (let remaining = from; remaining >= to; remaining -= 1)
      this.add({ ...answered, remaining });
    return this;
  }

  /** The refusal of a used-up window. */
  refused(answered: Answered = {}): this {
    return this.add({ status: 429, remaining: 0, ...answered });
  }
}

export const recording = (): Recording => new Recording();

/** What the rules of §8 find. */
export function judge(
  recorded: Pick<Recording, 'exchanges'>,
  facts: Partial<Facts> = {},
): Judgement {
  const context = contextOf({ ...DEFAULT_FACTS, ...facts }, recorded.exchanges);
  const views = recorded.exchanges.flatMap((exchange) => viewOf(exchange, context) ?? []);
  return judgedBy(OF_LIMITS, views, context);
}

/** `<requirement> <exchange> <pointer>` of every finding. */
export function findings(
  recorded: Pick<Recording, 'exchanges'>,
  facts: Partial<Facts> = {},
): string[] {
  return [...judge(recorded, facts).requirements.values()].flatMap((judged) =>
    judged.findings.map(({ requirement, exchange, pointer }) =>
      [requirement, exchange, ...(pointer === null ? [] : [pointer])].join(' '),
    ),
  );
}

/** True when the requirement was judged at all. */
export function isJudged(
  recorded: Recording,
  id: RequirementId,
  facts: Partial<Facts> = {},
): boolean {
  return judge(recorded, facts).requirements.has(id);
}
