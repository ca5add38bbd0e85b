import type { ComponentChildren, VNode } from 'preact';
import { ENDPOINT_PATHS } from '../../../spec/endpoints.ts';
import { inferredRole, KEY_ROLES } from '../../../spec/exchange.ts';
import { MONTHLY_QUOTA } from '../../../spec/limits.ts';
import { accessOf } from '../../../requirements/access.ts';
import { groupBy } from '../../../text/group-by.ts';
import { plural } from '../../../text/text.ts';
import { headWith, rankOf } from '../../analysis/causes.ts';
import { exchangeLine } from '../../analysis/evidence-text.ts';
import { changedSince, changeWords } from '../../analysis/history.ts';
import { baselineWords, goOn } from '../../analysis/rerun.ts';
import { refusalWords, roleMatrix } from '../../analysis/role-matrix.ts';
import { isBreach } from '../../analysis/seen.ts';
import { changesByKind } from '../../model/diff.ts';
import { CHANGE_WORDS } from '../../model/diff-words.ts';
import type { Head, HeadLine } from '../../model/head.ts';
import { formatDuration, runLength } from '../../model/labels.ts';
import { kindOf, tallyOf } from '../../model/status.ts';
import { groupUnjudged, mustWords, openClauses } from '../../model/unjudged.ts';
import { LoadScenarios } from '../load/load.tsx';
import { CoverageMap } from './coverage.tsx';
import { CauseLine } from './findings.tsx';
import { anchor, Bar, clock, code, Command, ExchangeLink, type FactRow } from './parts.tsx';
import { Facts, Fold, grouped, List, listed, message, type OfCauses } from './parts.tsx';
import { type OfResults, RequirementLink, requirementLinks, roleWords, text } from './parts.tsx';

/** Ids shown per line before the others are unfolded. */
const SHOWN = 24;

function Box(props: { name: string; title: string; children: ComponentChildren }): VNode {
  const { name, title, children } = props;
  return (
    <section class={`box box-${name}`} aria-labelledby={`${name}-title`}>
      <h3 id={`${name}-title`}>{title}</h3>
      {children}
    </section>
  );
}

const BoxLink = ({ to, words }: { to: string; words: string }): VNode => (
  <p>
    <a href={`#${to}`}>{words}</a>
  </p>
);

function Verified({ results: { requirements } }: OfResults): VNode | null {
  const { musts, verified, open, waived, unjudged } = tallyOf(requirements);
  if (musts === 0) return null;
  const others = [
    ['failed', open, 'violated'],
    ['waived', waived, 'violated and waived'],
    ['open', unjudged, 'not verified'],
  ] as const;
  const counts = others.flatMap(([, count, what]) => (count > 0 ? [`${count} ${what}`] : []));
  const words = [`${verified} of ${musts} musts verified`, ...counts].join(', ');
  return (
    <a class="verified" href="#coverage" title={words}>
      <Bar label={`${words}: coverage map`} parts={[['passed', verified], ...others]} />
    </a>
  );
}

function VerdictBanner({ results, head }: OfResults & { head: Head }): VNode {
  const { title, tone, sentence, lines, kind } = head;
  const { envelope } = results.target;
  const shown = ({ about, text: words, ids }: HeadLine): VNode => {
    const said = text(ids.length > 0 ? `${words}:` : words);
    const isListed = about === 'waived' && results.waivers !== undefined;
    const link = (
      <a class="chip waived" href="#waivers">
        {said}
      </a>
    );
    return (
      <div class="failing">
        {isListed ? link : said} {requirementLinks(ids.slice(0, SHOWN), SHOWN)}
        {ids.length > SHOWN && (
          <Fold title={`and ${ids.length - SHOWN} more`}>
            {requirementLinks(ids.slice(SHOWN), ids.length)}
          </Fold>
        )}
      </div>
    );
  };
  return (
    <div class={`verdict ${tone}`}>
      <h2 class="word">{text(title)}</h2>
      <p class="sentence">{message(sentence)}</p>
      {kind === 'suite' && <Verified results={results} />}
      {lines.map(shown)}
      {envelope !== null && (
        <p>
          <a class="chip warned" href="#run">{`judged inside "${envelope}"`}</a>
        </p>
      )}
    </div>
  );
}

/** Target, time and cost of the run in one line. */
export function Byline({ results }: OfResults): VNode {
  const { target, requests, startedAt, profile } = results;
  const sent = plural(requests.total, 'request');
  const parts = [
    <code>{text(target.baseUrl, 120)}</code>,
    ...(target.reference ? ['embedded reference server'] : []),
    `profile ${profile}`,
    `${clock(startedAt)}, ${formatDuration(runLength(results))}`,
    // A load run does not count by role.
    Object.keys(requests.byRole).length === 0
      ? sent
      : `${sent}, ${requests.byRole.valid ?? 0} with valid keys`,
    <a href="#run">Run</a>,
  ];
  return (
    <p class="byline">
      {parts.map((part) => (
        <span>{part}</span>
      ))}
    </p>
  );
}

/** Changes since the baseline or the last run by kind, the first few of each by name; or how to compare. */
function ChangesBox({ results, causes }: OfCauses): VNode {
  const { changes: diff, history } = results;
  if (diff === undefined && history === undefined) {
    return (
      <Box name="since" title="Since the last run">
        <p class="note">
          No earlier run. To compare, use <code>{baselineWords(results)}</code>.
        </p>
      </Box>
    );
  }
  const before = diff?.before.startedAt ?? history?.runs.at(-1)?.startedAt ?? '';
  const rank = rankOf(causes);
  const groups = diff === undefined ? changedSince(results, rank) : changesByKind(diff);
  const fresh = groups.filter(([kind]) => kind !== 'still-violated');
  const lines = fresh.map(([kind, changes]) => {
    const { icon, tone } = CHANGE_WORDS[kind];
    const subjects = changes
      .toSorted((a, b) => rank(a.subject) - rank(b.subject))
      .map(({ subject }) => <RequirementLink id={subject} />);
    return [
      <strong>
        <a class={tone} href={`#changes-${kind}`}>
          {`${icon} ${changeWords(kind, changes, results)}`}
        </a>
      </strong>,
      ' ',
      listed(subjects, 3),
    ];
  });
  const none = diff === undefined ? 'No new or fixed violations.' : 'Nothing changed.';
  return (
    <Box name="since" title={`Since ${clock(before)}`}>
      {diff?.context.slice(0, 3).map((one) => (
        <p class="note">{`${one.of} changed: ${one.name}`}</p>
      ))}
      {lines.length === 0 && <p>{none}</p>}
      <List items={lines} />
      {diff !== undefined && <BoxLink to="changes" words="All changes" />}
      {history !== undefined && history.runs.length > 0 && (
        <BoxLink to="history" words={`History over ${plural(history.runs.length + 1, 'run')}`} />
      )}
    </Box>
  );
}

/** Causes on the first screen, besides wrongly accepted keys, which are always shown. */
const FIRST = 12;

function FindingsIndex({ causes, results, head }: OfCauses & { head: Head }): VNode {
  const shown = causes.filter(({ harm }, index) => index < FIRST || isBreach(harm));
  const open = causes.some(({ outcome }) => outcome !== 'waived');
  return (
    <>
      {!open && <p>{head.nothing}</p>}
      <ol class="index">
        {shown.map((cause) => (
          <li>
            <CauseLine cause={cause} results={results} href={`#${anchor('f', cause.id)}`} />
          </li>
        ))}
      </ol>
      {causes.length > shown.length && (
        <BoxLink to="findings" words={`All ${causes.length} causes`} />
      )}
    </>
  );
}

function GapsBox({ results }: OfResults): VNode | null {
  const { requirements } = results;
  const groups = groupUnjudged(requirements);
  const total = groups.reduce((sum, group) => sum + group.requirements.length, 0);
  const isLoad = kindOf(results) === 'load';
  if (isLoad && total === 0) return null;
  const { open, of } = openClauses(requirements);
  const lines = groups.slice(0, 6).map((group) => {
    const { requirements: own, outcome, setting, reasons } = group;
    const plain = setting === null || setting.startsWith('--');
    const shown = reasons.map((reason) => message(reason, 110));
    return [
      <strong>{own.length}</strong>,
      ` ${outcome}${mustWords(group)}: `,
      plain ? listed(shown, 3, (count) => `; ${count} more`) : ['needs ', <code>{setting}</code>],
    ];
  });
  return (
    <Box name="gaps" title={`Not verified: ${total} of ${requirements.length}`}>
      {total === 0 && <p>Every requirement was judged.</p>}
      <List items={lines} />
      {total > 0 && <BoxLink to="not-verified" words="Not verified: reasons and next steps" />}
      {open.length > 0 && !isLoad && (
        <BoxLink to="clauses" words={`${open.length} of ${plural(of, 'clause')} not covered`} />
      )}
    </Box>
  );
}

/** `0.14 %`, with a non-breaking space; `under 0.01 %` for anything smaller. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.01) return 'under 0.01\u00a0%';
  return `${value === 0 || value >= 10 ? Math.round(value) : Number(value.toPrecision(2))}\u00a0%`;
}

/** Requests by key role, and the share of the monthly quota (§8) of the most used key of each. */
export function Budget({ results }: OfResults): VNode {
  const { target, requests, exchanges, settings, replayed } = results;
  const quota = settings?.limits.monthlyQuota || MONTHLY_QUOTA;
  const rows = KEY_ROLES.flatMap((role): FactRow[] => {
    const count = requests.byRole[role] ?? 0;
    if (count === 0) return [];
    const keys = groupBy(
      exchanges.filter((one) => one.key !== null && inferredRole(one, target.keys) === role),
      ({ key }) => key,
    );
    const busiest = Math.max(...[...keys.values()].map(({ length }) => length), 0) || count;
    const several = keys.size > 1 ? ` with ${keys.size} keys, at most ${busiest} per key` : '';
    // A key that is refused everywhere has no quota.
    const share = ENDPOINT_PATHS.some((path) => accessOf(role, path, []).allowed)
      ? `${percent(busiest / quota)} of the monthly quota`
      : 'not counted against a quota';
    return [[roleWords(role), [<strong>{grouped(count)}</strong>, `${several}: ${share}`]]];
  });
  return (
    <>
      {replayed !== undefined && (
        <p class="note">Nothing was sent: this is a replay of a recording.</p>
      )}
      {rows.length === 0 ? <p>No request was sent.</p> : <Facts rows={rows} />}
      <p class="note">
        {`Quota per key: ${grouped(quota)} requests a month (${quota === MONTHLY_QUOTA ? '§8' : 'target file'}).`}
      </p>
    </>
  );
}

/** How to continue a run without a verdict, and what it was answered if it did not reach the service. */
function NextSteps({ results }: OfResults): VNode {
  const { exchanges, verdict } = results;
  const isAnswered = exchanges.some(({ response }) => response !== null);
  const told = verdict === 'interrupted' ? [] : exchanges;
  const answers = told.map((one) => [
    <ExchangeLink id={one.id} />,
    ' ',
    code(exchangeLine(one), 200),
    <small>{text(one.response?.text ?? '', 160)}</small>,
  ]);
  return (
    <Box name="go-on" title="Next steps">
      {goOn(results).map(({ words, command }) => [
        <p>{words}</p>,
        <Command label="next command" value={command} />,
      ])}
      {answers.length > 0 && <p>{isAnswered ? 'Responses:' : 'Requests:'}</p>}
      <List items={answers} limit={3} where="in Exchanges" />
    </Box>
  );
}

/** The first screen, by kind of run. */
export function FirstScreen({ results, causes }: OfCauses): VNode {
  const head = headWith(causes, results);
  const above = [<VerdictBanner results={results} head={head} />, <Byline results={results} />];
  if (head.kind === 'load')
    return (
      <>
        {above}
        <LoadScenarios results={results} causes={causes} />
        <GapsBox results={results} />
      </>
    );
  if (head.kind !== 'suite') return <>{[...above, <NextSteps results={results} />]}</>;
  return (
    <>
      {above}
      <div class="first">
        <div>
          <Box name="found" title="Findings">
            <FindingsIndex results={results} causes={causes} head={head} />
          </Box>
          <Box name="keys" title="Keys">
            <p>
              {`${refusalWords(roleMatrix(results))}. `}
              <a href="#access">Access by key role</a>
            </p>
          </Box>
        </div>
        <div>
          <ChangesBox results={results} causes={causes} />
          <GapsBox results={results} />
          <Box name="budget" title="Budget">
            <Budget results={results} />
          </Box>
        </div>
      </div>
      <CoverageMap results={results} />
    </>
  );
}
