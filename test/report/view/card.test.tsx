import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/spec/exchange.ts';
import { groupCauses } from '../../../src/report/analysis/causes.ts';
import { pageData } from '../../../src/report/page/data.ts';
import { renderView } from '../../../src/report/page/render.tsx';
import { issueExchange } from '../../../src/report/analysis/evidence-text.ts';
import { issueHead } from '../../../src/report/analysis/outline.ts';
import type { ResultFinding, Results } from '../../../src/report/model/results.ts';
import { FailingLines, failingExcerpt } from '../../../src/report/page/evidence/failing-lines.tsx';
import { Findings } from '../../../src/report/page/view/findings.tsx';
import { Page } from '../../../src/report/page/view/parts.tsx';
import { REQUIREMENTS } from '../../../src/requirements/catalogue.ts';
import { makeExchange, makeRequirement, makeResults } from '../fixture.ts';
import { HOSTILE } from '../hostile.ts';

type Parts = Partial<Parameters<typeof makeExchange>[1]>;

function answer(body: unknown, parts: Parts = {}): Exchange {
  return makeExchange(1, {
    endpoint: '/etfs',
    path: '/etfs',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...parts,
  });
}

function finding(parts: Partial<ResultFinding>): ResultFinding {
  return { message: 'wrong', expected: 'a', actual: 'b', pointer: null, exchange: 'x1', ...parts };
}

/** What is shown as the failing place: one line each, the failing one with its sign. */
function shown(
  exchange: Exchange,
  parts: Partial<ResultFinding>,
  id = '4.1/etfs',
): readonly string[] {
  const place = failingExcerpt(
    { requirement: makeRequirement(id, 'failed'), finding: finding(parts) },
    exchange,
  );
  if (place === null) return [];
  return [
    ...place.lines.map(({ text, failing }) => (failing ? '✗ ' : '  ') + text),
    ...(place.note === null ? [] : [place.note]),
  ];
}

/** Names and attributes of all elements of a fragment. */
function outline(markup: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: DefaultTreeAdapterTypes.ChildNode): void => {
    if ('tagName' in node) {
      found.push(`${node.tagName} ${node.attrs.map(({ name }) => name).join(' ')}`);
      node.childNodes.forEach(visit);
    }
  };
  parseFragment(markup).childNodes.forEach(visit);
  return found;
}

describe('the failing lines', () => {
  const rows = Array.from({ length: 30 }, (_one, index) => ({
    date: index,
    a: 1,
    b: 2,
    c: 3,
    d: 4,
  }));

  it('are the line that the pointer leads to, with two before and after it', () => {
    expect(shown(answer(rows), { pointer: '/10/b' })).toEqual([
      '  "date": 10,',
      '  "a": 1,',
      '✗ "b": 2,',
      '  "c": 3,',
      '  "d": 4',
    ]);
    expect(shown(answer({ code: 1, z: 2 }), { pointer: '/code' })).toEqual([
      '  {',
      '✗   "code": 1,',
      '    "z": 2',
      '  }',
    ]);
    // No digit is rewritten.
    expect(shown(answer('{"id":12345678901234567890,"x":1.10}'), { pointer: '/x' })).toContain(
      '✗   "x": 1.10',
    );
  });

  it('are the nearest parent when the pointer leads nowhere, and say so', () => {
    const lines = shown(answer({ code: 1, details: { a: 1, b: 2 } }), {
      pointer: '/details/header',
    });
    expect(lines[2]).toBe('✗   "details": {');
    expect(lines.at(-1)).toMatch(/Not present in the body/);
    expect(lines.filter((line) => line.startsWith('✗'))).toHaveLength(1);
    expect(shown(answer([1, 2]), { pointer: '/7' }).at(-1)).toMatch(/Not present in the body/);
    expect(shown(answer([1, 2]), { pointer: '/1' }).at(-1)).not.toMatch(/Not present in the body/);
    // What every object has by birth is no member of it.
    expect(shown(answer({}), { pointer: '/constructor' }).at(-1)).toMatch(
      /Not present in the body/,
    );
  });

  it('are the header that a finding without a pointer is about, or the one that is missing', () => {
    const headers = { a: '1', 'x-ratelimit-limit': '60', 'x-ratelimit-reset': '5', z: '2' };
    const limit = answer([], { headers });
    expect(shown(limit, { header: 'x-ratelimit-limit' })).toEqual([
      '  content-type: application/json',
      '  a: 1',
      '✗ x-ratelimit-limit: 60',
      '  x-ratelimit-reset: 5',
      '  z: 2',
    ]);
    expect(shown(limit, { header: 'x-ratelimit-remaining' })).toEqual([
      '✗ x-ratelimit-remaining: (missing)',
      '  x-ratelimit-limit: 60',
      '  x-ratelimit-reset: 5',
    ]);
  });

  it('are the status when that is wrong: with the body, or with what the limiter said', () => {
    const ok = answer([1], { headers: { 'x-ratelimit-remaining': '0' } });
    const status = { header: ':status' };
    expect(shown(ok, status)).toEqual(['✗ HTTP 200', '  [', '    1', '  ]']);
    expect(shown(ok, status, '8/limit-enforced')).toEqual([
      '✗ HTTP 200',
      '  x-ratelimit-remaining: 0',
    ]);
  });

  it('are none where no line of the answer fails', () => {
    // What is written for people is not read: a message that names a header marks none.
    expect(shown(answer([1]), { message: 'content-type with status 200 is wrong' })).toEqual([]);
    const silent = answer('', { error: { kind: 'timeout', message: 'no answer' } });
    expect(shown(silent, { pointer: '/code' })).toEqual([]);
  });

  it('are the beginning of what is no JSON, was cut, or is too large to be laid out', () => {
    expect(shown(answer('<html>\r\n<p>\n3\n4\n5'), { pointer: '' })).toEqual([
      '✗ <html>',
      '  <p>',
      '  3',
    ]);
    expect(shown(answer('<html>'), { pointer: '/code' })).toEqual([
      '  <html>',
      expect.stringMatching(/is not JSON/),
    ]);
    expect(shown(answer('{"a":[1,2', { truncated: true }), { pointer: '/a/900' })).toEqual([
      '  {"a":[1,2',
      expect.stringMatching(/was truncated when recorded/),
    ]);
    expect(shown(answer(''), { pointer: '' })).toEqual(['✗ (empty)']);
    const huge = shown(answer(`["${'x'.repeat(3_000_000)}"]`), { pointer: '/0' });
    expect(huge.join('').length).toBeLessThan(1_000);
    expect(huge.at(-1)).toMatch(/is not JSON/);
  });

  it('stay short whatever a line holds', () => {
    const long = shown(answer({ a: 'y'.repeat(50_000), b: 'x'.repeat(50_000), c: 1 }), {
      pointer: '/b',
    });
    expect(long).toHaveLength(5);
    for (const line of long) expect(line.length).toBeLessThanOrEqual(170);
    expect(long[2]).toMatch(/^✗ {3}"b": "x+…$/);
  });

  const rendered = (text: string): string => {
    const exchange = answer(
      { a: text, b: text, c: text },
      { headers: { 'x-a': text, 'x-b': text } },
    );
    return ([{ pointer: '/b' }, { header: 'x-b' }] as const)
      .map((parts) => {
        const place = failingExcerpt(
          { requirement: makeRequirement('4.1/etfs', 'failed'), finding: finding(parts) },
          exchange,
        );
        return place === null ? '' : renderView(() => <FailingLines id="x1" excerpt={place} />);
      })
      .join('');
  };
  const plain = outline(rendered('plain'));

  it.each(HOSTILE)('stay text with %j', (text) => {
    expect(plain.filter((one) => one.startsWith('mark'))).toHaveLength(2);
    expect(outline(rendered(text))).toEqual(plain);
  });
});

/** The findings of a run as they are written into the page. */
function cards(results: Results): string {
  const causes = groupCauses(results);
  const { data } = pageData(results, causes);
  return renderView(() => (
    <Page value={{ holds: () => true, copy: null }}>
      <Findings causes={causes} results={results} data={data} />
    </Page>
  ));
}

describe('the card of a finding', () => {
  const [known] = REQUIREMENTS.filter(({ id }) => id === '4.3/symbol-enum');
  if (known === undefined) throw new Error('the catalogue has no 4.3/symbol-enum');
  const refused = makeExchange(2, {
    endpoint: '/etfs/summary-history',
    path: '/etfs/summary-history',
    query: [['symbol', 'BT']],
    status: 400,
    body: '{"code":400001}',
  });
  const control = makeExchange(3, {
    endpoint: '/etfs/summary-history',
    path: '/etfs/summary-history',
    query: [['symbol', 'BTC']],
  });
  const requirement = makeRequirement(known.id, 'failed', {
    title: known.title,
    findings: [finding({ pointer: '/code', exchange: 'x2', replay: 'news:0:1' })],
  });
  const results: Results = {
    ...makeResults(),
    requirements: [requirement],
    exchanges: [refused, control],
  };
  const page = cards(results);

  it('says what is wrong, why it matters, and shows it, in this order', () => {
    const places = [
      '<h4>',
      'failed</span>',
      known.title,
      'Why it matters',
      'Clients decide what to do next from the status and code',
      'Usual causes',
      'a different row of the table in §7',
      'Expected',
      'Actual',
      '<mark>&quot;code&quot;: 400001</mark>',
      'Control <a href="#x-x3">',
      'differs in symbol',
      '>Copy<',
      'curl -sS',
      'assay run',
      '--path news:0:1',
    ].map((words) => page.indexOf(words));
    expect(places).not.toContain(-1);
    const details = page.indexOf('<details class="exchange"');
    expect(details).toBeGreaterThan(places[9] ?? Infinity);
    expect(places.filter((_place, index) => index !== 10 && index !== 11)).toEqual(
      places.filter((_place, index) => index !== 10 && index !== 11).toSorted((a, b) => a - b),
    );
  });

  it('is folded: exchange, further causes and menu open on demand', () => {
    expect(page).not.toMatch(/<details[^>]* open/);
    // What is usual of an empty answer says nothing about a refusal with another code.
    for (const cause of known.usually) expect(page).not.toContain(cause);
  });

  it('gives no advice about a requirement that this version does not know', () => {
    const unknown = cards({
      ...results,
      requirements: [makeRequirement('4.3/unlisted-x', 'failed', { findings: [finding({})] })],
    });
    expect(unknown).toContain('Expected');
    expect(unknown).not.toContain('Why it matters');
    expect(unknown).not.toContain('Usual causes');
  });
});

describe('the copy menu', () => {
  const results = makeResults();
  const [cause] = groupCauses(results).filter(({ message }) => message.includes('wrong code'));
  if (cause === undefined) throw new Error('the fixture has no such cause');

  it('can be read without a script', () => {
    const page = cards(results);
    const menu = page.slice(page.indexOf(`data-copy="${cause.id}"`));
    expect(page).not.toContain('<button');
    expect(menu).toContain('curl -sS');
    expect(menu).toContain('assay run');
    expect(menu).toContain(`href="#f-${cause.id}"`);
  });

  it('makes an issue of a finding: title, requirement, both values, commands and the exchange', () => {
    const head = issueHead(results, cause);
    expect(head).toMatch(/^## GET \/etfs\/summary-history answers with the wrong code/);
    for (const words of [
      cause.example.requirement.id,
      'code 400001',
      '400003 (number)',
      'curl -sS',
    ])
      expect(head).toContain(words);
    const text = issueExchange(cause.exchange as Exchange);
    expect(text).toContain('GET https://staging.example/v1/etfs/summary-history?symbol=LTC');
    expect(text).toContain('\nHTTP 400\n');
    expect(text).toContain('\n  "code": 400003,\n');
  });

  it.each([...HOSTILE, '```\n# out', '~~~\n````'])('keeps the issue whole with %j', (text) => {
    const exchange = makeExchange(1, {
      endpoint: '/etfs',
      path: '/etfs',
      body: `not JSON ${text}`,
      headers: { 'x-note': text },
    });
    const lines = issueExchange(exchange).split('\n');
    const fence = lines.find((line) => line.startsWith('```')) ?? '';
    const marks = /^`+/.exec(fence)?.[0] ?? 'none';
    // Opened once and closed once: no line in between is a fence as long as that.
    const ends = lines.flatMap((line, index) => (line.trim().startsWith(marks) ? [index] : []));
    expect(ends).toEqual([2, lines.length - 2]);
  });

  it('keeps the issue short, however long a body is', () => {
    const rows = Array.from({ length: 5_000 }, (_one, index) => ({ index }));
    expect(issueExchange(answer(rows)).length).toBeLessThan(30_000);
    expect(issueExchange(answer('x'.repeat(900_000))).length).toBeLessThan(30_000);
  });
});
