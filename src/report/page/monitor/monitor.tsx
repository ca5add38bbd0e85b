import type { ComponentChildren, VNode } from 'preact';
import { plural } from '../../../text/text.ts';
import type { HistoryRun, MonitorHistory } from '../../model/monitor-history.ts';
import { ICONS, VERDICT_WORDS, type Outcome } from '../../model/results.ts';
import { assets } from '../assets.ts';
import { renderPage, styleElement } from '../render.tsx';
import { clock, Facts, Fold, grouped, List, message, Shell, Table, text } from '../view/parts.tsx';

const RUNS_A_DAY = 48;

const BANNER_WORDS = {
  holds: ['passed', 'HOLDS'],
  violates: ['failed', 'VIOLATES'],
  incomplete: ['warned', 'CANNOT BE JUDGED'],
} as const;

/** The outcome that gives a run its colour and icon. */
const OUTCOME_OF: Readonly<Record<HistoryRun['verdict'], Outcome>> = {
  conforms: 'passed',
  'no-violation': 'passed',
  violates: 'failed',
  incomplete: 'inconclusive',
  interrupted: 'untested',
  error: 'error',
};

const KINDS: Readonly<Record<HistoryRun['kind'], string>> = {
  scheduled: '',
  confirmation: 'confirmation of violations, ',
  settlement: 'check of settled rows, ',
};

/** CSS class and words of the verdict; what holds for a part of the musts is not green. */
function bannerOf({ verdict, coverage }: MonitorHistory): readonly [name: string, word: string] {
  if (verdict === null) return ['', 'NO VERDICT YET'];
  const [name, word] = BANNER_WORDS[verdict];
  const { verified, musts } = coverage;
  if (verdict !== 'holds' || verified >= musts) return [name, word];
  return ['plain', `${word}, ${verified} of ${musts} musts verified`];
}

/** Renders the page of a monitor, without a script. @throws Error with the code ASSAY_REPORT_APP_MISSING when the style was not built */
export function renderMonitorPage(history: MonitorHistory): string {
  const style = styleElement(assets().style);
  const target = text(history.target.baseUrl, 200);
  return renderPage({
    title: `${bannerOf(history)[1]}: monitor of ${target}`,
    policy: [`style-src ${style.source}`],
    style: style.element,
    body: () => (
      <Shell
        title={`monitor of ${target}`}
        views={[
          ['summary', 'Summary', <>{[status(history), about(history)]}</>, null],
          ['days', 'Days', dayTable(history)],
          ['turns', 'Verdict changes', verdictChanges(history)],
          ['coverage', 'Coverage', coverageTable(history)],
        ]}
        footer={[
          `Assay ${history.tool.version}, updated ${clock(history.writtenAt)}. Data: `,
          <a href="history.json">history.json</a>,
          '.',
        ]}
      />
    ),
  });
}

function status(history: MonitorHistory): VNode {
  const { since, open, mended, days } = history;
  const [name, word] = bannerOf(history);
  const runs = days.flatMap((day) => day.runs);
  const newest = runs.find(({ kind }) => kind === 'scheduled')?.startedAt ?? '';
  const isOld = (judgedAt = newest): boolean => judgedAt < newest;
  return (
    <div class={`verdict ${name}`}>
      <h2 class="word">{word}</h2>
      <p class="sentence">
        {since === null ? 'No run has reached a verdict.' : `Since ${clock(since)}.`}
        {open.length > 0 && ` ${plural(open.length, 'must')} violated.`}
      </p>
      <List
        items={open.map(({ id, title, since: found, judgedAt, report }) => (
          <>
            <a class="id" href={`${report}#r-${id}`}>
              {id}
            </a>
            {` ${message(title)}, found ${clock(found)}`}
            {isOld(judgedAt) && `, not judged since ${clock(judgedAt ?? found)}`}
          </>
        ))}
      />
      {mended.length > 0 && <p class="sentence">{`Fixed: ${names(mended)}.`}</p>}
    </div>
  );
}

function about({ budget, begun, schedule, coverage, pending }: MonitorHistory): VNode {
  const spent = ({ used, limit }: { used: number; limit: number }): string =>
    `${grouped(used)} of ${grouped(limit)} requests`;
  const waiting = pending.map(
    ({ ticker, date, deadline, overdue }): ComponentChildren =>
      `${text(ticker, 40)} of ${date}, ${overdue ? 'overdue since' : 'due by'} ${clock(deadline)}`,
  );
  return (
    <Facts
      rows={[
        ['Schedule', `${schedule}. Running since ${clock(begun)}.`],
        ['Budget', `${spent(budget)} in ${budget.month} with valid keys`],
        ['', budget.restricted !== null && `${spent(budget.restricted)} with the restricted key`],
        ['Verified', `${coverage.verified} of ${coverage.musts} musts in the retained days`],
        ['Settlement', waiting.length > 0 && <List items={waiting} />],
      ]}
    />
  );
}

function RunLink({ run }: { run: HistoryRun }): VNode {
  const outcome = OUTCOME_OF[run.verdict];
  const words = `${KINDS[run.kind]}${VERDICT_WORDS[run.verdict].toLowerCase()}: ${message(run.sentence, 300)} ${plural(run.requests.valid, 'request')}, profile ${run.profile}, seed ${run.seed}`;
  const label = `${ICONS[outcome]} ${run.startedAt.slice(11, 16)}`;
  const chip = { class: `chip ${outcome}`, title: words };
  return run.report === null ? (
    <span {...chip}>{label}</span>
  ) : (
    <a {...chip} href={run.report}>
      {label}
    </a>
  );
}

function dayTable({ days, coverage }: MonitorHistory): VNode {
  return (
    <>
      <p class="note">
        Days and times are UTC. Runs link to their reports; the last column shows the musts verified
        by the end of the day in retained runs.
      </p>
      <Table
        name="days"
        labelled
        columns={['day', 'runs', 'musts verified that day', 'musts verified so far']}
        items={days}
        limit={400}
        row={({ day, runs, verified, verifiedSoFar }) => [
          <time>{day}</time>,
          [
            runs
              .slice(0, RUNS_A_DAY)
              .toReversed()
              .map((run) => [<RunLink run={run} />, ' ']),
            runs.length > RUNS_A_DAY && (
              <span class="note">{`and ${runs.length - RUNS_A_DAY} earlier`}</span>
            ),
          ],
          String(verified),
          `${verifiedSoFar} of ${coverage.musts}`,
        ]}
      />
    </>
  );
}

const names = (ids: readonly string[]): string => ids.map((id) => text(id, 80)).join(', ');

function verdictChanges({ turns }: MonitorHistory): VNode {
  return (
    <Table
      name="turns"
      empty="The verdict has not changed in the retained days."
      columns={['time', 'from', 'to', 'violated', 'fixed']}
      items={turns}
      limit={50}
      row={({ at, from, to, violated, mended, report }) => [
        report === null ? <span>{clock(at)}</span> : <a href={report}>{clock(at)}</a>,
        from ?? 'no verdict',
        to,
        names(violated),
        names(mended),
      ]}
    />
  );
}

function coverageTable({ coverage }: MonitorHistory): VNode {
  // What was never verified comes first.
  const items = coverage.requirements.toSorted(
    (a, b) => Number(a.last !== null) - Number(b.last !== null),
  );
  return (
    <>
      <p class="note">
        Musts verified by any retained run. Rotating runs request different data every day.
      </p>
      <Fold title={`${coverage.verified} of ${coverage.musts} musts in the retained days`}>
        <Table
          name="coverage"
          columns={['requirement', 'title', 'last verified', 'days']}
          items={items}
          row={({ id, title, last, days }) => [
            <span class="id">{id}</span>,
            message(title),
            last === null ? 'not verified' : clock(last),
            days,
          ]}
        />
      </Fold>
    </>
  );
}
