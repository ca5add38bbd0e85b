import type { Hooks } from '../conduct/hooks.ts';
import type { Call, Reply } from '../core/call.ts';
import { isList, isObject, textOf, type Json, type JsonObject } from '../core/json.ts';
import type { Defect } from './defect.ts';

/** A defect of a must that shows wherever one looks. */
export function plain(id: string, text: string, ...hooks: readonly Hooks[]): Defect {
  return { ...merged(hooks), id, text, level: 'must', sort: 'plain' };
}

/** A defect of a must that shows here or there only. */
export function subtle(id: string, text: string, ...hooks: readonly Hooks[]): Defect {
  return { ...merged(hooks), id, text, level: 'must', sort: 'subtle' };
}

/** A defect of a should. */
export function mild(id: string, text: string, ...hooks: readonly Hooks[]): Defect {
  return { ...merged(hooks), id, text, level: 'should', sort: 'plain' };
}

/** Several hooks as one: each has its turn, a reply goes from one to the next. */
function merged(hooks: readonly Hooks[]): Hooks {
  const all = Object.assign({}, ...hooks) as Hooks;
  const several = (name: keyof Hooks): boolean => hooks.filter((hook) => name in hook).length > 1;
  return {
    ...all,
    ...(several('query')
      ? { query: (call: Call) => hooks.forEach((hook) => hook.query?.(call)) }
      : {}),
    ...(several('values')
      ? { values: (call: Call) => hooks.forEach((hook) => hook.values?.(call)) }
      : {}),
    ...(several('reply')
      ? {
          reply: (call: Call, reply: Reply) =>
            hooks.reduce((last, hook) => hook.reply?.(call, last) ?? last, reply),
        }
      : {}),
  };
}

/** Whether a call is of one of the templates. */
export function isOf(call: Call, templates: string | readonly string[]): boolean {
  return typeof templates === 'string'
    ? call.template === templates
    : templates.includes(call.template);
}

/** Changes good answers of some endpoints; a value that is returned takes the body's place. */
export function good(
  templates: string | readonly string[],
  change: (body: Json, call: Call) => Json | undefined,
): Hooks {
  return {
    reply: (call, reply) => {
      if (reply.status !== 200 || !isOf(call, templates)) return undefined;
      const body = change(reply.body, call);
      return body === undefined ? reply : { ...reply, body };
    },
  };
}

/** Records of a body: elements of an array, of a page, or the object itself. */
export function recordsOf(body: Json): JsonObject[] {
  if (isList(body)) return body.filter(isObject);
  if (!isObject(body)) return [];
  const { list } = body;
  return isList(list) ? list.filter(isObject) : [body];
}

/** Changes every record of some endpoints in place. */
export function each(
  templates: string | readonly string[],
  change: (record: JsonObject, index: number, call: Call) => void,
): Hooks {
  return good(templates, (body, call) => {
    recordsOf(body).forEach((record, index) => change(record, index, call));
    return undefined;
  });
}

/** Changes one record: the one at `place`, from the end when negative. */
export function one(
  templates: string | readonly string[],
  place: number,
  change: (record: JsonObject, call: Call) => void,
): Hooks {
  return good(templates, (body, call) => {
    const record = recordsOf(body).at(place);
    if (record !== undefined) change(record, call);
    return undefined;
  });
}

/** Sets a field of every record; undefined takes it away. */
export function field(
  templates: string | readonly string[],
  name: string,
  value: (was: Json, call: Call) => Json | undefined,
): Hooks {
  return each(templates, (record, _index, call) => {
    if (name in record) record[name] = value(record[name] ?? null, call);
  });
}

/** Another list of rows in place of an answer's own. */
export function rows(
  templates: string | readonly string[],
  change: (list: readonly Json[], call: Call) => readonly Json[],
): Hooks {
  return good(templates, (body, call) => {
    if (isList(body)) return change(body, call);
    if (!isObject(body) || !isList(body['list'])) return undefined;
    return { ...body, list: change(body['list'], call) };
  });
}

/** Takes a parameter away before it is read, on some endpoints, when it is worth a condition. */
export function ignoring(
  templates: string | readonly string[],
  name: string,
  when: (value: string, call: Call) => boolean = () => true,
): Hooks {
  return {
    query: (call) => {
      const value = call.query.get(name);
      if (value !== undefined && isOf(call, templates) && when(value, call))
        call.query.delete(name);
    },
  };
}

/** Changes the text of a parameter before it is read. */
export function rewriting(
  templates: string | readonly string[],
  name: string,
  change: (value: string, call: Call) => string,
): Hooks {
  return {
    query: (call) => {
      const value = call.query.get(name);
      if (value !== undefined && isOf(call, templates)) call.query.set(name, change(value, call));
    },
  };
}

/** Whatever was sent, the answer is this. */
export function answer(status: number, body: Json): Reply {
  return { status, body, headers: {} };
}

/** An error of the documented shape. */
export function failure(
  status: number,
  code: number,
  message: string,
  details: JsonObject = {},
): Reply {
  return answer(status, { code, message, details });
}

/** Code of an error body. */
export function codeOf(reply: Reply): number | undefined {
  const code = isObject(reply.body) ? reply.body['code'] : undefined;
  return typeof code === 'number' ? code : undefined;
}

/** Changes the body of errors that have one of these codes. */
export function errors(
  codes: readonly number[],
  change: (body: JsonObject, call: Call, reply: Reply) => void,
): Hooks {
  return {
    reply: (call, reply) => {
      const code = codeOf(reply);
      if (
        reply.status >= 400 &&
        code !== undefined &&
        codes.includes(code) &&
        isObject(reply.body)
      ) {
        change(reply.body, call, reply);
      }
      return undefined;
    },
  };
}

export const INFO = '/currencies/{currency_id}';
export const SNAPSHOT = '/currencies/{currency_id}/market-snapshot';
export const ECONOMICS = '/currencies/{currency_id}/token-economics';
export const KLINES = '/currencies/{currency_id}/klines';
export const PAIRS = '/currencies/{currency_id}/pairs';
export const FUNDRAISING = '/currencies/{currency_id}/fundraising';
export const NEWS = '/news';
export const FEATURED = '/news/featured';
export const SUMMARY = '/etfs/summary-history';
export const HISTORY = '/etfs/{ticker}/history';
export const STOCK = '/crypto-stocks/{stock_ticker}/market-snapshot';
export const STOCK_KLINES = '/crypto-stocks/{stock_ticker}/klines';
export const MACRO = '/macro/events/{event}/history';
export const CHARTS = '/analyses';

/** A value as a text: texts as they are, anything else as it is written. */
export function said(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : textOf(value);
}

/** Refuses one value of a parameter, where it may be one of several. */
export function refusing(name: string, value: string, templates: readonly string[]): Hooks {
  return {
    reply: (call, reply) =>
      reply.status === 200 &&
      templates.includes(call.template) &&
      (call.query.get(name) ?? '').split(',').includes(value)
        ? failure(400, 400003, `Invalid parameter: ${name}`, { field: name, value })
        : undefined,
  };
}

/** Gives one code in place of another. */
export function recoded(
  from: number,
  to: number,
  where: (call: Call) => boolean = () => true,
): Hooks {
  return errors([from], (body, call) => {
    if (where(call)) body['code'] = to;
  });
}

/** Gives one status in place of the right one. */
export function restated(
  code: number,
  status: number,
  where: (call: Call) => boolean = () => true,
): Hooks {
  return {
    reply: (call, reply) =>
      codeOf(reply) === code && where(call) ? { ...reply, status } : undefined,
  };
}
