import { jsonText } from '../../text/json-text.ts';
import { oneLine } from '../../text/text.ts';
import type { Results } from '../model/results.ts';
import { suitesOf, type Case } from './cases.ts';

const STATUSES = ['passed', 'failed', 'skipped', 'pending', 'other'] as const;

function testOf(suite: string, one: Case) {
  const { name, state, type, message, lines, ms, requirement } = one;
  const part = suite.slice('assay.'.length);
  const about = requirement === null ? part : `§${part}`;
  const shared = { name: oneLine(name), duration: ms, suite: ['assay', oneLine(about, 40)] };
  if (requirement === null) {
    const all = lines.join('; ') === message ? [message] : [message, ...lines];
    const words = oneLine([...new Set(all)].join(' '), 2000);
    return {
      ...shared,
      // A run without a verdict fails, whatever its cases say.
      status: state === 'error' ? 'failed' : state,
      ...(words !== '' && { message: words }),
      rawStatus: type,
      tags: ['run'],
    };
  }
  const { id, level, basis, outcome, reading, findings, exchanges } = requirement;
  return {
    ...shared,
    // A requirement that could not be judged is "other".
    status: state === 'error' ? 'other' : state,
    message: oneLine(message, 2000),
    rawStatus: outcome,
    tags: [level, basis],
    extra: { id, ...(reading !== null && { reading }), findings, exchanges },
  };
}

/** 0 for a malformed time. */
const epoch = (time: string): number => Date.parse(time) || 0;

/** Renders a report in the Common Test Report Format, with the same cases as JUnit. */
export function renderCtrf(results: Results): string {
  const suites = suitesOf(results);
  const tests = suites.flatMap(({ name, cases }) => cases.map((one) => testOf(name, one)));
  const report = {
    reportFormat: 'CTRF',
    specVersion: '1.0.0',
    timestamp: results.endedAt,
    generatedBy: `${results.tool.name} ${results.tool.version}`,
    results: {
      tool: { name: results.tool.name, version: results.tool.version },
      summary: {
        tests: tests.length,
        ...Object.fromEntries(
          STATUSES.map((one) => [one, tests.filter(({ status }) => status === one).length]),
        ),
        suites: suites.length,
        start: epoch(results.startedAt),
        stop: epoch(results.endedAt),
      },
      tests,
      environment: { testEnvironment: results.target.baseUrl },
      extra: {
        verdict: results.verdict,
        sentence: results.sentence,
        profile: results.profile,
        seed: results.seed,
      },
    },
  };
  return `${jsonText(report)}\n`;
}
