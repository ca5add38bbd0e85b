// Every combination of outcome, waiver, baseline and kind of run, and what all formats say of it. The table is the golden
// file; the formats are held against the model that it is printed from.
import { describe, expect, it } from 'vitest';
import { NO_DATA } from '../../src/spec/cause.ts';
import { renderCtrf } from '../../src/report/formats/ctrf.ts';
import { renderJUnit } from '../../src/report/formats/junit.ts';
import { renderMarkdown } from '../../src/report/formats/markdown.ts';
import { gateByBaseline } from '../../src/report/model/baseline-gate.ts';
import { evidenceFingerprint } from '../../src/report/model/fingerprint.ts';
import { headOf, lineWords } from '../../src/report/model/head.ts';
import { summarize, decide } from '../../src/run/verdict.ts';
import type { Outcome, RequirementResult, Results } from '../../src/report/model/results.ts';
import { kindOf, statusOf } from '../../src/report/model/status.ts';
import { renderHtml } from '../../src/report/page/page.tsx';
import { renderSummary } from '../../src/report/terminal/terminal.ts';
import { applyWaivers, type Waiver } from '../../src/run/waivers.ts';
import { makeRequirement, makeResults } from '../report/fixture.ts';
import { textOf } from './real-runs.ts';

const FOUND = [
  'passed',
  'failed',
  'warned',
  'observed',
  'inconclusive',
  'untested',
  'error',
] as const satisfies readonly Outcome[];
const WAIVERS = ['none', 'holds', 'expired', 'drifted'] as const;
const BASELINES = ['none', 'violated', 'clean'] as const;
const KINDS = ['whole', 'interrupted', 'cut'] as const;

type Row = readonly [
  (typeof FOUND)[number],
  (typeof WAIVERS)[number],
  (typeof BASELINES)[number],
  (typeof KINDS)[number],
];

const ID = '4.3/order';
const exchanges = new Map(makeResults().exchanges.map((one) => [one.id, one]));

function requirementOf(found: Row[0]): RequirementResult {
  const finding = {
    message: 'rows are out of order',
    expected: 'a date',
    actual: 'another',
    pointer: '/1/date',
    exchange: 'x1',
  };
  const isRed = found === 'failed' || found === 'warned';
  const isPass = found === 'passed' || found === 'observed';
  return {
    ...makeRequirement(ID, found, {
      title: 'Rows come latest date first',
      findings: isRed ? [finding] : [],
      exchanges: isRed || isPass ? ['x1', 'x4'] : [],
      ...(isRed || found === 'passed' ? {} : { reason: 'the reason that was given' }),
      ...(found === 'untested' ? { cause: NO_DATA } : {}),
    }),
  };
}

function waiverFor(requirement: RequirementResult, state: Row[1]): readonly Waiver[] {
  if (state === 'none') return [];
  const { outcome } = requirement;
  const evidence = evidenceFingerprint(requirement, exchanges) ?? 'e2-0000000000000000';
  return [
    {
      id: ID,
      owner: 'Ada',
      reason: 'the fix is on its way',
      expires: state === 'expired' ? '2020-01-01' : '2099-01-01',
      evidence: state === 'drifted' ? 'e2-1111111111111111' : evidence,
      ...(outcome === 'inconclusive' || outcome === 'untested' ? { outcome } : {}),
    },
  ];
}

/** Results as a run makes them: judged, then waived, decided, and held against its baseline. */
function resultsOf([found, waiver, baseline, kind]: Row): Results {
  const other = makeRequirement('4.2/news', 'passed', { exchanges: ['x5'] });
  const judged = [other, requirementOf(found)];
  const file = waiverFor(requirementOf(found), waiver);
  const applied = applyWaivers(judged, [...exchanges.values()], file, '2026-11-21');
  const { requirements, waivers } = kind === 'cut' ? { requirements: CUT, waivers: [] } : applied;
  const end = decide(requirements, {
    interrupted: kind === 'interrupted',
    fatal: kind === 'cut' ? 'The target does not answer.' : null,
    failOn: ['must'],
    waivers,
  });
  const results: Results = {
    ...makeResults(),
    readings: [],
    notes: [],
    requirements,
    summary: summarize(requirements),
    verdict: end.verdict,
    sentence: end.sentence,
    exitCode: end.exitCode,
    failing: end.failing,
    ...(kind === 'cut' && { stoppedEarly: true }),
    ...(waiver === 'none' ? {} : { waivers }),
  };
  if (baseline === 'none') return results;
  const was = baseline === 'violated' ? 'failed' : 'passed';
  const before = { ...makeResults(), requirements: [other, requirementOf(was)] };
  return gateByBaseline(results, before, ['must']);
}

const CUT = [ID, '4.2/news'].map((id) =>
  makeRequirement(id, 'inconclusive', { reason: 'no answer', exchanges: [] }),
);

const ROWS: readonly Row[] = KINDS.flatMap((kind) =>
  BASELINES.flatMap((baseline) =>
    WAIVERS.flatMap((waiver) => FOUND.map((found): Row => [found, waiver, baseline, kind])),
  ),
).filter(([found, waiver, baseline, kind]) => {
  // A run without a verdict is held against no baseline, and one that was cut judged nothing.
  if (kind === 'interrupted') return baseline === 'none';
  return kind === 'whole' || (found === 'passed' && waiver === 'none');
});

const spaced = (text: string): string => text.replace(/\\(.)/g, '$1').replace(/[\s`]+/g, ' ');

describe('one truth', () => {
  it('is this table', async () => {
    const lines = ROWS.map((row) => {
      const results = resultsOf(row);
      const { title, lines: under } = headOf(results);
      const one = results.requirements.find(({ id }) => id === ID);
      const { state = '', words = '' } = one === undefined ? {} : statusOf(one, results);
      const [found, waiver, baseline, kind] = row;
      return [
        `${found}, waiver ${waiver}, baseline ${baseline}, ${kind} run`,
        `  exit ${results.exitCode}, ${kindOf(results)}: ${title}`,
        `  ${results.sentence}`,
        ...under.map((line) => `  | ${lineWords(line)}`),
        `  ${state}: ${words}`,
      ].join('\n');
    });
    await expect(`${lines.join('\n\n')}\n`).toMatchFileSnapshot('../golden/one-truth.txt');
  });

  it.each(ROWS)('%s, waiver %s, baseline %s, %s run: every format says the same', (...row) => {
    const results = resultsOf(row);
    const { title, sentence, lines } = headOf(results);
    const one = results.requirements.find(({ id }) => id === ID);
    const words = one === undefined ? '' : statusOf(one, results).words;
    const junit = textOf(renderJUnit(results).replace(/(?:message|value)="([^"]*)"/g, '>$1<'));
    const formats = {
      terminal: spaced(renderSummary(results, { color: false, width: 2000, showCurl: false })),
      markdown: spaced(renderMarkdown(results)),
      junit: spaced(junit),
      ctrf: spaced(renderCtrf(results)),
      page: spaced(textOf(renderHtml(results))),
    };
    for (const [name, text] of Object.entries(formats)) {
      expect(text, name).toContain(spaced(title));
      expect(text, name).toContain(spaced(sentence));
      for (const line of lines)
        expect(text.replaceAll(' ,', ','), name).toContain(spaced(lineWords(line)));
    }
    // Where each requirement has a place of its own.
    for (const name of ['junit', 'ctrf', 'page'] as const) {
      // A plain pass is a case without words in JUnit; how much it was judged on is a property.
      if (name === 'junit' && words.startsWith('passed')) continue;
      expect(formats[name], name).toContain(spaced(words));
    }
  });

  it('never shows a violation as clean, nor what is fixed as a failure', () => {
    for (const row of ROWS) {
      const results = resultsOf(row);
      const [found, , baseline, kind] = row;
      const { title, tone } = headOf(results);
      const one = results.requirements.find(({ id }) => id === ID);
      if (found === 'failed' && kind === 'whole')
        expect(title, row.join()).not.toMatch(/CONFORMS$/);
      if (results.exitCode !== 0) expect(tone, row.join()).not.toBe('passed');
      if (found === 'passed' && baseline === 'violated' && one !== undefined && kind === 'whole')
        expect(statusOf(one, results).state, row.join()).toBe('passed');
    }
  });
});
