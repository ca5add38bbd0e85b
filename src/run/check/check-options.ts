import { selects } from '../../ask/patterns.ts';
import { PROFILES } from '../../ask/profiles.ts';
import { FORMATS } from '../../report/formats.ts';
import { FAIL_ON } from '../../report/model/gate.ts';
import { REQUIREMENTS } from '../../requirements/catalogue.ts';
import { closestName, suggestion } from '../../text/closest-name.ts';
import { isObject } from '../../text/json-value.ts';
import { OptionError } from '../option-error.ts';

/** What an option takes. */
interface Kind {
  readonly takes: string;
  readonly is: (value: unknown) => boolean;
  readonly example?: string;
  readonly names?: readonly string[];
  readonly of?: Kind;
  readonly members?: Kinds;
}
type Kinds = Readonly<Record<string, Kind>>;

const text: Kind = { takes: 'a string', is: (value) => typeof value === 'string' && value !== '' };
const truth: Kind = { takes: 'true or false', is: (value) => typeof value === 'boolean' };
const listener: Kind = { takes: 'a function', is: (value) => typeof value === 'function' };
const signal: Kind = { takes: 'an AbortSignal', is: (value) => value instanceof AbortSignal };
const whole: Kind = { takes: 'a whole number', is: Number.isSafeInteger };
const positive: Kind = {
  takes: 'a whole number above 0',
  is: (value) => Number.isSafeInteger(value) && Number(value) > 0,
};
const share: Kind = {
  takes: 'a number above 0 and up to 1',
  example: '0.05',
  is: (value) => typeof value === 'number' && value > 0 && value <= 1,
};
const address: Kind = {
  takes: 'host:port',
  example: '127.0.0.1:8080',
  is: (value) => typeof value === 'string' && /:?\d{1,5}$/.test(value),
};
const certificate: Kind = {
  takes: 'an object { cert: PEM, key: PEM }',
  is: (value) => isObject(value) && 'cert' in value && 'key' in value,
};
const oneOf = (names: readonly string[]): Kind => ({
  takes: names.join(', '),
  names,
  is: (value) => names.some((name) => name === value),
});
const IDS = REQUIREMENTS.map(({ id }) => id);
/** A pattern that selects nothing is an error, because an empty run must not look like success. */
const pattern: Kind = {
  takes: 'ids, prefixes or globs that select a requirement',
  names: IDS,
  is: (value) => typeof value === 'string' && IDS.some((id) => selects(value, id)),
};
const listOf = (of: Kind): Kind => ({ takes: 'a list', is: Array.isArray, of });
const objectOf = (members: Kinds): Kind => ({ takes: 'an object', is: isObject, members });
const orNull = (kind: Kind): Kind => ({
  ...kind,
  is: (value) => value === null || kind.is(value),
});

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

function checkMembers(
  values: Readonly<Record<string, unknown>>,
  kinds: Kinds,
  what: string,
  prefix = '',
): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) {
      const names = Object.keys(kinds);
      throw new OptionError(
        `${what} "${name}".`,
        `${suggestion(name, names)}Possible: ${names.join(', ')}.`,
      );
    }
    checkValue(value, kind, prefix + name);
  }
}

function checkValue(value: unknown, kind: Kind, name: string): void {
  if (!kind.is(value)) {
    const { takes, names = [], example } = kind;
    // Only a value that should have been one of several names is repeated: others may be keys.
    const given = names.length === 0 ? '' : `, not ${JSON.stringify(value)}`;
    const near = closestName(String(value), names);
    const hint = example === undefined ? 'Omit it for the default.' : `For example ${example}.`;
    throw new OptionError(
      `${name} takes ${takes}${given}.`,
      near === undefined ? hint : `Did you mean ${near}?`,
    );
  }
  const { of, members } = kind;
  if (of !== undefined) for (const one of value as unknown[]) checkValue(one, of, name);
  if (members !== undefined && isObject(value)) {
    checkMembers(value, members, `${name} has no member`, `${name}.`);
  }
}
