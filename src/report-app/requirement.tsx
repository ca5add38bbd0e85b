import type { ComponentChild } from 'preact';
import type { PageData, PageRequirement } from '../report/page-data.ts';
import { withoutMarks } from '../report/plain.ts';
import { visible } from '../text/text.ts';
import type { Outcome } from '../report/results.ts';
import { Badge, Command, ExchangeLink, FoundText, Statement } from './parts.tsx';

const LINKS = 40;

function Exchanges({ ids }: { ids: readonly string[] }): ComponentChild {
  return (
    <>
      {ids.slice(0, LINKS).map((id, index) => (
        <>
          {index > 0 && ', '}
          <ExchangeLink id={id} />
        </>
      ))}
      {ids.length > LINKS && ` and ${ids.length - LINKS} more`}
    </>
  );
}

/** How it came out in earlier runs: signs for those who see them, the same in words. */
function History({
  data,
  requirement,
}: {
  data: PageData;
  requirement: PageRequirement;
}): ComponentChild {
  const { history, outcome } = requirement;
  if (history === null || data.historyRuns.length === 0) return null;
  return (
    <>
      <h3>{`Over ${data.historyRuns.length + 1} runs`}</h3>
      {history.words !== null && <p>{history.words}</p>}
      <ol class="log">
        {data.historyRuns.map((run, index) => (
          <li>
            <time>{run.startedAt.slice(0, 16).replace('T', ' ')}</time>
            <Past outcome={history.past[index] ?? null} />
          </li>
        ))}
        <li>
          <time>{data.startedAt.slice(0, 16).replace('T', ' ')}</time>
          <Badge outcome={outcome} /> in this run
        </li>
      </ol>
    </>
  );
}

function Past({ outcome }: { outcome: Outcome | null }): ComponentChild {
  return outcome === null ? <span class="note">not in the run</span> : <Badge outcome={outcome} />;
}

/** One requirement: where it comes from, how it came out, on what evidence, and what showed that its check can fail. */
export function Requirement({
  data,
  requirement,
}: {
  data: PageData;
  requirement: PageRequirement;
}): ComponentChild {
  const { id, findings, checks, exchanges, rulings, proof } = requirement;
  return (
    <>
      <h2 tabIndex={-1}>{id}</h2>
      <p class="claim">
        <Statement text={requirement.title} />
      </p>
      <p class="meta">
        <Badge outcome={requirement.outcome} />
        {requirement.isNew && <strong class="chip new">new</strong>}
        <span class="note">{`§${requirement.section}, ${requirement.level}, ${requirement.basis}`}</span>
      </p>
      {requirement.reason !== null && findings.length === 0 && (
        <p>{visible(withoutMarks(requirement.reason))}</p>
      )}
      {requirement.outcome === 'waived' && requirement.reason !== null && findings.length > 0 && (
        <p>{visible(requirement.reason)}</p>
      )}
      {requirement.reading !== null && requirement.reading !== requirement.reason && (
        <p>{`Reading: ${visible(requirement.reading)}`}</p>
      )}
      {findings.length > 0 && (
        <>
          <h3>{findings.length === 1 ? 'Finding' : `${findings.length} findings`}</h3>
          <ul class="found">
            {findings.slice(0, 60).map((finding) => (
              <li>
                <FoundText finding={finding} />
                {finding.exchange !== null && (
                  <>
                    {' '}
                    in <ExchangeLink id={finding.exchange} />
                  </>
                )}
              </li>
            ))}
          </ul>
          {findings.length > 60 && (
            <p class="note">{`${findings.length - 60} more are in results.json.`}</p>
          )}
        </>
      )}
      <History data={data} requirement={requirement} />
      <h3>Judge it again</h3>
      <Command text={requirement.rerun} label="the command that judges it again" />
      {requirement.rerunCase !== null && (
        <>
          <p class="note">One case alone, as it was drawn and made smaller:</p>
          <Command text={requirement.rerunCase} label="the command that judges one case alone" />
        </>
      )}
      {data.rerunNote !== null && <p class="note">{data.rerunNote}</p>}
      <h3>Evidence</h3>
      {exchanges.length === 0 ? (
        <p>None was collected.</p>
      ) : (
        <p class="ids">
          <Exchanges ids={exchanges} />
        </p>
      )}
      <h3>{`Checks (${checks.length})`}</h3>
      {checks.length === 0 ? (
        <p>No check covers it.</p>
      ) : (
        <ul class="found">
          {checks.slice(0, 120).map((check) => (
            <li>
              <Badge outcome={check.outcome} /> {visible(check.title)}
              {check.reason !== null && (
                <span class="note">{`: ${visible(withoutMarks(check.reason))}`}</span>
              )}{' '}
              <Exchanges ids={check.exchanges.slice(0, 8)} />
            </li>
          ))}
          {checks.length > 120 && (
            <li>{`${checks.length - 120} more: search for r:${id} in all checks.`}</li>
          )}
        </ul>
      )}
      <h3>Proven able to fail by</h3>
      {proof.length > 0 ? (
        <>
          <p>
            {proof.slice(0, 30).map((fault, index) => (
              <>
                {index > 0 && ', '}
                <code>{visible(fault)}</code>
              </>
            ))}
            {proof.length > 30 && ` and ${proof.length - 30} more`}
          </p>
          <p class="note">
            {`${proof.length === 1 ? 'This deliberate defect' : 'Each of these deliberate defects'} of the reference server turned it red. `}
            <code>{`assay serve --fault ${visible(proof[0] ?? '')}`}</code> shows it.
          </p>
        </>
      ) : (
        <p class="note">
          {requirement.level === 'observe'
            ? 'It is observed and never fails, so there is nothing to prove.'
            : 'This file holds no proof that its check can fail.'}
        </p>
      )}
      <h3>Where it comes from</h3>
      <ul>
        {requirement.clauses.map((clause) => (
          <li>
            Clause <code>{clause}</code>
          </li>
        ))}
        {rulings.map(([number, text]) => (
          <li>{`Ruling ${number}: ${text}`}</li>
        ))}
      </ul>
      <p>
        <a href="#requirements">All requirements</a>
      </p>
    </>
  );
}
