import { Refusal, type About } from '../conduct/errors.ts';
import type { Call, Values } from '../core/call.ts';
import { isDay, startOf, type Day } from '../data/calendar.ts';
import type { World } from '../worlds/world.ts';

/** One parameter of an endpoint. */
export interface Param {
  readonly name: string;
  readonly kind: 'integer' | 'integers' | 'day' | 'ms' | 'text' | 'enum';
  readonly required?: true;
  readonly least?: number;
  readonly most?: number;
  readonly otherwise?: number;
  readonly allowed?: readonly string[];
  /** Letter case is stated not to matter. */
  readonly anyCase?: true;
  /** What becomes of values outside `allowed`: `refuse` (when left out), `drop`, `keep`, or the value to take instead. */
  readonly unknown?: (world: World) => string;
  /** Another way to read a day. */
  readonly readDay?: (world: World, text: string) => Day | undefined;
}

function refuse(
  reason: 'format' | 'value',
  param: Param,
  value: string,
  about: About = {},
): Refusal {
  return new Refusal(reason, { fields: [param.name], value, ...about });
}

function integerOf(world: World, param: Param, text: string): number | undefined {
  if (!/^[+-]?\d{1,15}$/.test(text)) {
    if (world.choice('not-a-number') === 'default' && param.required !== true)
      return param.otherwise;
    throw refuse('format', param, text, { issue: 'must be an integer' });
  }
  const value = Number(text);
  const least = param.least ?? 1;
  const stated = param.least !== undefined;
  if (value < least) {
    if (stated && param.name === 'page_size' && value > 0) {
      if (world.choice('below-minimum') === 'bring-in') return least;
    } else if (world.choice('zero-or-less') === 'default') {
      return param.otherwise ?? least;
    }
    throw refuse('value', param, text, {
      issue: `must be at least ${least}`,
      constraint: `>= ${least}`,
    });
  }
  if (param.most !== undefined && value > param.most) {
    if (world.choice('over-maximum') === 'bring-in') return param.most;
    const reason = world.choice('over-code') === 'value' ? 'value' : 'format';
    throw refuse(reason, param, text, {
      issue: `must be at most ${param.most}`,
      constraint: `<= ${param.most}`,
    });
  }
  return value;
}

function enumOf(world: World, param: Param, text: string): string | undefined {
  const { allowed = [] } = param;
  const folded = param.anyCase === true || world.choice('folding') === 'folded';
  const found = allowed.find(
    (one) => one === text || (folded && one.toLowerCase() === text.toLowerCase()),
  );
  if (found !== undefined) return found;
  const instead = param.unknown?.(world) ?? 'refuse';
  if (instead === 'drop') return undefined;
  if (instead === 'keep') return text;
  if (instead !== 'refuse') return instead;
  throw refuse('value', param, text, { issue: 'not in the list', constraint: allowed });
}

function dayOf(world: World, param: Param, text: string): string {
  const day = param.readDay?.(world, text) ?? (isDay(text) ? text : undefined);
  if (day === undefined) throw refuse('format', param, text, { issue: 'must be a date' });
  return day;
}

function msOf(param: Param, text: string): number {
  if (/^\d{10,14}$/.test(text)) return Number(text);
  if (isDay(text)) return startOf(text);
  throw refuse('format', param, text, { issue: 'must be a timestamp in ms' });
}

function valueOf(world: World, param: Param, text: string): Values[string] {
  switch (param.kind) {
    case 'integer':
      return integerOf(world, param, text);
    case 'integers': {
      const parts = text.split(',').map((part) => enumOf(world, param, part.trim()));
      return parts.flatMap((part) => (part === undefined ? [] : [Number(part)]));
    }
    case 'enum':
      return enumOf(world, param, text);
    case 'day':
      return dayOf(world, param, text);
    case 'ms':
      return msOf(param, text);
    default:
      return text;
  }
}

/** The text of a parameter as it counts; undefined when it was left out, or counts as left out. */
function textOf(world: World, call: Call, name: string): string | undefined {
  const sent = call.query.get(name);
  if (sent === undefined) return undefined;
  const text = world.choice('trimming') === 'yes' ? sent.trim() : sent;
  return text === '' && world.choice('empty-values') === 'left-out' ? undefined : text;
}

/** Checks all parameters of a request, missing ones first. Throws a Refusal for the first that is wrong. */
export function readParams(call: Call, params: readonly Param[]): Values {
  const { world } = call;
  const texts = new Map(params.map(({ name }) => [name, textOf(world, call, name)]));
  const missing = params.filter(
    ({ name, required }) => required === true && texts.get(name) === undefined,
  );
  if (missing.length > 0) throw new Refusal('missing', { fields: missing.map(({ name }) => name) });
  if (world.choice('unknown-parameters') === 'refuse') {
    const stranger = [...call.query.keys()].find((name) => !texts.has(name));
    if (stranger !== undefined) {
      throw new Refusal('format', {
        fields: [stranger],
        value: call.query.get(stranger) ?? '',
        issue: 'unknown',
      });
    }
  }
  const values: Values = {};
  for (const param of params) {
    const text = texts.get(param.name);
    values[param.name] =
      text === undefined ? param.otherwise : (valueOf(world, param, text) ?? param.otherwise);
  }
  return values;
}

/** page and page_size of the usual kind. */
export function paging(most = 100, least?: number): Param[] {
  const required = least === undefined ? {} : ({ required: true, least } as const);
  return [
    {
      name: 'page',
      kind: 'integer',
      otherwise: 1,
      ...(least === undefined ? {} : { required: true, least: 1 }),
    },
    { name: 'page_size', kind: 'integer', otherwise: 20, most, ...required },
  ];
}
