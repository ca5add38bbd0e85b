import { selects } from '../../ask/patterns.ts';
import { PROFILES } from '../../ask/profiles.ts';
import { FORMATS } from '../../report/formats.ts';
import { FAIL_ON } from '../../report/model/gate.ts';
import { REQUIREMENTS } from '../../requirements/catalogue.ts';
import { closestName, suggestion } from '../../text/closest-name.ts';
import { isObject } from '../../text/json-value.ts';
import { OptionError } from '../option-error.ts';

/** What an option takes. @throws OptionError for any other value */
type Kind = (value: unknown, name: string) => void;
type Kinds = Readonly<Record<string, Kind>>;

const kind =
  (takes: string, is: (value: unknown) => boolean, example?: string): Kind =>
  (value, name) => {
    if (is(value)) return;
    const hint = example === undefined ? 'Omit it for the default.' : `For example ${example}.`;
    throw new OptionError(`${name} takes ${takes}.`, hint);
  };

const text = kind('a string', (value) => typeof value === 'string' && value !== '');
const truth = kind('true or false', (value) => typeof value === 'boolean');
const listener = kind('a function', (value) => typeof value === 'function');
const signal = kind('an AbortSignal', (value) => value instanceof AbortSignal);
const whole = kind('a whole number', Number.isSafeInteger);
const positive = kind(
  'a whole number above 0',
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
);
const share = kind(
  'a number above 0 and up to 1',
  (value) => typeof value === 'number' && value > 0 && value <= 1,
  '0.05',
);
const address = kind(
  'host:port',
  (value) => typeof value === 'string' && /:?\d{1,5}$/.test(value),
  '127.0.0.1:8080',
);
const certificate = kind(
  'an object { cert: PEM, key: PEM }',
  (value) => isObject(value) && 'cert' in value && 'key' in value,
);

/** Only a value that should have been one of several names is repeated: others may be keys. */
const named =
  (takes: string, names: readonly string[], is: (value: string) => boolean): Kind =>
  (value, name) => {
    if (typeof value === 'string' && is(value)) return;
    const near = closestName(String(value), names);
    throw new OptionError(
      `${name} takes ${takes}, not ${JSON.stringify(value)}.`,
      near === undefined ? 'Omit it for the default.' : `Did you mean ${near}?`,
    );
  };
const oneOf = (names: readonly string[]): Kind =>
  named(names.join(', '), names, (value) => names.includes(value));
const IDS = REQUIREMENTS.map(({ id }) => id);
/** A pattern that selects nothing is an error, because an empty run must not look like success. */
const pattern = named('ids, prefixes or globs that select a requirement', IDS, (value) =>
  IDS.some((id) => selects(value, id)),
);

const listOf =
  (of: Kind): Kind =>
  (value, name) => {
    kind('a list', Array.isArray)(value, name);
    for (const one of value as unknown[]) of(one, name);
  };
const objectOf =
  (members: Kinds): Kind =>
  (value, name) => {
    kind('an object', isObject)(value, name);
    checkMembers(value as object, members, `${name} has no member`, `${name}.`);
  };
const orNull =
  (of: Kind): Kind =>
  (value, name) => {
    if (value !== null) of(value, name);
  };

const TARGET = { baseUrl: text, target: text, apiKeys: listOf(text), keyFile: text };
const SELECTION = { only: listOf(pattern), skip: listOf(pattern) };
const REPORTS = { output: text, formats: listOf(oneOf(FORMATS)) };
const GATE = { failOn: listOf(oneOf(FAIL_ON)), waivers: text };
const ASKED = { profile: oneOf(PROFILES), seed: whole, maxRequests: positive };
const JUDGE = { ...TARGET, ...SELECTION, ...REPORTS, ...GATE };

const OPTIONS = {
  check: JUDGE,
  run: { ...JUDGE, ...ASKED, concurrency: positive, signal, onEvent: listener },
  plan: { ...TARGET, ...SELECTION, ...ASKED },
  monitor: {
    ...TARGET,
    ...ASKED,
    ...SELECTION,
    ...REPORTS,
    waivers: text,
    concurrency: positive,
    share,
    everyMs: positive,
    jitter: truth,
    keepMs: positive,
    webhook: objectOf({ url: text, secret: text }),
    publicUrl: text,
    metrics: objectOf({ listen: text, otlp: text }),
    once: truth,
    forMs: positive,
    signal,
    onEvent: listener,
  },
  load: {
    ...TARGET,
    ...REPORTS,
    windows: positive,
    rate: positive,
    durationMs: positive,
    k6: text,
    allowRemote: truth,
    signal,
  },
  watch: {
    baseUrl: text,
    target: text,
    ...SELECTION,
    ...REPORTS,
    ...GATE,
    listen: address,
    page: orNull(address),
    tls: orNull(certificate),
    host: oneOf(['keep', 'target']),
    fresh: truth,
    drainMs: positive,
    onEvent: listener,
  },
} satisfies Readonly<Record<string, Kinds>>;

/**
 * Callers may not be type-checked: a misspelled option must not be ignored.
 * @throws OptionError for an option that is unknown or has an invalid value
 */
export function checkOptions(of: keyof typeof OPTIONS, options: unknown): void {
  if (!isObject(options)) {
    throw new OptionError(`${of}() takes an options object.`, `For example ${of}({}).`);
  }
  checkMembers(options, OPTIONS[of], `${of}() has no option`);
}

function checkMembers(values: object, kinds: Kinds, what: string, prefix = ''): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const takes = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (takes === undefined) {
      const names = Object.keys(kinds);
      throw new OptionError(
        `${what} "${name}".`,
        `${suggestion(name, names)}Possible: ${names.join(', ')}.`,
      );
    }
    takes(value, prefix + name);
  }
}
