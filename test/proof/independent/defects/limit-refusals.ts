import type { Hooks } from '../conduct/hooks.ts';
import { QUOTA_LEFT } from '../conduct/keys.ts';
import type { Call } from '../core/call.ts';
import { isObject, type JsonObject } from '../core/json.ts';
import type { Defect } from './defect.ts';
import { answer, codeOf, errors, failure, mild, NEWS, plain, subtle } from './tools.ts';

/** Changes the body of the refusal. */
function refusal(change: (body: JsonObject, details: JsonObject, call: Call) => void): Hooks {
  return errors([402901], (body, call) => {
    if (isObject(body['details']) && 'window' in body['details'])
      change(body, body['details'], call);
  });
}

/** Defects of the refusal, and of the monthly quota. */
export const LIMIT_REFUSALS: readonly Defect[] = [
  plain('refusal-status-503', 'The refusal is answered with 503.', {
    reply: (_call, reply) => (reply.status === 429 ? { ...reply, status: 503 } : undefined),
  }),
  plain('refusal-status-403', 'The refusal is answered with 403.', {
    reply: (_call, reply) => (reply.status === 429 ? { ...reply, status: 403 } : undefined),
  }),
  plain(
    'refusal-code',
    'The refusal has code 429.',
    refusal((body) => {
      body['code'] = 429;
    }),
  ),
  plain(
    'refusal-code-near',
    'The refusal has code 402900.',
    refusal((body) => {
      body['code'] = 402900;
    }),
  ),
  plain(
    'refusal-message',
    'The refusal says Too many requests.',
    refusal((body) => {
      body['message'] = 'Too many requests';
    }),
  ),
  plain(
    'refusal-limit',
    'The refusal says that the limit is 100.',
    refusal((_body, details) => {
      details['limit'] = 100;
    }),
  ),
  plain(
    'refusal-limit-text',
    'The limit of the refusal is a text.',
    refusal((_body, details) => {
      details['limit'] = '20';
    }),
  ),
  plain(
    'refusal-window',
    'The window of the refusal is 60.',
    refusal((_body, details) => {
      details['window'] = 60;
    }),
  ),
  plain(
    'refusal-window-1m',
    'The window of the refusal is 1m.',
    refusal((_body, details) => {
      details['window'] = '1m';
    }),
  ),
  plain(
    'refusal-retry-missing',
    'The refusal has no retry_after.',
    refusal((_body, details) => delete details['retry_after']),
  ),
  plain(
    'refusal-retry-text',
    'retry_after is a text.',
    refusal((_body, details) => {
      details['retry_after'] = '30s';
    }),
  ),
  plain(
    'refusal-retry-fraction',
    'retry_after is a fraction.',
    refusal((_body, details) => {
      details['retry_after'] = 30.5;
    }),
  ),
  plain(
    'refusal-retry-null',
    'retry_after is null.',
    refusal((_body, details) => {
      details['retry_after'] = null;
    }),
  ),
  mild(
    'refusal-retry-far',
    'retry_after does not fit the reset in any unit.',
    refusal((_body, details) => {
      details['retry_after'] = 86_400;
    }),
  ),
  plain('refusal-no-details', 'The refusal has no details.', {
    reply: (_call, reply) =>
      reply.status === 429 && isObject(reply.body)
        ? { ...reply, body: { code: 402901, message: 'Rate limit exceeded' } }
        : undefined,
  }),
  plain('refusal-text', 'The refusal is a text.', {
    reply: (_call, reply) => (reply.status === 429 ? answer(429, 'Too Many Requests') : undefined),
  }),
  subtle(
    'refusal-news-message',
    'The refusal of news has a message of its own.',
    refusal((body, _details, call) => {
      if (call.pathname.startsWith('/news')) body['message'] = 'Slow down';
    }),
  ),
  plain('quota-none', 'The monthly quota has no end.', { quotaOff: 100_000 }),
  plain('quota-early', 'The monthly quota ends one request early.', { quotaOff: -1 }),
  subtle('quota-late', 'The monthly quota ends one request late.', { quotaOff: 1 }),
  plain(
    'quota-200',
    'The end of the quota is answered with 200.',
    quota((reply) => ({ ...reply, status: 200 })),
  ),
  plain(
    'quota-shape',
    'The end of the quota has another shape.',
    quota(() => answer(429, { error: 'quota' })),
  ),
  plain(
    'quota-text',
    'The end of the quota is a text.',
    quota(() => answer(429, 'Quota exceeded')),
  ),
  subtle(
    'quota-no-details',
    'The end of the quota has no details.',
    quota(() => answer(429, { code: 402901, message: `Monthly quota exceeded` })),
  ),
  subtle(
    'quota-crash',
    `After ${QUOTA_LEFT} requests the key near its quota is answered with 500.`,
    quota(() => failure(500, 500001, 'Internal server error')),
  ),
  subtle(
    'limit-forgets',
    'A page far into the news sets the count back.',

    forgets(),
  ),
];

function quota(
  change: (reply: Parameters<NonNullable<Hooks['reply']>>[1]) => ReturnType<typeof answer>,
): Hooks {
  return {
    reply: (_call, reply) => {
      const spent = isObject(reply.body) && reply.body['message'] === 'Monthly quota exceeded';
      return spent && codeOf(reply) === 402901 ? change(reply) : undefined;
    },
  };
}

function forgets(): Hooks {
  let generation = 0;
  return {
    countedAs: (call, key) => {
      if (call.pathname === NEWS && Number(call.query.get('page')) > 1) generation += 1;
      return `${key} ${generation}`;
    },
  };
}
