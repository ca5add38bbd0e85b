import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { withBaseline } from '../../src/report/model/diff.ts';
import { groupCauses } from '../../src/report/analysis/causes.ts';
import { renderHar } from '../../src/report/formats/har.ts';
import { renderSarif } from '../../src/report/formats/sarif.ts';
import { isViolated } from '../../src/report/model/status.ts';
import type { Results } from '../../src/report/model/results.ts';
import { makeResults } from './fixture.ts';
import { HIDDEN, HOSTILE } from './hostile.ts';

const text = { type: 'string' };
const closed = (
  properties: Readonly<Record<string, object>>,
  required = Object.keys(properties),
) => ({
  type: 'object',
  required,
  additionalProperties: false,
  properties,
});
const list = (items: object) => ({ type: 'array', items });
const message = closed({ text: { type: 'string', minLength: 1 } });
const level = { enum: ['none', 'note', 'warning', 'error'] };

/** The part of SARIF 2.1.0 that is used here; unknown members are not allowed in it. */
const SARIF = closed({
  $schema: text,
  version: { const: '2.1.0' },
  runs: list(
    closed({
      tool: closed({
        driver: closed({
          name: text,
          semanticVersion: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
          rules: list(
            closed({
              id: text,
              shortDescription: message,
              fullDescription: message,
              defaultConfiguration: closed({ level }),
            }),
          ),
        }),
      }),
      invocations: list(
        closed({
          startTimeUtc: { type: 'string', pattern: 'Z$' },
          endTimeUtc: { type: 'string', pattern: 'Z$' },
          exitCode: { type: 'integer' },
          executionSuccessful: { type: 'boolean' },
        }),
      ),
      results: list(
        closed(
          {
            ruleId: text,
            level,
            message,
            suppressions: list(
              closed({
                kind: { const: 'external' },
                status: { const: 'accepted' },
                justification: text,
              }),
            ),
            baselineState: { enum: ['new', 'unchanged'] },
            locations: list(
              closed({
                physicalLocation: closed({
                  artifactLocation: closed({ uri: { type: 'string', pattern: '^[\\w.-]+$' } }),
                  region: closed({ startLine: { type: 'integer', minimum: 1 } }),
                }),
                logicalLocations: list(
                  closed({ name: text, fullyQualifiedName: text, kind: text }),
                ),
              }),
            ),
            partialFingerprints: closed({ 'assayCause/v1': text }),
            properties: { type: 'object' },
          },
          ['ruleId', 'level', 'message', 'locations', 'partialFingerprints', 'properties'],
        ),
      ),
      properties: { type: 'object' },
    }),
  ),
});

const pair = list(closed({ name: text, value: text }));
const number = { type: 'number' };

/** HAR 1.2; members of our own begin with an underscore, as the format asks for. */
const HAR = closed({
  log: closed({
    version: { const: '1.2' },
    creator: closed({ name: text, version: text }),
    pages: list({}),
    comment: text,
    _assay: { type: 'object' },
    entries: list(
      closed({
        startedDateTime: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T.*Z$' },
        time: { type: 'number', minimum: 0 },
        request: closed({
          method: text,
          url: text,
          httpVersion: text,
          cookies: list({}),
          headers: pair,
          queryString: pair,
          headersSize: number,
          bodySize: number,
        }),
        response: {
          type: 'object',
          additionalProperties: false,
          required: [
            'status',
            'statusText',
            'httpVersion',
            'cookies',
            'headers',
            'content',
            'redirectURL',
            'headersSize',
            'bodySize',
          ],
          properties: {
            status: { type: 'integer' },
            statusText: text,
            httpVersion: text,
            cookies: list({}),
            headers: pair,
            content: closed({ size: number, mimeType: text, text, encoding: text, comment: text }, [
              'size',
              'mimeType',
            ]),
            redirectURL: text,
            headersSize: number,
            bodySize: number,
            _error: text,
          },
        },
        cache: { type: 'object' },
        timings: closed({ send: number, wait: number, receive: number }),
        _assay: { type: 'object' },
      }),
    ),
  }),
});

describe('renderSarif', () => {
  const validate = new Ajv({ strict: true }).compile(SARIF);

  it.each(['x', ...HOSTILE])('keeps to the format with %j', (hostile) => {
    const json = renderSarif(makeResults({ text: hostile }));
    const log: unknown = JSON.parse(json);
    validate(log);
    expect(validate.errors).toBeNull();
    expect(json).not.toMatch(HIDDEN);
  });

  it('has one result a cause and one for each other requirement, each with its rule', () => {
    const results = makeResults();
    const [first] = results.requirements.filter(({ outcome }) => outcome === 'failed');
    const requirements = results.requirements.flatMap((one) =>
      one === first ? [one, { ...one, id: '4.3/follower' }] : [one],
    );
    const log = JSON.parse(renderSarif({ ...results, requirements })) as {
      readonly runs: readonly [
        {
          readonly tool: {
            readonly driver: { readonly rules: readonly { readonly id: string }[] };
          };
          readonly results: readonly {
            readonly ruleId: string;
            readonly level: string;
            readonly partialFingerprints: Readonly<Record<string, string>>;
          }[];
        },
      ];
    };
    const [run] = log.runs;
    const causes = groupCauses({ ...results, requirements });
    const examples = new Set(causes.map(({ example }) => example.requirement.id));
    const violated = requirements.filter(isViolated);
    const followers = violated.filter(({ id }) => !examples.has(id));
    expect(followers.map(({ id }) => id)).toContain('4.3/follower');
    expect(run.results).toHaveLength(causes.length + followers.length);
    const prints = run.results.map((one) => one.partialFingerprints['assayCause/v1']);
    expect(new Set(prints).size).toBe(prints.length);
    expect(prints).toEqual(expect.arrayContaining(causes.map(({ id }) => id)));
    for (const { id, level: due } of violated)
      expect(run.results.filter(({ ruleId }) => ruleId === id).map((one) => one.level)).toContain(
        due === 'must' ? 'error' : 'warning',
      );
    const rules = run.tool.driver.rules.map(({ id }) => id);
    for (const { ruleId } of run.results) expect(rules).toContain(ruleId);
    expect(new Set(rules).size).toBe(rules.length);
  });

  it('tells new violations from known ones where there is a baseline', () => {
    const now = makeResults();
    const statesOf = (results: Results): Readonly<Record<string, string | undefined>> => {
      const log = JSON.parse(renderSarif(results)) as {
        runs: { results: { ruleId: string; baselineState?: string }[] }[];
      };
      validate(log);
      expect(validate.errors).toBeNull();
      return Object.fromEntries(
        (log.runs[0]?.results ?? []).map(({ ruleId, baselineState }) => [ruleId, baselineState]),
      );
    };
    const [first] = now.requirements.filter(({ outcome }) => outcome === 'failed');
    const id = first?.id ?? '';
    const before = {
      ...now,
      requirements: now.requirements.map((one) =>
        one.id === id ? { ...one, outcome: 'passed' as const, findings: [] } : one,
      ),
    };
    const states = statesOf(withBaseline(now, before));
    expect(Object.values(states)).toContain('unchanged');
    expect(states[id]).toBe('new');
    expect(new Set(Object.values(statesOf(now)))).toEqual(new Set([undefined]));
  });

  it.each([
    [undefined, 'assay.target.yaml'],
    ['assay.target.yaml', 'assay.target.yaml'],
    ['./deploy/staging target.yaml', 'deploy/staging%20target.yaml'],
    ['..\\team\\t.yaml', '../team/t.yaml'],
    ['/srv/t.yaml', 'file:///srv/t.yaml'],
    ['C:\\srv\\t.yaml', 'file:///C:/srv/t.yaml'],
    ['a:b/\u202e\ud800?#%.yaml', 'a%3Ab/%E2%80%AE%EF%BF%BD%3F%23%25.yaml'],
  ])('points at a file of the user: of the target file %j at %s', (file, uri) => {
    const results = makeResults();
    const target = { ...results.target, ...(file === undefined ? {} : { file }) };
    const log = JSON.parse(renderSarif({ ...results, target })) as {
      runs: {
        results: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }[];
      }[];
    };
    const places = log.runs[0]?.results.flatMap(({ locations }) =>
      locations.map(({ physicalLocation }) => physicalLocation.artifactLocation.uri),
    );
    expect(new Set(places)).toEqual(new Set([uri]));
  });

  it('does not pass off a run without a verdict as a success', () => {
    const log = renderSarif({ ...makeResults(), verdict: 'incomplete' });
    expect(log).toContain('"executionSuccessful": false');
  });
});

describe('renderHar', () => {
  const validate = new Ajv({ strict: true }).compile(HAR);
  it.each(['x', ...HOSTILE])('keeps to the format with %j', (hostile) => {
    validate(JSON.parse(renderHar(makeResults({ text: hostile }))));
    expect(validate.errors).toBeNull();
  });
});
