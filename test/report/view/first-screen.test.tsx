import { describe, expect, it } from 'vitest';
import { groupCauses } from '../../../src/report/analysis/causes.ts';
import { diffResults, withBaseline } from '../../../src/report/model/diff.ts';
import { earlierRun, historyOf, changedSince } from '../../../src/report/analysis/history.ts';
import { goOn } from '../../../src/report/analysis/rerun.ts';
import { renderJUnit } from '../../../src/report/formats/junit.ts';
import { renderMarkdown } from '../../../src/report/formats/markdown.ts';
import { renderSummary } from '../../../src/report/terminal/terminal.ts';
import { renderView } from '../../../src/report/page/render.tsx';
import type { Outcome, Results, RunSettings } from '../../../src/report/model/results.ts';
import { Changes } from '../../../src/report/page/view/changes.tsx';
import { Budget, percent, FirstScreen } from '../../../src/report/page/view/summary.tsx';
import { validate } from '../../../src/judge/schema/schemas.ts';
import { HOSTILE_SOME } from '../hostile.ts';
import { makeExchange, makeRequirement, makeResults } from '../fixture.ts';

const run = (day: number, ...outcomes: readonly Outcome[]): Results => ({
  ...makeResults(),
  startedAt: `2026-11-${day}T09:00:00.000Z`,
  endedAt: `2026-11-${day}T09:01:30.000Z`,
  requirements: outcomes.map((outcome, index) => makeRequirement(`4.3/r${index}`, outcome)),
});

const withRuns = (now: Results, ...earlier: readonly unknown[]): Results => {
  const history = historyOf(
    now,
    earlier.flatMap((one) => earlierRun(one) ?? []),
  );
  return history === null ? now : { ...now, history };
};

const screen = (results: Results): string =>
  renderView(() => <FirstScreen results={results} causes={groupCauses(results)} />);

const changesOf = (results: Results): string =>
  renderView(() => <Changes results={results} causes={groupCauses(results)} />);

describe('the runs before this one', () => {
  const present = withRuns(
    run(20, 'failed', 'passed', 'untested', 'passed'),
    run(18, 'passed', 'passed', 'passed', 'passed'),
    run(19, 'passed', 'failed', 'failed', 'passed'),
  );

  it('are in the history with outcomes, length and profile', () => {
    expect(present.history?.runs).toMatchObject([
      { ms: 90_000, counts: { passed: 4 } },
      { ms: 90_000, profile: 'standard', counts: { passed: 2, failed: 2 } },
    ]);
    expect(validate('results', JSON.parse(JSON.stringify(present)))).toEqual([]);
  });

  it('say what turned since the last of them', () => {
    const turned = changedSince(present, () => 0).map(([kind, changed]) => [
      kind,
      ...changed.map(({ subject }) => subject),
    ]);
    expect(turned).toEqual([
      ['new-violation', '4.3/r0'],
      ['fixed', '4.3/r1'],
      ['newly-unverified', '4.3/r2'],
    ]);
    const markup = screen(present);
    expect(markup).toContain('+ 1 new violation</a>');
    expect(markup).toContain('? 1 no longer verified (1 once violated or warned)</a>');
    expect(markup).toContain('<a href="#history">History over 3 runs</a>');
    // The links lead to headings in Changes, which lists all of them.
    const changes = changesOf(present);
    for (const [kind, ...ids] of turned) {
      expect(markup).toContain(`href="#changes-${kind}"`);
      expect(changes).toContain(`id="changes-${kind}"`);
      for (const id of ids) expect(changes).toContain(id);
    }
    expect(changes).toContain('compared with the last run in the same folder, of 19 Nov 2026');
    expect(changes).not.toContain('No earlier run');
  });

  it('say "fixed" only where the last run sent the same requests, and otherwise that it was not seen again', () => {
    const before = run(19, 'passed', 'failed');
    const now = run(20, 'passed', 'passed');
    const only = { only: ['4.3'], skip: [] } as unknown as RunSettings;
    for (const [here, there] of [
      [now, { ...before, profile: 'smoke' }],
      [{ ...now, seed: 8 }, before],
      [
        { ...now, settings: only },
        { ...before, settings: only },
      ],
    ] as const) {
      const kinds = changedSince(withRuns(here, there), () => 0).map(([kind]) => kind);
      expect(kinds).toEqual(['newly-unverified']);
    }
    const smaller = withRuns({ ...now, profile: 'smoke' }, before);
    expect(screen(smaller)).toContain('? 1 not seen again</a>');
    expect(screen(withRuns(now, before))).toContain('✓ 1 fixed</a>');
  });

  it('name what was verified in the last run and is not now, after what was violated in it', () => {
    const lost = withRuns(
      run(20, 'untested', 'untested', 'untested', 'passed'),
      run(18, 'passed', 'failed', 'passed', 'passed'),
      run(19, 'passed', 'passed', 'failed', 'passed'),
    );
    const [[kind, changed] = []] = changedSince(lost, () => 0);
    expect(kind).toBe('newly-unverified');
    expect(changed?.map(({ subject }) => subject)).toEqual(['4.3/r2', '4.3/r0', '4.3/r1']);
    expect(screen(lost)).toContain('? 3 no longer verified (2 once violated or warned)</a>');
    const only = { ...lost, settings: { only: ['4.3'], skip: [] } as unknown as RunSettings };
    expect(
      historyOf(
        only,
        [earlierRun(run(19, 'passed'))].flatMap((one) => one ?? []),
      ),
    ).toEqual(expect.objectContaining({ outcomes: {} }));
  });

  it('says which are no longer verified, which of them were violated, and which were not seen again', () => {
    const id = '8/remaining-decrements';
    const with8 = (one: Results, outcome: Outcome): Results => ({
      ...one,
      requirements: [...one.requirements, makeRequirement(id, outcome)],
    });
    const lost = withRuns(
      with8(run(20, 'untested', 'untested'), 'passed'),
      with8(run(19, 'failed', 'passed'), 'failed'),
    );
    const changes = changesOf(lost).replaceAll(/<[^>]+>/g, '');
    expect(changes).toContain('2 no longer verified (1 once violated or warned), 1 not seen again');
    expect(changes).toContain('1 once violated or warned: 4.3/r0');
    expect(changes).toContain('1 only verified: 4.3/r1');
    expect(changes).toContain(`1 not seen again: ${id}`);
  });

  it('say of a new violation that it is waived, and name the most harmful first', () => {
    const aside = { outcome: 'failed', reason: 'wrong' } as const;
    const waived = { ...makeRequirement('4.3/r1', 'waived'), waived: aside };
    const first = run(20, 'failed', 'waived');
    const now = { ...first, requirements: first.requirements.with(1, waived) };
    expect(screen(withRuns(now, run(19, 'passed', 'passed')))).toContain(
      '+ 2 new violations, 1 of them waived</a>',
    );
    const only = { ...now, requirements: [waived] };
    const told = withBaseline(only, run(19, 'passed', 'passed'));
    expect(screen(told)).toContain('+ 1 new violation, waived</a>');
    expect(changesOf(told)).toContain('1 new violation, waived');
    const two = ['4.3/order', '5/unknown-key'].map((id) =>
      makeRequirement(id, 'failed', {
        findings: [{ message: id, expected: id, actual: id, pointer: null, exchange: null }],
      }),
    );
    const worse = { ...run(20), requirements: two };
    const causes = groupCauses(worse).toReversed();
    expect(causes).toHaveLength(2);
    const shown = renderView(() => (
      <FirstScreen
        results={withRuns(worse, {
          ...run(19),
          requirements: two.map((one) => ({ ...one, outcome: 'passed' })),
        })}
        causes={causes}
      />
    ));
    const box = /box-since.*?<.section>/s.exec(shown)?.[0] ?? '';
    const ids = causes.map(({ example }) => box.indexOf(example.requirement.id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(Math.min(...ids)).toBeGreaterThan(0);
  });

  it('say "not seen again" of what passes without showing that its defect is gone', () => {
    const id = '8/remaining-decrements';
    const now = { ...run(20), requirements: [makeRequirement(id, 'passed')] };
    const before = { ...run(19), requirements: [makeRequirement(id, 'failed')] };
    expect(screen(withRuns(now, before))).toContain('? 1 not seen again</a>');
  });

  it('say that nothing turned, when nothing did', () => {
    const same = withRuns(run(20, 'failed', 'passed'), run(19, 'failed', 'passed'));
    expect(changedSince(same, () => 0)).toEqual([]);
    expect(screen(same)).toContain('No new or fixed violations.');
  });

  it('give way to a baseline, which knows more', () => {
    const before = run(19, 'passed', 'failed', 'failed', 'passed');
    const told = withBaseline(present, before);
    expect(diffResults(before, present).changes.length).toBeGreaterThan(0);
    expect(screen(told)).toContain('href="#changes-new-violation"');
    expect(screen(told)).toContain('href="#history"');
  });

  it('are one sentence when there are none, and the way to compare', () => {
    const alone = run(20, 'passed');
    expect(changedSince(alone, () => 0)).toEqual([]);
    const markup = screen(alone);
    expect(markup).not.toContain('href="#history"');
    expect(markup).toContain('assay run --baseline results.json');
    // A check sends nothing, and neither does the command that it names.
    const recorded = { ...alone, profile: 'recorded' };
    for (const page of [screen(recorded), changesOf(recorded)])
      expect(page).toContain('assay check --baseline results.json');
  });

  it('may be told by anyone: text stays text', () => {
    const text = HOSTILE_SOME.join(' ');
    const runs = [{ startedAt: text, verdict: text, profile: text, counts: { [text]: 4 } }];
    const hostile: Results = { ...run(20, 'passed'), history: { runs, outcomes: {} } };
    expect(screen(hostile)).not.toMatch(/<(?:script|img|iframe|style)/i);
  });
});

describe('a run that reached no service', () => {
  const exchanges = [1, 2, 3, 4, 5].map((number) =>
    makeExchange(number, {
      endpoint: '/news',
      path: '/news',
      error: { kind: 'refused', message: 'connect' },
    }),
  );
  const dead: Results = {
    ...makeResults(),
    verdict: 'incomplete',
    stoppedEarly: true,
    sentence: 'It does not respond; `assay doctor` checks host and port.',
    requirements: [],
    exchanges,
  };

  it('does not call requests without a response responses, and says how many more there are', () => {
    expect(screen(dead)).toContain('<p>Requests:</p>');
    expect(screen(dead)).toContain('2 more in Exchanges');
    const answered = makeExchange(1, { endpoint: '/news', path: '/news', body: '<h1>' });
    expect(screen({ ...dead, exchanges: [answered] })).toContain('<p>Responses:</p>');
  });

  it('names the same commands in the page, in Markdown, in the terminal and in JUnit', () => {
    const steps = goOn(dead);
    expect(steps.length).toBeGreaterThan(1);
    const terminal = { color: false, width: 400, showCurl: true };
    for (const { command } of steps) {
      expect(screen(dead)).toContain(command);
      expect(renderMarkdown(dead)).toContain(command);
      expect(renderSummary(dead, terminal)).toContain(command);
      expect(renderJUnit(dead)).toContain(command);
    }
  });

  it('says where the key has to be, and what resuming needs, in the words of the run', () => {
    const keys = { valid: ['k:1'] };
    const words = 'Resume the run with the same target and keys, adding --header again:';
    const resume = { words, command: 'assay run --resume out' };
    const plain = { ...dead, target: { ...dead.target, keys }, resume };
    const steps = goOn(plain).map((one) => one.words);
    expect(steps).toEqual([
      'Set ASSAY_API_KEY to the key. Diagnose connection and keys:',
      'Then rerun, or resume the run:',
      words,
    ]);
    expect(goOn({ ...dead, target: { ...dead.target, file: 'a.yaml' } })).toMatchObject([
      { words: 'Diagnose connection and keys:' },
      { words: 'Then rerun:' },
    ]);
  });

  it('shows no backticks', () => {
    expect(screen(dead)).toContain('assay doctor checks host and port');
    expect(screen(dead)).not.toContain('`');
  });
});

it('sends nobody to look for a connection that works, where what was selected shows no must', () => {
  const reason = 'the rate limiter refused no request';
  const outcomes = [
    makeRequirement('8/retry-after-unit', 'observed', { level: 'observe', exchanges: ['x1'] }),
    makeRequirement('8/limit-not-early', 'inconclusive', { reason }),
  ];
  for (const one of outcomes) {
    const ended: Results = { ...makeResults(), verdict: 'incomplete', requirements: [one] };
    expect(goOn(ended)).toEqual([]);
    const said = [
      screen(ended),
      renderMarkdown(ended),
      renderSummary(ended, { color: false, width: 400, showCurl: false }),
    ];
    for (const text of said) {
      expect(text).not.toContain('doctor');
      expect(text).toMatch(
        one.outcome === 'observed'
          ? /1 observed|observe.* 1 |1 requirement judged/i
          : new RegExp(reason),
      );
    }
  }
});

describe('what was not verified', () => {
  it('has the reason of each requirement of a group', () => {
    const reasons = ['no answer within 1 ms', 'no answer within 2 ms'];
    const requirements = reasons.map((reason, index) =>
      makeRequirement(`4.3/r${index}`, 'untested', { reason }),
    );
    const markup = screen({ ...makeResults(), requirements });
    const box = /box-gaps.*?<.section>/s.exec(markup)?.[0] ?? '';
    for (const reason of reasons) expect(box).toContain(reason);
  });
});

describe('the budget', () => {
  const exchanges = [1, 2, 3].map((number) => ({
    ...makeExchange(number, { endpoint: '/news', path: '/news' }),
    key: number === 3 ? 'k:2' : 'k:1',
  }));
  const results: Results = {
    ...makeResults(),
    exchanges,
    requests: { total: 9, byRole: { valid: 3, nearQuota: 2, none: 3, expired: 1 }, waitedMs: 0 },
  };
  const budget = (told: Results): string =>
    renderView(() => <Budget results={told} />)
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll('\u00a0', ' ');

  it('counts by role, and takes the share from the key that made the most', () => {
    const said = budget(results);
    expect(said).toMatch(/valid\s+3\s+with 2 keys, at most 2 per key: under 0.01 % of the monthly/);
    expect(said).toMatch(/near quota\s+2\s+: under 0.01 %/);
    expect(said).toMatch(/without a key\s+3\s+: not counted/);
    expect(said).toMatch(/expired\s+1\s+: not counted/);
    expect(said).toContain('100,000 requests a month (§8)');
  });

  it('takes the quota of the target', () => {
    const limits = { requests: 20, windowMs: 60_000, monthlyQuota: 50 };
    const said = budget({ ...results, settings: { limits } as RunSettings });
    expect(said).toMatch(/valid\s+3\s+with 2 keys, at most 2 per key: 4 % of the monthly quota/);
    expect(said).toContain('50 requests a month (target file)');
  });

  it('says nothing of valid keys where requests were not counted by role', () => {
    const of = (byRole: Results['requests']['byRole']): string =>
      screen({ ...results, requests: { total: 9, byRole, waitedMs: 0 } });
    expect(of({ none: 9 })).toContain('9 requests, 0 with valid keys');
    expect(of({})).toMatch(/<span>9 requests<.span>/);
  });

  it('says that nothing was sent', () => {
    const none = { ...results, exchanges: [], requests: { total: 0, byRole: {}, waitedMs: 0 } };
    expect(screen(none)).toContain('No request was sent.');
  });

  it.each([
    [0, '0\u00a0%'],
    [0.000_02, 'under 0.01\u00a0%'],
    [0.000_222, '0.022\u00a0%'],
    [0.123, '12\u00a0%'],
    [1.5, '150\u00a0%'],
  ])('writes %d as %s', (share, words) => {
    expect(percent(share)).toBe(words);
  });
});
