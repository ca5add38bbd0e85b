import { XMLParser, XMLValidator } from 'fast-xml-parser';
import * as fc from '../fast-check.ts';
import { describe, expect, it } from 'vitest';
import { renderJUnit } from '../../src/report/formats/junit.ts';
import { makeRequirement, makeResults } from './fixture.ts';
import { HIDDEN, HOSTILE } from './hostile.ts';
import { anyText } from '../../src/suite/property/values.ts';

interface Node {
  readonly [name: string]: unknown;
}
interface Suite extends Node {
  readonly testcase: readonly Node[];
}
interface Root extends Node {
  readonly testsuite: readonly Suite[];
}
const LISTS = new Set(['testsuite', 'testcase', 'property']);
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: false,
  parseTagValue: false,
  isArray: (name) => LISTS.has(name),
});

function rootOf(xml: string): Root {
  const parsed: { readonly testsuites: Root } = parser.parse(xml);
  return parsed.testsuites;
}

function cases(xml: string): readonly Node[] {
  return rootOf(xml).testsuite.flatMap((suite) => suite.testcase);
}

function named(xml: string, id: string): Node {
  const found = cases(xml).find((node) => String(node['name']).startsWith(`${id} `));
  if (found === undefined) throw new Error(`no test case for ${id}`);
  return found;
}

describe('renderJUnit', () => {
  it('is the golden file', async () => {
    await expect(renderJUnit(makeResults())).toMatchFileSnapshot('../golden/junit.xml');
  });

  it('repeats a counter that stands still with a loop, and once', () => {
    const finding = { message: 'twice', expected: 'a', actual: 'b', pointer: null };
    const xml = renderJUnit({
      ...makeResults(),
      requirements: [
        makeRequirement('8/remaining-decrements', 'failed', {
          findings: [{ ...finding, kind: 'remaining-twice', exchange: 'x2', against: ['x1'] }],
        }),
      ],
    });
    expect(xml.match(/Repeat: /g)).toHaveLength(1);
    expect(xml).toMatch(/Repeat: echo .*for n in 1 2 3 /);
  });

  it('counts the same in the cases, the suites and the whole', () => {
    const root = rootOf(renderJUnit(makeResults()));
    const sum = (name: string): number =>
      root.testsuite.reduce((total, suite) => total + Number(suite[name]), 0);
    for (const name of ['tests', 'failures', 'errors', 'skipped']) {
      expect(sum(name)).toBe(Number(root[name]));
    }
    const all = root.testsuite.flatMap((suite) => suite.testcase);
    expect(all).toHaveLength(Number(root['tests']));
    expect(all.filter((node) => 'failure' in node)).toHaveLength(Number(root['failures']));
    expect(all.filter((node) => 'error' in node)).toHaveLength(Number(root['errors']));
    expect(all.filter((node) => 'skipped' in node)).toHaveLength(Number(root['skipped']));
    expect(Number(root['tests'])).toBe(makeResults().requirements.length + 1);
  });

  it('maps each outcome to its element', () => {
    const xml = renderJUnit(makeResults());
    expect(named(xml, '4.3/unlisted')).toHaveProperty('failure.type', 'violation');
    expect(named(xml, '7/unknown-language')).toHaveProperty('error.type', 'inconclusive');
    expect(named(xml, '4.5/klines')).toHaveProperty('error.type', 'error');
    expect(named(xml, '5/expired-key')).toHaveProperty(
      'skipped.message',
      'untested: needs an expired key: add keys.expired to the target file',
    );
    expect(named(xml, '4.4/volume')).toHaveProperty('skipped');
    for (const id of ['4.2/title-language', '4.1/kline-order', '4.1/info']) {
      const node = named(xml, id);
      expect(Object.keys(node)).not.toEqual(expect.arrayContaining(['failure']));
      expect(node).not.toHaveProperty('error');
      expect(node).not.toHaveProperty('skipped');
    }
    expect(named(xml, '4.2/title-language')).toHaveProperty(
      'properties.property',
      expect.arrayContaining([
        { name: 'warned', value: 'warned: The title is not in the requested language' },
      ]),
    );
  });

  it('skips a should that could not be judged, which does not decide the exit code', () => {
    const should = makeRequirement('4.2/lone', 'inconclusive', { level: 'should' });
    const root = rootOf(renderJUnit({ ...makeResults(), requirements: [should] }));
    expect(root).toMatchObject({ errors: '0', skipped: '1' });
  });

  it('fails warnings and untested musts when asked to', () => {
    const should = renderJUnit({
      ...makeResults(),
      failing: [{ id: '4.2/title-language', why: 'warned' }],
    });
    expect(named(should, '4.2/title-language')).toHaveProperty('failure.type', 'warned');
    expect(named(should, '5/expired-key')).toHaveProperty('skipped');
    const untested = renderJUnit({
      ...makeResults(),
      failing: [{ id: '5/expired-key', why: 'untested' }],
    });
    expect(named(untested, '5/expired-key')).toHaveProperty('failure.type', 'untested');
  });

  it('does not look green when no verdict was reached', () => {
    const results = {
      ...makeResults(),
      verdict: 'incomplete' as const,
      requirements: [makeRequirement('4.1/info', 'untested', { reason: 'target unreachable' })],
    };
    const root = rootOf(renderJUnit(results));
    expect(root['errors']).toBe('1');
  });

  it('has unique names and no bodies, and keeps messages short', () => {
    const xml = renderJUnit(makeResults({ text: 'y'.repeat(100_000) }));
    const names = cases(xml).map((node) => `${String(node['classname'])} ${String(node['name'])}`);
    expect(new Set(names).size).toBe(names.length);
    expect(Buffer.byteLength(xml)).toBeLessThan(200_000);
    for (const [, message = ''] of xml.matchAll(/message="([^"]*)"/g)) {
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(2048);
    }
  });

  it.each(HOSTILE)('stays well-formed and harmless with %j', (text) => {
    const xml = renderJUnit(makeResults({ text }));
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(cases(xml)).toHaveLength(cases(renderJUnit(makeResults())).length);
    expect(xml).not.toMatch(HIDDEN);
    expect(xml).not.toContain('[[ATTACHMENT|');
    expect(xml).not.toContain('<![CDATA[');
  });

  it('stays well-formed with any text', () => {
    const expected = cases(renderJUnit(makeResults())).length;
    fc.assert(
      fc.property(anyText({ maxLength: 40 }), (text) => {
        const xml = renderJUnit(makeResults({ text: `\ud800${text}` }));
        expect(XMLValidator.validate(xml)).toBe(true);
        expect(cases(xml)).toHaveLength(expected);
        // XML 1.0 allows only these characters.
        expect(xml).toMatch(/^[\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
      }),
      { numRuns: 60 },
    );
  });
});
