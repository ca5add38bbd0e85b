import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { renderLoadSuites } from '../../src/report/formats/load-junit.ts';
import { renderLoadResult } from '../../src/report/terminal/load-terminal.ts';
import { LOAD_RESULT } from './load-result.ts';

describe('the terminal text of a load result', () => {
  const text = renderLoadResult(LOAD_RESULT, { color: false });

  it('names the violated requirement with what was expected and seen', () => {
    expect(text).toContain('FAILED rl-exact');
    expect(text).toContain('8/limit-enforced (must)');
    expect(text).toContain('exactly 20');
    expect(text).toContain('24 more findings in results.json');
  });

  it('adds the requests up and shows windows, latency and the command', () => {
    expect(text).toContain('121 sent = 21 admitted + 39 refused + 60 other + 1 without an answer');
    expect(text).toContain('k:1: 21 admitted, 39 refused, remaining 19 to 18');
    expect(text).toContain('/analyses 200: 21 answers, p50 2.0, p95 12, p99 14 ms');
    expect(text).toContain('assay load rl-exact');
  });

  it('lets nothing of the target reach the terminal raw', () => {
    expect(text).not.toContain('\u001b');
    expect(text).toContain('\\x1b[31m21');
  });
});

describe('the JUnit suites of load results', () => {
  const suites = renderLoadSuites([LOAD_RESULT]);
  const parsed: unknown = new XMLParser({ ignoreAttributes: false }).parse(suites.text);

  it('count as they are written', () => {
    expect(suites).toMatchObject({ tests: 4, failures: 1, errors: 0, skipped: 1, seconds: 10 });
    expect(parsed).toMatchObject({
      testsuite: {
        '@_name': 'assay.load.rl-exact',
        '@_tests': '4',
        '@_failures': '1',
        '@_skipped': '1',
      },
    });
    expect((suites.text.match(/<testcase/g) ?? []).length).toBe(4);
  });

  it('say what was seen, escaped', () => {
    expect(suites.text).toContain('one &amp; more');
    expect(suites.text).toContain('21 &lt;b&gt;');
  });

  it('turn no verdict into an error', () => {
    const { errors, text } = renderLoadSuites([{ ...LOAD_RESULT, outcome: 'inconclusive' }]);
    expect(errors).toBe(1);
    expect(text).toContain('<error type="inconclusive"');
  });
});
