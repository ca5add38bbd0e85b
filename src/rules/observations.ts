import { placesOf } from '../contract/resources.ts';
import { isJudgeable } from './context.ts';
import { objectsOf } from './currency-values.ts';
import { isDecimalText } from './decimals.ts';
import { codeOf, describeAnswer, isAbout } from './errors.ts';
import { expectationOf, matchesError, type ExpectedError } from './expectation.ts';
import { timestampUnit } from './fundraising-values.ts';
import type { Rule } from './judgement.ts';
import { placesAt } from './places.ts';
import { place } from './transport.ts';
import { isObject } from './view.ts';
import { criteria, type Criterion } from './criterion.ts';

/** What this file decides. */
export const OBSERVATIONS = criteria(
  'otherMethods',
  'severalErrors',
  'decimalForm',
  'stringTimestampFormat',
  'dateFormat',
  'timestampUnit',
  'recordShapes',
  'dataShape',
);

/** §4, ruling 20: what methods other than GET get. */
const otherMethods: Rule = {
  name: 'other-methods',
  judges: [OBSERVATIONS.otherMethods],
  each(view, _context, into) {
    const { method } = view.exchange.request;
    if (method === 'GET' || view.status === 429) return;
    into.read(`Answer to ${method}`, describeAnswer(view), view, OBSERVATIONS.otherMethods);
  },
};

/** §7, ruling 8: which error a request gets that deserves several, and which one an empty value gets. */
const severalErrors: Rule = {
  name: 'several-errors',
  judges: [OBSERVATIONS.severalErrors],
  each(view, context, into) {
    if (!isJudgeable(view, context)) return;
    const expectation = expectationOf(view, context);
    if (expectation.kind !== 'refused') return;
    const { errors } = expectation;
    const causes = [...new Set(errors.map(causeOf))];
    if (errors.length < 2) return;
    const code = codeOf(view);
    const fitting = errors.filter(({ error }) => matchesError(error, view.status, code));
    const named = fitting.filter(
      ({ parameter }) => parameter !== undefined && isAbout(view, parameter),
    );
    const winners = [...new Set((named.length > 0 ? named : fitting).map(causeOf))];
    const question =
      causes.length > 1
        ? `Which error wins: ${causes.toSorted().join(' or ')}`
        : `Error for an empty value (${causes[0]})`;
    const winner = causes.length > 1 ? winners.join(' or ') : describeAnswer(view);
    into.read(question, winner || describeAnswer(view), view, OBSERVATIONS.severalErrors);
  },
};

/** What an error is about, in words that do not depend on the code. */
function causeOf({ error, parameter }: ExpectedError): string {
  if (parameter !== undefined) return `bad ${parameter}`;
  const causes: Readonly<Record<string, string>> = {
    unauthenticated: 'missing key',
    invalidKey: 'bad key',
    expiredKey: 'expired key',
    forbidden: 'key without access',
    notFound: 'unknown identifier',
    unknownEndpoint: 'wrong path',
  };
  return causes[error] ?? 'bad parameter';
}

/** §2, ruling 1: which form decimals have. */
const decimalForm: Rule = {
  name: 'decimal-form',
  judges: [OBSERVATIONS.decimalForm],
  each(view, context, into) {
    const { resource } = view;
    if (resource === null) return;
    const fields = placesOf(resource, 'bigDecimal').map((decimal) => decimal.slice(1));
    if (fields.length === 0) return;
    const forms = new Set<string>();
    for (const { value } of objectsOf(view, context, resource)) {
      for (const field of fields) {
        if (typeof value[field] === 'number') forms.add('JSON numbers');
        else if (isDecimalText(value[field])) forms.add('strings of digits');
      }
    }
    for (const form of forms) {
      into.read(`How decimals are written of ${resource}`, form, view, OBSERVATIONS.decimalForm);
    }
  },
};

/** The form of a time that is written as text, in words. */
export function timeForm(text: string): string {
  if (/^-?\d+$/.test(text)) {
    const unit = timestampUnit(Number(text));
    return unit.startsWith('neither') ? 'digits of another kind' : `epoch ${unit}`;
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'yyyy-MM-dd';
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/.test(text)) {
    return 'ISO 8601 date and time';
  }
  if (/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(text)) return 'yyyy-MM-dd HH:mm:ss';
  return 'another form';
}

/** §2, ruling 2, and §2.10: which form times have that are strings. */
const timeForms: Rule = {
  name: 'time-forms',
  judges: [OBSERVATIONS.stringTimestampFormat, OBSERVATIONS.dateFormat],
  each(view, context, into) {
    const { resource } = view;
    if (resource === null) return;
    const read = (path: string, id: Criterion): void => {
      const forms = new Set<string>();
      for (const record of objectsOf(view, context, resource)) {
        for (const { value } of placesAt(record, path)) {
          if (typeof value === 'string' && value !== '') forms.add(timeForm(value));
        }
      }
      const name = path.slice(1).replaceAll('/*/', '.');
      for (const form of [...forms].toSorted()) {
        into.read(`How times are written as text of ${name}`, form, view, id);
      }
    };
    for (const path of placesOf(resource, 'stringTimestamp'))
      read(path, OBSERVATIONS.stringTimestampFormat);
    for (const path of placesOf(resource, 'dateText')) read(path, OBSERVATIONS.dateFormat);
  },
};

/** §2.9, ruling 2: the unit of the snapshot's timestamp. */
const stockTimestamp: Rule = {
  name: 'stock-timestamp',
  judges: [OBSERVATIONS.timestampUnit],
  each(view, context, into) {
    for (const { value } of objectsOf(view, context, 'stock-snapshot')) {
      const { timestamp } = value;
      if (typeof timestamp !== 'number') continue;
      const unit = timestampUnit(timestamp);
      into.read(
        'Unit of the timestamp in the snapshot of a stock',
        unit,
        view,
        OBSERVATIONS.timestampUnit,
      );
    }
  },
};

/** §2.11, §2.12, §4.7, ruling 16: what the endpoints without a stated shape answer. */
const unstatedShapes: Rule = {
  name: 'unstated-shapes',
  judges: [OBSERVATIONS.recordShapes, OBSERVATIONS.dataShape],
  each(view, context, into) {
    if (view.endpoint?.response.kind !== 'unstated') return;
    if (!view.ok || !view.isJson || !isJudgeable(view, context)) return;
    const outline = outlineOf(view.body);
    if (outline === null) return;
    const isChart = view.exchange.endpoint === '/analyses/{chart_name}';
    // Each chart has columns of its own: that is no mix of readings.
    const about = isChart
      ? `of the chart ${view.exchange.pathParameters['chart_name'] ?? ''}`
      : `of ${place(view)}`;
    const ids = [
      OBSERVATIONS.recordShapes,
      ...(isChart ? ([OBSERVATIONS.dataShape] as const) : []),
    ] as const;
    for (const id of ids) {
      into.read(`Kind of answer ${about}`, outline.kind, view, id);
      if (outline.names.length > 0) into.collect(`Fields ${about}`, outline.names, view, id);
    }
  },
};

interface Outline {
  /** What the body is, in words. */
  readonly kind: string;
  /** Fields of the body or of its records; those of records in a list of an object as `list.name`. */
  readonly names: readonly string[];
}

/** The outline of a body; null for an empty array or null, which says nothing about the records. */
export function outlineOf(body: unknown): Outline | null {
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

export const OBSERVATION_RULES: readonly Rule[] = [
  otherMethods,
  severalErrors,
  decimalForm,
  timeForms,
  stockTimestamp,
  unstatedShapes,
];
