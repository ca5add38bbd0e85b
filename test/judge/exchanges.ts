import { endpoint, type EndpointPath } from '../../src/spec/endpoints.ts';
import type { Exchange, KeyRole } from '../../src/spec/exchange.ts';
import type { ResourceName } from '../../src/spec/resources.ts';
import { DEFAULT_FACTS, type Facts } from '../../src/judge/facts.ts';
import type { Judgement } from '../../src/judge/judgement.ts';
import { judgeAll } from '../../src/requirements/judging.ts';
import { schemaFile } from '../../src/judge/schema/schema-files.ts';

export const NOW = Date.UTC(2026, 0, 6, 12);

export interface Parts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly role?: KeyRole;
  readonly method?: string;
  readonly status?: number;
  /** Sent as JSON unless `text` is given. */
  readonly body?: unknown;
  readonly text?: string;
  readonly type?: string | null;
  readonly keyHeader?: string;
  /** Path of a request that belongs to no endpoint. */
  readonly wrongPath?: string;
}

let count = 0;

/** An exchange with the first identifier of each kind, as the recorder would write it. */
export function exchangeOf(template: EndpointPath | null, parts: Parts = {}): Exchange {
  const { role = 'valid', method = 'GET', status = 200, type = 'application/json' } = parts;
  const { keyHeader = 'X-API-KEY', wrongPath = '/zz-assay/no-such-endpoint' } = parts;
  const names = template === null ? [] : Object.keys(endpoint(template).path);
  const pathParameters = Object.fromEntries(
    names.map((name) => [name, parts.path?.[name] ?? `a-${name}`]),
  );
  const path = template?.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathParameters[name] ?? '');
  const query = Object.entries(parts.query ?? {});
  const search = new URLSearchParams({ ...parts.query }).toString();
  const url = `http://127.0.0.1:1/v1${path ?? wrongPath}${search === '' ? '' : `?${search}`}`;
  const text = parts.text ?? JSON.stringify(parts.body ?? null);
  count += 1;
  return {
    id: `x${count}`,
    endpoint: template,
    pathParameters,
    role,
    key: role === 'none' ? null : `key-${role}`,
    request: {
      method,
      url,
      path: path ?? wrongPath,
      query,
      headers: role === 'none' ? {} : { [keyHeader]: '[redacted]' },
    },
    response: {
      status,
      headers: type === null ? {} : { 'content-type': type },
      text,
      bytes: text.length,
    },
    error: null,
    sentAt: NOW - 20,
    receivedAt: NOW,
    skewMs: 0,
    attempt: 1,
  };
}

/** A success with a valid key, so that refusals of the same key and endpoint can be judged. */
export const accepted = (template: EndpointPath, role: KeyRole = 'valid'): Exchange =>
  exchangeOf(template, { role, body: [] });

/** An error body of §7. */
export const errorBody = (
  code: number,
  message = 'Something is wrong',
  details: unknown = {},
): Record<string, unknown> => ({ code, message, details });

/** A conforming record of a resource: the example of its schema, with changes laid over it. */
export function recordOf(
  resource: ResourceName,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const examples = schemaFile(resource)['examples'];
  const first: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return { ...(first as Record<string, unknown>), ...changes };
}

export const judge = (exchanges: readonly Exchange[], facts: Partial<Facts> = {}): Judgement =>
  judgeAll(exchanges, { ...DEFAULT_FACTS, ...facts });

/** Findings as `id pointer`. */
export const findings = (judgement: Judgement): string[] =>
  [...judgement.requirements.values()].flatMap((entry) =>
    entry.findings.map(({ requirement, pointer }) => `${requirement} ${pointer ?? '-'}`),
  );

/** Answers that were read for a question that starts so. */
export const readings = (judgement: Judgement, question: string): string[] =>
  judgement.readings.filter((one) => one.question.startsWith(question)).map((one) => one.answer);

/** Values that a hostile or broken target may send in place of any body. */
export const HOSTILE: readonly unknown[] = [
  null,
  0,
  '',
  'text',
  true,
  [],
  {},
  [null],
  [[]],
  [{}],
  [1, 'a', null, { a: { b: [] } }],
  { list: null },
  { list: {} },
  { list: [null, 7, [], {}] },
  { code: {}, message: [], details: null },
  { code: 'x', data: null },
  { __proto__: null, constructor: 1, toString: 'x' },
  { price: {}, sector: {}, fields: [null], fundraising_rounds: [null, { investors: [null] }] },
];
