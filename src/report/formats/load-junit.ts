import type { LoadRequirement, LoadResult } from '../model/load-results.ts';
import { xml, xmlBlock } from './xml.ts';

const DETAIL_BYTES = 8192;

/** Numbers of a suite, for the sums at the top of the document. */
export interface LoadSuites {
  readonly text: string;
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
  readonly seconds: number;
}

/** One JUnit suite a scenario: a case for each requirement, and one for the verdict itself. */
export function renderLoadSuites(load: readonly LoadResult[]): LoadSuites {
  const sum = { tests: 0, failures: 0, errors: 0, skipped: 0, seconds: 0 };
  const suites = load.map((result) => {
    const name = `assay.load.${result.scenario}`;
    const failed = result.requirements.filter(({ outcome }) => outcome === 'failed').length;
    const skipped = result.requirements.filter(({ outcome }) => outcome === 'untested').length;
    const errors = result.outcome === 'inconclusive' ? 1 : 0;
    const seconds = (Date.parse(result.endedAt) - Date.parse(result.startedAt)) / 1000;
    const tests = result.requirements.length + 1;
    sum.tests += tests;
    sum.failures += failed;
    sum.errors += errors;
    sum.skipped += skipped;
    sum.seconds += seconds;
    return [
      `  <testsuite name="${xml(name)}" timestamp="${xml(result.startedAt)}" tests="${tests}" failures="${failed}" errors="${errors}" skipped="${skipped}" time="${seconds.toFixed(3)}">`,
      verdictCase(name, result, seconds),
      ...result.requirements.map((requirement) => requirementCase(name, requirement)),
      '  </testsuite>',
    ].join('\n');
  });
  return { ...sum, text: suites.join('\n') };
}

function verdictCase(suite: string, result: LoadResult, seconds: number): string {
  const reason = xml(result.reason);
  const { sent, admitted, refused, other, failed } = result.requests;
  const body =
    result.outcome === 'inconclusive'
      ? `      <error type="inconclusive" message="${reason}"/>`
      : `      <system-out>${xmlBlock(
          [
            result.reason,
            `${sent} sent, ${admitted} admitted, ${refused} refused, ${other} other, ${failed} without an answer`,
            result.command,
          ],
          DETAIL_BYTES,
        )}</system-out>`;
  return [
    `    <testcase classname="${xml(suite)}" name="a verdict was reached" time="${seconds.toFixed(3)}">`,
    body,
    '    </testcase>',
  ].join('\n');
}

function requirementCase(suite: string, requirement: LoadRequirement): string {
  const { id, title, outcome, findings, total, judged } = requirement;
  const open = `    <testcase classname="${xml(suite)}" name="${xml(`${id} ${title}`)}" time="0.000">`;
  if (outcome === 'untested')
    return `${open}\n      <skipped message="not judged"/>\n    </testcase>`;
  if (total === 0) {
    return `${open}\n      <system-out>judged ${judged} times</system-out>\n    </testcase>`;
  }
  const lines = findings.flatMap(({ message, expected, actual }) => [
    message,
    `  expected ${expected}`,
    `  actual   ${actual}`,
  ]);
  const text = xmlBlock(
    [...lines, ...(total > findings.length ? [`${total} in all`] : [])],
    DETAIL_BYTES,
  );
  const body =
    outcome === 'failed'
      ? `      <failure type="violation" message="${xml(findings[0]?.message ?? title)}">${text}</failure>`
      : `      <system-out>${text}</system-out>`;
  return `${open}\n${body}\n    </testcase>`;
}
