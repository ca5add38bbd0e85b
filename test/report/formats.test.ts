import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { readMarkedEntry } from '../../src/har/own-exchange.ts';
import { renderCtrf } from '../../src/report/formats/ctrf.ts';
import { renderHar } from '../../src/report/formats/har.ts';
import { makeResults } from './fixture.ts';
import { HOSTILE } from './hostile.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const status = { enum: ['passed', 'failed', 'skipped', 'pending', 'other'] };
const counts = ['tests', 'passed', 'failed', 'skipped', 'pending', 'other', 'start', 'stop'];

/** The part of the CTRF format that is used here; unknown members are not allowed in it. */
const CTRF = {
  type: 'object',
  required: ['reportFormat', 'specVersion', 'results'],
  additionalProperties: false,
  properties: {
    reportFormat: { const: 'CTRF' },
    specVersion: { type: 'string', pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' },
    timestamp: text,
    generatedBy: text,
    results: {
      type: 'object',
      required: ['tool', 'summary', 'tests'],
      additionalProperties: false,
      properties: {
        tool: {
          type: 'object',
          required: ['name'],
          additionalProperties: false,
          properties: { name: { type: 'string', minLength: 1 }, version: text },
        },
        summary: {
          type: 'object',
          required: counts,
          additionalProperties: false,
          properties: Object.fromEntries([...counts, 'suites'].map((name) => [name, count])),
        },
        tests: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'status', 'duration'],
            additionalProperties: false,
            properties: {
              name: { type: 'string', minLength: 1 },
              status,
              duration: count,
              suite: { type: 'array', minItems: 1, items: text },
              message: text,
              rawStatus: text,
              tags: { type: 'array', items: text },
              extra: { type: 'object' },
            },
          },
        },
        environment: {
          type: 'object',
          additionalProperties: false,
          properties: { testEnvironment: text },
        },
        extra: { type: 'object' },
      },
    },
  },
};

interface Ctrf {
  readonly results: {
    readonly summary: Readonly<Record<string, number>>;
    readonly tests: readonly {
      readonly name: string;
      readonly status: string;
      readonly rawStatus: string;
    }[];
  };
}

describe('renderCtrf', () => {
  const validate = new Ajv({ strict: true }).compile<Ctrf>(CTRF);
  const report = (json: string): Ctrf => {
    const parsed: unknown = JSON.parse(json);
    if (!validate(parsed)) throw new Error(JSON.stringify(validate.errors));
    return parsed;
  };

  it.each(['x', ...HOSTILE])('keeps to the format with %j', (hostile) => {
    const { tests } = report(renderCtrf(makeResults({ text: hostile }))).results;
    expect(tests).toHaveLength(makeResults().requirements.length + 1);
  });

  it('counts its tests', () => {
    const { summary, tests } = report(renderCtrf(makeResults())).results;
    for (const name of ['passed', 'failed', 'skipped', 'pending', 'other']) {
      expect(tests.filter((test) => test.status === name)).toHaveLength(summary[name] ?? -1);
    }
    expect(tests).toHaveLength(summary['tests'] ?? -1);
  });

  it('neither passes nor fails what could not be judged', () => {
    const { tests } = report(renderCtrf(makeResults())).results;
    const of = (raw: string): readonly string[] => [
      ...new Set(tests.filter((test) => test.rawStatus === raw).map((test) => test.status)),
    ];
    expect(of('failed')).toEqual(['failed']);
    expect(of('inconclusive')).toEqual(['other']);
    expect(of('error')).toEqual(['other']);
    expect(of('untested')).toEqual(['skipped']);
    expect(of('warned')).toEqual(['passed']);
  });

  it('fails a run without a verdict', () => {
    const { tests } = report(
      renderCtrf({ ...makeResults(), verdict: 'interrupted', requirements: [] }),
    ).results;
    expect(tests.map((test) => test.status)).toEqual(['failed']);
  });
});

describe('renderHar', () => {
  interface Har {
    readonly log: {
      readonly version: string;
      readonly entries: readonly {
        readonly startedDateTime: string;
        readonly time: number;
        readonly request: {
          readonly url: string;
          readonly headers: readonly { readonly name: string; readonly value: string }[];
        };
        readonly response: {
          readonly status: number;
          readonly content: { readonly text?: string; readonly size: number };
        };
        readonly timings: {
          readonly send: number;
          readonly wait: number;
          readonly receive: number;
        };
        readonly _assay: { readonly id: string; readonly role: string; readonly endpoint: unknown };
      }[];
    };
  }
  const results = makeResults();
  const har: Har = JSON.parse(renderHar(results));
  const { log } = har;

  it('has one entry an exchange, with what HAR has no place for beside it', () => {
    expect(log.version).toBe('1.2');
    expect(log.entries.map((entry) => entry['_assay'].id)).toEqual(
      results.exchanges.map((exchange) => exchange.id),
    );
    expect(log.entries[1]).toMatchObject({
      startedDateTime: '2026-11-20T09:30:06.000Z',
      time: 42,
      request: { method: 'GET', queryString: [{ name: 'symbol', value: 'LTC' }, {}] },
      response: { status: 400, content: { mimeType: 'application/json' } },
      _assay: { role: 'valid', endpoint: '/etfs/summary-history' },
    });
    for (const entry of log.entries) {
      const { send, wait, receive } = entry.timings;
      expect(send + wait + receive).toBe(entry.time);
    }
  });

  it('keeps times to the microsecond, which `startedDateTime` rounds down', () => {
    const [first] = results.exchanges;
    if (first === undefined) throw new Error('no exchange');
    const times = { sentAt: 1_795_660_558_500.75, receivedAt: 1_795_660_558_503.001 };
    const written = renderHar({ ...results, exchanges: [{ ...first, ...times, key: null }] });
    const { log: read } = JSON.parse(written) as { log: { entries: unknown[] } };
    expect(readMarkedEntry(read.entries[0])).toMatchObject(times);
  });

  it('writes bodies exactly and keeps keys redacted', () => {
    for (const [index, exchange] of results.exchanges.entries()) {
      expect(log.entries[index]?.response.content.text).toBe(exchange.response?.text);
    }
    const keys = log.entries.flatMap((entry) =>
      entry.request.headers.filter((header) => header.name === 'x-api-key'),
    );
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(key.value).toBe('[redacted:key-a1b2]');
  });

  it('writes an exchange without a response as status 0', () => {
    expect(log.entries[5]).toMatchObject({
      response: { status: 0, _error: 'no answer within 10000 ms harmless' },
      _assay: { error: { kind: 'timeout' } },
    });
  });
});
