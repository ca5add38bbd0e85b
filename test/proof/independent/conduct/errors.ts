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

const CODES: Readonly<Record<Cause, readonly [status: number, code: number]>> = {
  format: [400, 400001],
  listing: [400, 400001],
  missing: [400, 400002],
  value: [400, 400003],
  range: [400, 400001],
  key: [401, 400101],
  expired: [401, 400102],
  permission: [403, 400301],
  resource: [404, 400401],
  endpoint: [404, 400402],
  method: [405, 400402],
  rate: [429, 402901],
  quota: [429, 402901],
};

/** The five-digit twin of a code: one zero less. */
export function twin(code: number): number {
  return Number(String(code).replace('0', ''));
}

function missingMessage(world: World, fields: readonly string[]): string {
  const choice = world.choice('missing-several');
  const named =
    choice === 'all' ? fields.join(', ') : ((choice === 'last' ? fields.at(-1) : fields[0]) ?? '');
  switch (world.choice('missing-message')) {
    case 'missing-required':
      return `Missing required parameter: ${named}`;
    case 'invalid':
      return `Invalid parameter: ${named}`;
    case 'is-required':
      return `${named} is required`;
    case 'must-not-be-empty':
      return `Parameter '${named}' must not be empty.`;
    default:
      return `Required request parameter '${named}' for method parameter type String is not present`;
  }
}

function invalidMessage(
  world: World,
  { fields = [], issue = 'bad value', value = '' }: About,
): string {
  const start = `Invalid parameter: ${fields[0] ?? ''}`;
  switch (world.choice('invalid-suffix')) {
    case 'nothing':
      return start;
    case 'reason':
      return `${start}, ${issue}`;
    case 'in-brackets':
      return `${start} (${issue})`;
    case 'full-stop':
      return `${start}.`;
    default:
      return `${start}=${value}`;
  }
}

function messageOf(world: World, reason: Cause, about: About): string {
  if (about.message !== undefined) return about.message;
  switch (reason) {
    case 'format':
    case 'value':
    case 'range':
    case 'listing':
      return invalidMessage(world, about);
    case 'missing':
      return missingMessage(world, about.fields ?? []);
    case 'key':
      return 'Invalid API key';
    case 'expired':
      return 'API key expired';
    case 'permission':
      return 'Insufficient permissions';
    case 'resource':
      return 'Resource not found';
    case 'endpoint':
      return 'Endpoint not found';
    case 'method':
      return 'Method not allowed';
    case 'rate':
      return 'Rate limit exceeded';
    default:
      return 'Monthly quota exceeded';
  }
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
  switch (reason) {
    case 'format':
    case 'missing':
    case 'value':
    case 'range':
    case 'listing':
      return { ...validationDetails(world, reason, about), ...about.details, ...more };
    case 'key':
    case 'expired':
      return {
        header: 'X-API-KEY',
        solution: 'Send a key in use, or apply for a new one.',
        ...more,
      };
    default:
      return { ...about.details, ...more };
  }
}

function codeOf(world: World, reason: Cause, code: number): number {
  const choice = world.choice('codes');
  if (choice === 'five-digits') return twin(code);
  if (choice === 'five-digits-429') return code === 402901 ? 42901 : code;
  // The generic code is that of a 400: a range refused with 403 keeps the code of its status.
  const generic =
    choice === 'generic' &&
    code !== 400301 &&
    ['format', 'missing', 'value', 'range', 'listing'].includes(reason);
  return generic ? 40001 : code;
}

function quotaStatus(world: World): readonly [number, number] {
  const choice = world.choice('quota');
  if (choice === '403') return [403, 400301];
  if (choice === '402') return [402, 402001];
  return [429, choice === '429' ? 402901 : 402902];
}

/** The answer to a refused request. */
export function refusalReply(world: World, { reason, about }: Refusal): Reply {
  const [stated, number] = reason === 'quota' ? quotaStatus(world) : CODES[reason];
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
