import type { ComponentChild } from 'preact';
import type { PageData, PageRequirement } from '../report/page-data.ts';
import { visible } from '../text/text.ts';
import { Badge, Command, ExchangeLink, Statement } from './parts.tsx';

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
      {requirement.reason !== null && <p>{visible(requirement.reason)}</p>}
      {requirement.reading !== null && requirement.reading !== requirement.reason && (
        <p>{`Reading: ${visible(requirement.reading)}`}</p>
      )}
      {findings.length > 0 && (
        <>
          <h3>{findings.length === 1 ? 'Finding' : `${findings.length} findings`}</h3>
          <ul class="found">
            {findings.slice(0, 60).map((finding) => (
              <li>
                {visible(finding.message)} Expected <code>{visible(finding.expected)}</code>, actual{' '}
                <code>{visible(finding.actual)}</code>
                {finding.pointer !== null && finding.pointer !== '' && (
                  <>
                    {' '}
                    at <code>{visible(finding.pointer)}</code>
                  </>
                )}
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
      <h3>Judge it again</h3>
      <Command text={`${data.rerun} --only ${id}`} label="the command that judges it again" />
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
                <span class="note">{`: ${visible(check.reason)}`}</span>
              )}{' '}
              <Exchanges ids={check.exchanges.slice(0, 8)} />
            </li>
          ))}
          {checks.length > 120 && (
            <li>{`${checks.length - 120} more: search for r:${id} in all checks.`}</li>
          )}
        </ul>
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
        {proof.length > 0 ? (
          <li>{`Proven able to fail by: ${proof.slice(0, 30).join(', ')}.`}</li>
        ) : (
          <li class="note">This file holds no proof that its check can fail.</li>
        )}
      </ul>
      <p>
        <a href="#requirements">All requirements</a>
      </p>
    </>
  );
}
