import type { Body } from './core.ts';
import type { World } from './world.ts';

/** What a cause is told with; what a parameter is refused for has its message from the parameter. */
const TOLD = {
  format: [400, 400001],
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
} as const satisfies Record<string, readonly [status: number, code: number, message?: string]>;

/** Why a request is refused. */
export type Cause = keyof typeof TOLD;

/** What a refusal knows beyond its cause. */
interface About {
  /** Parameters at fault. */
  readonly fields?: readonly string[];
  readonly value?: string;
  readonly issue?: string;
  readonly constraint?: string | readonly string[] | undefined;
  /** The message and the code, where the cause does not give them. */
  readonly message?: string;
  readonly code?: number;
  readonly details?: Body;
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

/** A refusal of one parameter for its value. */
export const wrong = (
  reason: Cause,
  field: string,
  value: string,
  issue: string,
  constraint?: string | readonly string[],
): Refusal => new Refusal(reason, { fields: [field], value, issue, constraint });

/** The answer to a refused request. */
export function replyTo(world: World, { reason, about }: Refusal) {
  let [status, code]: readonly [number, number, string?] = TOLD[reason];
  const validation = status === 400;
  if (reason === 'quota') {
    [status, code] = world.of('quota', {
      '429': [429, 402901],
      '403': [403, 400301],
      '402': [402, 402001],
      '429-own-code': [429, 402902],
    } as const);
  }
  if (reason === 'range' && world.is('beyond', 'refuse-403')) [status, code] = [403, 400301];
  if (reason === 'range' && world.is('beyond', 'refuse-value')) code = 400003;
  code = world.of('codes', {
    'six-digits': code,
    'five-digits': Number(String(code).replace('0', '')),
    'five-digits-429': code === 402901 ? 42901 : code,
    // The generic code is that of a 400: a range refused with 403 keeps the code of its status.
    generic: validation && status === 400 ? 40001 : code,
  });
  const { fields: [field] = [], value, issue = 'invalid', constraint } = about;
  const told = validation && (constraint !== undefined || !world.is('details', 'sparse'));
  const suggestion = 'See the documentation of this parameter.';
  const details = {
    ...(told && { field, value, issue, constraint, suggestion }),
    ...about.details,
    ...(world.is('details', 'more') && {
      request_id: 'req-5f2c',
      documentation: 'https://docs.example.org/errors',
    }),
  };
  const message = about.message ?? messageOf(world, reason, about);
  return { status, body: { code: about.code ?? code, message, details } };
}

function messageOf(world: World, reason: Cause, about: About): string {
  const { fields = [], issue = 'bad value', value = '' } = about;
  const [, , stated]: readonly [number, number, string?] = TOLD[reason];
  if (stated !== undefined) return stated;
  if (reason === 'missing') {
    const named = world.of('missing-several', {
      first: fields[0],
      last: fields.at(-1),
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
  const suffix = world.of('invalid-suffix', {
    nothing: '',
    reason: `, ${issue}`,
    'in-brackets': ` (${issue})`,
    'full-stop': '.',
    value: `=${value}`,
  });
  return `Invalid parameter: ${fields[0]}${suffix}`;
}
