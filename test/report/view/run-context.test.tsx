import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../../src/report/page/page.tsx';
import { renderView } from '../../../src/report/page/render.tsx';
import type { Results } from '../../../src/report/model/results.ts';
import { Byline } from '../../../src/report/page/view/summary.tsx';
import { versionHeaders, Run } from '../../../src/report/page/view/run.tsx';
import { validate } from '../../../src/judge/schema/schemas.ts';
import { HOSTILE_SOME } from '../hostile.ts';
import { makeExchange, makeResults } from '../fixture.ts';

const CONTEXT = {
  ci: 'GitLab CI',
  commit: '6f3b5888c1d2e3f405162738495a6b7c8d9e0f11',
  branch: 'main',
  job: 'conformance',
  url: 'https://gitlab.example/acme/api/-/jobs/7',
  labels: { environment: 'staging' },
};

const withContext = (context: unknown): Results =>
  ({ ...makeResults(), context }) as unknown as Results;

const byline = (results: Results): string => renderView(() => <Byline results={results} />);
const run = (results: Results): string => renderView(() => <Run results={results} />);

describe('what a run belongs to', () => {
  it('stands in the view of the run, and fits the schema', () => {
    const results = withContext(CONTEXT);
    expect(run(results)).toContain('<dt>Branch</dt><dd><code>main</code></dd>');
    expect(run(results)).toContain(
      '<a href="https://gitlab.example/acme/api/-/jobs/7" rel="noreferrer noopener external">',
    );
    expect(run(results)).toContain('6f3b5888c1d2e3f405162738495a6b7c8d9e0f11');
    expect(run(results)).toContain('environment <code>staging</code>');
    expect(validate('results', JSON.parse(JSON.stringify(results)))).toEqual([]);
  });

  it('does not count the redacted headers of exchanges that are not kept', () => {
    expect(run({ ...makeResults(), exchanges: [] })).toContain(
      '<dt>Redacted</dt><dd>nothing: no exchange is kept</dd>',
    );
    expect(run(makeResults())).toMatch(/the key header of [1-9]\d* requests/);
  });

  it('is not spoken of when nobody told', () => {
    const results = makeResults();
    for (const word of ['Commit', 'Branch', 'Job', 'Job URL', 'Labels']) {
      expect(run(results)).not.toContain(`<dt>${word}</dt>`);
    }
  });

  it('says the job without an address, and the address without a job', () => {
    expect(run(withContext({ ci: 'Jenkins' }))).toContain('<dd>Jenkins</dd>');
    expect(run(withContext({ url: 'https://ci.example/7' }))).toContain(
      'href="https://ci.example/7"',
    );
  });

  it('leads nowhere but to the web', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '//x']) {
      const results = withContext({ url, job: 'x' });
      expect(run(results)).not.toContain('noreferrer');
      expect(run(results)).not.toContain('Job URL');
    }
  });

  it('keeps hostile text inert', () => {
    for (const text of HOSTILE_SOME) {
      const results = withContext({
        ci: text,
        commit: text,
        branch: text,
        job: text,
        url: `https://ci.example/${text}`,
        labels: { [text]: text },
      });
      for (const markup of [byline(results), run(results)]) {
        expect(markup).not.toMatch(/<(?:script|img|iframe|style|svg|form|input|object|base)\b/i);
        expect(markup).not.toMatch(/href="(?!#|https:\/\/ci\.example\/)/);
      }
    }
  });
});

describe('what the target says of its version', () => {
  const answer = (number: number, headers: Readonly<Record<string, string>>) =>
    makeExchange(number, { endpoint: '/news', path: '/news', headers });

  it('is read from headers about server, version and build, and from no other', () => {
    const headers = versionHeaders([
      answer(1, { server: 'a/1', 'x-version': '2', 'x-build-id': '7', 'x-api-version': '3' }),
      answer(2, { 'x-ratelimit-limit': '20', 'x-request-id': 'r', 'x-conversion': 'c' }),
    ]);
    expect(headers.map(([name]) => name)).toEqual([
      'server',
      'x-api-version',
      'x-build-id',
      'x-version',
    ]);
  });

  it('is counted where answers differ: several versions stand behind one address', () => {
    const exchanges = ['2', '1', '2', '3', '4'].map((version, index) =>
      answer(index + 1, { 'x-version': version }),
    );
    const [header] = versionHeaders(exchanges);
    expect(header?.[1]).toHaveLength(4);
    expect(header?.[1][0]).toEqual(['2', 2]);
    expect(run({ ...makeResults(), exchanges })).toContain(
      'x-version <code>2</code> (2 responses)',
    );
  });

  it('is text in the page, whatever it says', () => {
    const exchanges = HOSTILE_SOME.map((text, index) =>
      answer(index + 1, { server: text, [`x-build-${index}`]: text }),
    );
    const results = { ...makeResults(), exchanges };
    const markup = run(results);
    expect(markup).toContain('<dt>Target version</dt>');
    expect(markup).not.toMatch(/<(?:script|img|iframe|style|svg|form|input|object|base)\b/i);
    expect(renderHtml({ ...results, ...withContext(CONTEXT), exchanges })).not.toContain(
      '<script>globalThis',
    );
  });
});
