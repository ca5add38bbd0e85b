import type { Hooks } from '../conduct/hooks.ts';
import type { Call } from '../core/call.ts';
import { isObject, type Json } from '../core/json.ts';
import { forbidden, keysOf } from '../conduct/keys.ts';
import { ENDPOINTS } from '../endpoints/table.ts';
import type { Defect } from './defect.ts';
import {
  answer,
  CHARTS,
  codeOf,
  errors,
  failure,
  FEATURED,
  HISTORY,
  INFO,
  isOf,
  KLINES,
  MACRO,
  NEWS,
  PAIRS,
  plain,
  SNAPSHOT,
  STOCK,
  subtle,
  SUMMARY,
} from './tools.ts';

/** Lets a key through that ought to be refused. */
function lets(which: (call: Call) => boolean): Hooks {
  return { standing: (call, standing) => (standing !== 'good' && which(call) ? 'good' : standing) };
}

/** Refuses, or serves, depending on what the request is; the path is known only after the key was checked. */
function letsOn(template: string, which: (call: Call) => boolean): Hooks {
  const path = new RegExp(`^${template.replaceAll(/\{[a-z_]+\}/g, '[^/]+')}$`);
  return lets((call) => path.test(call.pathname) && which(call));
}

const missing = (call: Call): boolean => call.key === undefined;
const expired = (call: Call): boolean => call.key === keysOf(call.world).expired;
const disabled = (call: Call): boolean => call.key === keysOf(call.world).disabled;
const unknown = (call: Call): boolean => !missing(call) && !expired(call) && !disabled(call);
const any = (): boolean => true;

function auth(
  change: (body: { [name: string]: Json | undefined }, call: Call) => void,
  codes = [400101, 400102],
): Hooks {
  return errors(codes, change);
}

function restated(
  codes: readonly number[],
  status: number,
  where: (call: Call) => boolean = any,
): Hooks {
  return {
    reply: (call, reply) =>
      codes.includes(codeOf(reply) ?? 0) && where(call) ? { ...reply, status } : undefined,
  };
}

function slug(template: string): string {
  return template.replaceAll(/[^a-z]+/g, '-').replaceAll(/^-|-$/g, '');
}

const OPEN: readonly Defect[] = [
  plain('key-optional', 'The key may be left out.', lets(missing)),
  plain('key-any', 'Every key is good.', lets(unknown)),
  plain('key-expired-good', 'Expired keys are good.', lets(expired)),
  plain('key-disabled-good', 'Disabled keys are good.', lets(disabled)),
  ...ENDPOINTS.map(({ template }) =>
    subtle(
      `open-${slug(template)}`,
      `GET ${template} does without a key.`,
      letsOn(template, missing),
    ),
  ),
  ...[INFO, NEWS, SUMMARY, MACRO, '/indices', '/news/hot', '/etfs'].flatMap((template) => [
    subtle(
      `unknown-on-${slug(template)}`,
      `GET ${template} takes every key.`,
      letsOn(template, unknown),
    ),
    subtle(
      `disabled-on-${slug(template)}`,
      `GET ${template} takes disabled keys.`,
      letsOn(template, disabled),
    ),
    subtle(
      `expired-on-${slug(template)}`,
      `GET ${template} takes expired keys.`,
      letsOn(template, expired),
    ),
  ]),
  subtle(
    'key-optional-page-two',
    'Page 2 does without a key.',
    lets((call) => missing(call) && call.query.get('page') === '2'),
  ),
  subtle(
    'expired-page-two',
    'Expired keys are refused on page 1 only.',
    lets((call) => expired(call) && Number(call.query.get('page')) > 1),
  ),
  subtle(
    'key-prefix',
    'A good key with something appended is good.',
    lets((call) => keysOf(call.world).valid.some((good) => call.key?.startsWith(good) === true)),
  ),
  subtle(
    'key-cut',
    'A good key without its last letter is good.',
    lets((call) => keysOf(call.world).valid.some((good) => call.key === good.slice(0, -1))),
  ),
  subtle(
    'key-case',
    'Keys are compared without regard to case.',
    lets((call) =>
      keysOf(call.world).valid.some((good) => call.key?.toLowerCase() === good.toLowerCase()),
    ),
  ),
  subtle(
    'key-empty',
    'An empty key is good.',
    lets((call) => call.key === ''),
  ),
  subtle(
    'key-blank',
    'A key of blanks or of the word null is good.',
    lets((call) => ['null', 'undefined', 'none', ' '].includes(call.key ?? '-')),
  ),
];

const WORDS: readonly Defect[] = [
  plain('key-status-403', 'Bad keys are refused with 403.', restated([400101, 400102], 403)),
  plain('key-status-400', 'Bad keys are refused with 400.', restated([400101, 400102], 400)),
  plain('key-status-200', 'Bad keys are refused with 200.', restated([400101, 400102], 200)),
  subtle(
    'missing-key-status-400',
    'A missing key is refused with 400.',
    restated([400101], 400, missing),
  ),
  subtle(
    'missing-key-status-403',
    'A missing key is refused with 403.',
    restated([400101], 403, missing),
  ),
  plain(
    'key-code',
    'Unknown keys are refused with code 400102.',
    auth((body, call) => {
      if (unknown(call)) body['code'] = 400102;
    }),
  ),
  plain(
    'key-code-401',
    'Bad keys are refused with code 401.',
    auth((body) => {
      body['code'] = 401;
    }),
  ),
  plain(
    'disabled-code',
    'Disabled keys are refused with code 400102.',
    auth((body, call) => {
      if (disabled(call)) body['code'] = 400102;
    }),
  ),
  plain(
    'expired-code',
    'Expired keys are refused with code 400101.',
    auth((body, call) => {
      if (expired(call)) body['code'] = 400101;
    }),
  ),
  plain(
    'key-header-missing',
    'Authentication errors do not name the header.',
    auth((body) => {
      body['details'] = { solution: 'Log in.' };
    }),
  ),
  plain(
    'key-header-other',
    'Authentication errors name Authorization as the header.',
    auth((body) => {
      body['details'] = { header: 'Authorization', solution: 'Log in.' };
    }),
  ),
  subtle(
    'expired-header-missing',
    'The refusal of an expired key does not name the header.',
    auth(
      (body) => {
        body['details'] = {};
      },
      [400102],
    ),
  ),
  plain('key-body-empty', 'Bad keys are refused with an empty object.', {
    reply: (_call, reply) => (reply.status === 401 ? answer(401, {}) : undefined),
  }),
  plain('key-body-text', 'Bad keys are refused with a text.', {
    reply: (_call, reply) => (reply.status === 401 ? answer(401, 'Unauthorized') : undefined),
  }),
  subtle('missing-key-body', 'A missing key is refused with another shape.', {
    reply: (call, reply) =>
      reply.status === 401 && missing(call)
        ? answer(401, { message: 'No API key found in request' })
        : undefined,
  }),
  subtle('key-code-history', 'Unknown keys are refused with 400301 on ETF history.', {
    reply: (call, reply) =>
      call.pathname.endsWith('/history') && codeOf(reply) === 400101 && isObject(reply.body)
        ? { ...reply, body: { ...reply.body, code: 400301 } }
        : undefined,
  }),
];

const RESTRICTED: readonly Defect[] = [
  plain('restricted-good', 'The restricted key may call everything.', { forbidden: () => false }),
  subtle('restricted-featured', 'The restricted key may call featured news.', {
    forbidden: (call, refused) => refused && call.template !== FEATURED,
  }),
  subtle('restricted-news', 'The restricted key may call GET /news.', {
    forbidden: (call, refused) => refused && call.template !== NEWS,
  }),
  subtle('restricted-hot', 'The restricted key may call hot news.', {
    forbidden: (call, refused) => refused && call.template !== '/news/hot',
  }),
  subtle('restricted-query', 'The restricted key is refused only without parameters.', {
    forbidden: (call, refused) => refused && call.query.size === 0,
  }),
  plain('restricted-401', 'The restricted key is refused with 401.', restated([400301], 401)),
  plain('restricted-404', 'The restricted key is told that there is nothing.', {
    reply: (_call, reply) =>
      codeOf(reply) === 400301 ? failure(404, 400402, 'Endpoint not found') : undefined,
  }),
  plain(
    'restricted-code',
    'The restricted key is refused with code 400101.',
    errors([400301], (body) => {
      body['code'] = 400101;
    }),
  ),
  plain('restricted-shape', 'The refusal of the restricted key has another shape.', {
    reply: (_call, reply) =>
      codeOf(reply) === 400301 ? answer(403, { error: 'forbidden' }) : undefined,
  }),
  plain('restricted-empty', 'The restricted key gets an empty list.', {
    reply: (_call, reply) => (codeOf(reply) === 400301 ? answer(200, []) : undefined),
  }),
  ...[KLINES, PAIRS, SNAPSHOT, HISTORY, STOCK, CHARTS].map((template) =>
    subtle(`valid-refused-on-${slug(template)}`, `Good keys are refused on GET ${template}.`, {
      reply: (call, reply) =>
        isOf(call, template) && reply.status === 200 && !forbidden(call.world).includes(template)
          ? failure(403, 400301, 'Insufficient permissions')
          : undefined,
    }),
  ),
  subtle('second-key-refused', 'The second good key is refused now and then.', {
    standing: (call, standing) =>
      standing === 'good' && call.key === keysOf(call.world).valid[1] && call.count % 5 === 0
        ? 'unknown'
        : standing,
  }),
];

/** Defects of keys. */
export const KEY_DEFECTS: readonly Defect[] = [...OPEN, ...WORDS, ...RESTRICTED];
