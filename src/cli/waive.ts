import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { rerunCommand } from '../report/analysis/rerun.ts';
import type { Results, RequirementResult } from '../report/model/results.ts';
import { readWaivers, writeWaivers, type Waiver } from '../run/waivers.ts';
import { DAY, isoDay } from '../spec/time.ts';
import { shellQuote } from '../text/curl.ts';
import { oneLine, plural, some } from '../text/text.ts';
import { calledAs } from './called-as.ts';
import { commandBody, toggle, string, type ValuesOf } from './command.ts';
import { UsageError } from './errors.ts';
import { readResults, resultsFile } from './read-results.ts';
import { sayLine } from './say.ts';
import { isGap, isWaivable } from '../report/model/status.ts';
import { settingOf } from '../report/model/unjudged.ts';
import { hasFirst, isFirst } from '../run/first-fingerprint.ts';
import { suggestion } from '../text/closest-name.ts';

/** Default lifetime of a waiver in days: long enough for a fix, short enough not to be forgotten. */
const DAYS = 30;

const LAST_RUN = 'reports/latest';

const POSITIONALS = {
  ids: {
    type: 'string',
    array: true,
    default: [] as string[],
    describe: 'Requirements that failed in the run or could not be judged',
  },
} as const;

const OPTIONS = {
  reason: string('Why the failure is acceptable for now; required'),
  until: string(`Last day of the waiver, yyyy-MM-dd, UTC; default: ${DAYS} days from today`),
  owner: string('Who accepts the failure; default: the Git user name'),
  ticket: string('Ticket that tracks the fix'),
  waivers: string('Waiver file to update, YAML or JSON; created if missing', {
    default: 'waivers.yaml',
  }),
  run: string('Folder or results.json of the run', { default: LAST_RUN }),
  upgrade: toggle('Upgrade version 1 fingerprints of waivers that the run confirms'),
} as const;

type WaiveArguments = ValuesOf<typeof OPTIONS> & ValuesOf<typeof POSITIONALS>;

/** `assay waive`: records that an owner accepts failures until a date. */
export const waiveCommand = commandBody({
  options: OPTIONS,
  positionals: POSITIONALS,
  examples: {
    '$0 waive 4.3/order --reason "the fix ships with release 12"': 'waive for 30 days',
    '$0 waive 4.3/order --reason "see the ticket" --ticket MD-7 --until 2026-12-01':
      'waive until a given date',
    '$0 run -t staging.yaml --waivers waivers.yaml': 'use the waivers',
  },
  footer:
    'A waiver stores a fingerprint of the evidence, so it does not cover a different defect. See docs/ci.md.',
  handler: async (argv) => {
    if (argv.upgrade) return upgrade(argv);
    if (argv.ids.length === 0) {
      throw new UsageError(
        'Name the requirements to waive.',
        'For example `assay waive 4.3/order --reason "…"`.',
      );
    }
    const today = isoDay(Date.now());
    const expires = lastDay(argv.until, today);
    const reason = (argv.reason ?? '').trim();
    if (reason === '') {
      throw new UsageError(
        'A waiver needs a reason: use --reason to say why the failure is acceptable for now.',
        'For example --reason "the fix ships with release 12".',
      );
    }
    const results = await runOf(argv.run);
    const owner = argv.owner?.trim() ?? nameOfUser();
    if (owner === '') {
      throw new UsageError(
        'A waiver needs an owner.',
        'Set --owner to the person who accepts the failure.',
      );
    }
    const ticket = argv.ticket?.trim() || undefined;
    const waivers = waiversFor(argv.ids, results, { owner, reason, ticket, expires });
    const isNew = !existsSync(argv.waivers);
    const { count, renewed } = await writeWaivers(argv.waivers, waivers);
    for (const { id, outcome = 'violated', evidence } of waivers) {
      const { level = '', title = '' } = results.requirements.find((one) => one.id === id) ?? {};
      const did = renewed.includes(id) ? 'waiver renewed' : 'waived';
      sayLine(`${id} (${level}, ${outcome}) ${oneLine(title)}`);
      sayLine(
        `  ${did} until ${expires} by ${oneLine(owner)}: ${oneLine(reason)}; evidence ${evidence}`,
      );
    }
    sayLine(
      `${argv.waivers} ${isNew ? 'created' : 'updated'}, ${plural(count, 'waiver')} in total. Commit the file and pass it to the run:`,
    );
    // The results of recorded traffic do not name the recording.
    const again =
      results.profile === 'recorded'
        ? `${calledAs(process.env)} check RECORDING`
        : rerunCommand(results);
    sayLine(`  ${again} --waivers ${shellQuote(argv.waivers)}`);
  },
});

/** `assay waive --upgrade`: renews the fingerprints of a file that version 1 wrote. */
async function upgrade({ ids, run, waivers: file }: WaiveArguments): Promise<void> {
  if (ids.length > 0) {
    throw new UsageError(
      '--upgrade takes no ids.',
      '--upgrade renews every waiver that the run confirms.',
    );
  }
  const { upgraded, left } = upgradeOf(readWaivers(file), await runOf(run));
  if (upgraded.length > 0) await writeWaivers(file, upgraded);
  for (const { id, evidence } of upgraded) sayLine(`${id} upgraded: ${evidence}`);
  for (const id of left) sayLine(`${id} not upgraded: the run does not confirm the waiver`);
  sayLine(`${file}: ${plural(upgraded.length, 'waiver')} upgraded, ${left.length} left unchanged.`);
}

async function runOf(given: string): Promise<Results> {
  const file = await resultsFile(given);
  if (!existsSync(file)) {
    throw new UsageError(
      `No run found in ${given}.`,
      given === LAST_RUN
        ? 'Run `assay run` first, or pass the folder of a run with --run.'
        : 'Pass the folder of a run, or its results.json, with --run.',
    );
  }
  return readResults(file);
}

function lastDay(until: string | undefined, today: string): string {
  const usual = isoDay(Date.now() + DAYS * DAY);
  if (until === undefined) return usual;
  const time = /^\d{4}-\d{2}-\d{2}$/.test(until) ? Date.parse(until) : Number.NaN;
  // Date.parse accepts days such as 02-30 and moves them into the next month.
  const isDate = !Number.isNaN(time) && isoDay(time) === until;
  if (isDate && until >= today) return until;
  throw new UsageError(
    isDate
      ? `--until ${until} is in the past: today is ${today} (UTC).`
      : `--until takes a date, not "${oneLine(until, 40)}".`,
    `For example --until ${usual}.`,
  );
}

/** The user name from Git or the operating system; empty when neither has one. */
function nameOfUser(): string {
  const { stdout } = spawnSync('git', ['config', 'user.name'], { encoding: 'utf8', timeout: 2000 });
  // Without Git, there is no output.
  const name = (stdout ?? '').trim();
  try {
    return name === '' ? userInfo().username : name;
  } catch {
    return '';
  }
}

type Waiving = Pick<Waiver, 'owner' | 'reason' | 'expires'> & {
  readonly ticket: string | undefined;
};

const NAMED = 40;

/** A requirement as judged, without its waiver, so that a waiver can be renewed. */
function judgedIn({ requirements }: Results, id: string): RequirementResult | undefined {
  const requirement = requirements.find((one) => one.id === id);
  return requirement && { ...requirement, ...requirement.waived };
}

/**
 * Waivers for requirements that failed in a run or could not be judged, with the fingerprints of that run.
 * @throws UsageError for other ids, with the failed ids or what to do instead
 */
function waiversFor(
  ids: readonly string[],
  results: Results,
  { owner, reason, ticket, expires }: Waiving,
): readonly Waiver[] {
  if (results.schemaVersion === 1) {
    throw new UsageError(
      'The results were written by an earlier version of Assay and have no version 2 fingerprints.',
      'Run Assay again, and waive the failures of the new run.',
    );
  }
  return [...new Set(ids)].map((id) => {
    const judged = judgedIn(results, id);
    const evidence = judged?.fingerprint ?? null;
    if (judged === undefined || !isWaivable(judged) || evidence === null) {
      throw refusal(id, judged, results);
    }
    const { outcome } = judged;
    // What a run that ended early did not judge says nothing.
    if (isGap(outcome) && (results.verdict === 'interrupted' || results.stoppedEarly === true)) {
      throw new UsageError(
        `${oneLine(id, 120)} could not be judged because the run was cut short: ${oneLine(results.sentence, 200)}`,
        'Run again when the target responds; waivers need a complete run.',
      );
    }
    return {
      id,
      ...(isGap(outcome) ? { outcome: outcome as NonNullable<Waiver['outcome']> } : {}),
      owner,
      reason,
      ...(ticket === undefined ? {} : { ticket }),
      expires,
      evidence,
    };
  });
}

/** Renews the fingerprints of version 1 of waivers; `left` are the ids of those that the run does not confirm. */
function upgradeOf(
  waivers: readonly Waiver[],
  results: Results,
): { readonly upgraded: readonly Waiver[]; readonly left: readonly string[] } {
  const exchanges = new Map(results.exchanges.map((one) => [one.id, one]));
  const upgraded: Waiver[] = [];
  const left: string[] = [];
  for (const waiver of waivers.filter(({ evidence }) => isFirst(evidence))) {
    const judged = judgedIn(results, waiver.id);
    const holds =
      judged !== undefined &&
      (isGap(judged.outcome)
        ? judged.outcome === waiver.outcome
        : hasFirst(waiver.evidence, judged, exchanges));
    const evidence = holds ? judged.fingerprint : null;
    if (evidence === null || evidence === undefined) left.push(waiver.id);
    else upgraded.push({ ...waiver, evidence });
  }
  return { upgraded, left };
}

function refusal(id: string, judged: RequirementResult | undefined, results: Results): UsageError {
  const name = oneLine(id, 120);
  const red = results.requirements
    .filter(({ outcome }) => ['failed', 'warned', 'inconclusive'].includes(outcome))
    .map((one) => one.id);
  if (judged === undefined) {
    const all = results.requirements.map((one) => one.id);
    const hint = suggestion(id, red) || suggestion(id, all);
    return new UsageError(
      `The run does not contain the requirement ${name}.`,
      `${hint}${listed(red)}`,
    );
  }
  const setting = settingOf(judged);
  const { outcome } = judged;
  if (outcome === 'untested') {
    const why = judged.reason === null ? '' : `: ${oneLine(judged.reason)}`;
    const hint = setting === null ? '' : `Set ${setting}. `;
    return new UsageError(
      `${name} was not tested${why}. An untested requirement can be waived only if the cause is missing data.`,
      `${hint}${listed(red)}`,
    );
  }
  const what =
    outcome === 'error'
      ? 'failed because of a bug in Assay, which cannot be waived'
      : `has the outcome ${outcome}, so there is nothing to waive`;
  return new UsageError(`${name} ${what}.`, listed(red));
}

function listed(red: readonly string[]): string {
  if (red.length === 0) return 'Nothing failed in that run.';
  return `Failed in that run (${plural(red.length, 'requirement')}): ${some(red, NAMED)}.`;
}
