import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { isJudgeable } from '../../src/judge/context.ts';
import { judgeEach, type Judge } from '../../src/judge/judge.ts';
import { requestName, isObject } from '../../src/judge/view.ts';

/** §2.11, §2.12, §4.7, ruling 16: records the shape of answers that are not specified. */
export const readShape = (endpoints: readonly EndpointPath[]): Judge =>
  judgeEach((view, context, it) => {
    const { endpoint, pathParameters } = view.exchange;
    if (endpoint === null || !endpoints.includes(endpoint)) return;
    if (!view.ok || !view.isJson || !isJudgeable(view, context)) return;
    const outline = outlineOf(view.body);
    if (outline === null) return;
    // Each chart has its own columns, so they are not mixed readings of one question.
    const subject =
      endpoint === '/analyses/{chart_name}'
        ? `the chart ${pathParameters['chart_name'] ?? ''}`
        : requestName(view);
    it.read({ topic: 'Kind of answer', subject }, outline.kind, view);
    if (outline.names.length > 0) it.collect({ topic: 'Fields', subject }, outline.names, view);
  });

interface Outline {
  readonly kind: string;
  /** Fields of the body or its records; those of a nested list as `list.name`. */
  readonly names: readonly string[];
}

/** Outline of a body; null for null or an empty array. */
function outlineOf(body: unknown): Outline | null {
  if (body === null) return null;
  if (Array.isArray(body)) {
    const elements: readonly unknown[] = body;
    const objects = elements.filter(isObject);
    if (elements.length === 0) return null;
    if (objects.length > 0) return { kind: 'an array of objects', names: fieldsOf(objects) };
    const kinds = new Set(elements.map((one) => (Array.isArray(one) ? 'array' : typeof one)));
    return { kind: `an array of ${[...kinds].map((kind) => `${kind}s`).join(' or ')}`, names: [] };
  }
  if (!isObject(body)) return { kind: `a ${typeof body}`, names: [] };
  const inner = Object.entries(body).flatMap(([name, value]) =>
    Array.isArray(value) ? fieldsOf(value.filter(isObject)).map((one) => `${name}.${one}`) : [],
  );
  return { kind: 'an object', names: [...fieldsOf([body]), ...inner] };
}

const fieldsOf = (records: readonly Readonly<Record<string, unknown>>[]): readonly string[] => [
  ...new Set(records.flatMap((record) => Object.keys(record).map((name) => name.slice(0, 60)))),
];
