import type { JsonObject } from '../core/json.ts';
import type { Reply } from '../core/call.ts';
import type { World } from '../worlds/world.ts';

/** Why a request is refused. */
export type Cause =
  | 'format'
  | 'missing'
  | 'value'
  | 'range'
  | 'key'
  | 'expired'
  | 'permission'
  | 'resource'
  | 'endpoint'
  | 'rate'
  | 'quota'
  | 'method'
  | 'listing';

/** What a refusal knows beyond its cause. */
export interface About {
  /** Parameters at fault. */
  readonly fields?: readonly string[];
  readonly value?: string;
  readonly issue?: string;
  readonly constraint?: string | readonly string[];
  /** The message, where the cause does not give it. */
  readonly message?: string;
  readonly details?: JsonObject;
}

/** Thrown where a request is refused. */
export class Refusal extends Error {
  readonly reason: Cause;
  readonly about: About;
  constructor(reason: Cause, about: About = {}) {
    super(reason);
    this.reason = reason;
    this.about = about;
  }
}

/** What a cause is told with; what a parameter is refused for has its message from the parameter. */
const TOLD: Readonly<Record<Cause, readonly [status: number, code: number, message?: string]>> = {
  format: [400, 400001],
  listing: [400, 400001],
  missing: [400, 400002],
  value: [400, 400003],
  range: [400, 400001],
  key: [401, 400101, 'Invalid API key'],
  expired: [401, 400102, 'API key expired'],
  permission: [403, 400301, 'Insufficient permissions'],
  resource: [404, 400401, 'Resource not found'],
  endpoint: [404, 400402, 'Endpoint not found'],
  method: [405, 400402, 'Method not allowed'],
  rate: [429, 402901, 'Rate limit exceeded'],
  quota: [429, 402901, 'Monthly quota exceeded'],
};

const isValidation = (reason: Cause): boolean => TOLD[reason][0] === 400;

/** The five-digit twin of a code: one zero less. */
export function twin(code: number): number {
  return Number(String(code).replace('0', ''));
}

function missingMessage(world: World, fields: readonly string[]): string {
  const named = world.of('missing-several', {
    first: fields[0] ?? '',
    last: fields.at(-1) ?? '',
    all: fields.join(', '),
  });
  return world.of('missing-message', {
    'missing-required': `Missing required parameter: ${named}`,
    invalid: `Invalid parameter: ${named}`,
    'is-required': `${named} is required`,
    'must-not-be-empty': `Parameter '${named}' must not be empty.`,
    spring: `Required request parameter '${named}' for method parameter type String is not present`,
  });
}

function messageOf(world: World, reason: Cause, about: About): string {
  const { fields = [], issue = 'bad value', value = '' } = about;
  const [, , plain] = TOLD[reason];
  if (about.message !== undefined) return about.message;
  if (plain !== undefined) return plain;
  if (reason === 'missing') return missingMessage(world, fields);
  const suffix = world.of('invalid-suffix', {
    nothing: '',
    reason: `, ${issue}`,
    'in-brackets': ` (${issue})`,
    'full-stop': '.',
    value: `=${value}`,
  });
  return `Invalid parameter: ${fields[0] ?? ''}${suffix}`;
}

function validationDetails(world: World, reason: Cause, about: About): JsonObject {
  const field = about.fields?.[0];
  if (world.choice('details') === 'sparse' && about.constraint === undefined) return {};
  return {
    field,
    value: about.value,
    issue: about.issue ?? (reason === 'missing' ? 'missing' : 'invalid'),
    constraint: about.constraint,
    suggestion:
      reason === 'missing' ? `Send ${field ?? 'it'}.` : 'See the documentation of this parameter.',
  };
}

function detailsOf(world: World, reason: Cause, about: About): JsonObject {
  const more: JsonObject =
    world.choice('details') === 'more'
      ? { request_id: 'req-5f2c', documentation: 'https://docs.example.org/errors' }
      : {};
  if (isValidation(reason))
    return { ...validationDetails(world, reason, about), ...about.details, ...more };
  if (reason === 'key' || reason === 'expired') {
    const solution = 'Send a key in use, or apply for a new one.';
    return { header: 'X-API-KEY', solution, ...more };
  }
  return { ...about.details, ...more };
}

function codeOf(world: World, reason: Cause, code: number): number {
  const choice = world.choice('codes');
  if (choice === 'five-digits') return twin(code);
  if (choice === 'five-digits-429') return code === 402901 ? 42901 : code;
  // The generic code is that of a 400: a range refused with 403 keeps the code of its status.
  const generic = choice === 'generic' && code !== 400301 && isValidation(reason);
  return generic ? 40001 : code;
}

const quotaTold = (world: World): readonly [status: number, code: number] =>
  world.of('quota', {
    '429': [429, 402901],
    '403': [403, 400301],
    '402': [402, 402001],
    '429-own-code': [429, 402902],
  } as const);

/** The answer to a refused request. */
export function refusalReply(world: World, { reason, about }: Refusal): Reply {
  const [stated, number] = reason === 'quota' ? quotaTold(world) : TOLD[reason];
  const status = reason === 'range' && world.choice('beyond') === 'refuse-403' ? 403 : stated;
  const code =
    reason === 'range' && world.choice('beyond') === 'refuse-value'
      ? 400003
      : reason === 'range' && status === 403
        ? 400301
        : number;
  const details = detailsOf(world, reason, about);
  return {
    status,
    headers: {},
    body: { code: codeOf(world, reason, code), message: messageOf(world, reason, about), details },
  };
}
