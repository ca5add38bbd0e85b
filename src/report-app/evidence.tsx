import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import type { Exchange } from '../contract/exchange.ts';
import type { PageData } from '../report/page-data.ts';
import { curlLine } from '../text/curl.ts';
import { visible } from '../text/text.ts';
import { formatDuration } from '../report/labels.ts';
import { copyText, saveText } from './actions.ts';
import { Body, linesOf } from './body.tsx';
import { diffLines, findControl, nearChanges } from './compare.ts';
import { Badge, FoundText, RequirementLink } from './parts.tsx';

const NONE: readonly string[] = [];

function Headers({
  title,
  headers,
}: {
  title: string;
  headers: Readonly<Record<string, string>>;
}): ComponentChild {
  const entries = Object.entries(headers);
  return (
    <details>
      <summary>{`${title} headers (${entries.length})`}</summary>
      <pre class="headers">
        {entries.map(([name, value]) => `${visible(name)}: ${visible(value)}\n`)}
      </pre>
    </details>
  );
}

/** Request, response and what can be done with them. */
function Panel({
  exchange,
  pointers,
}: {
  exchange: Exchange;
  pointers: readonly string[];
}): ComponentChild {
  const { request, response, error, id } = exchange;
  const curl = useMemo(() => curlLine(exchange), [exchange]);
  return (
    <div class="panel">
      <pre class="request">{`${visible(request.method)} ${visible(request.url)}`}</pre>
      <Headers title="Request" headers={request.headers} />
      <div class="bar-tools">
        <button type="button" onClick={() => void copyText(curl)}>
          Copy as curl
        </button>
        {response !== null && (
          <>
            <button type="button" onClick={() => void copyText(response.text)}>
              Copy body
            </button>
            <button
              type="button"
              onClick={() => saveText(`${id.replace(/\W/g, '')}-body.txt`, response.text)}
            >
              Save body
            </button>
          </>
        )}
      </div>
      {response === null ? (
        <p class="failed">
          No answer:{' '}
          {error === null ? 'no reason recorded' : `${error.kind}, ${visible(error.message)}`}
        </p>
      ) : (
        <>
          <p>
            <strong>{`Status ${response.status}`}</strong>
            {`, ${response.bytes} bytes${response.truncated === true ? ' (cut when recorded)' : ''}, ${formatDuration(exchange.receivedAt - exchange.sentAt)}`}
          </p>
          <Headers title="Response" headers={response.headers} />
          <Body label={`Body of ${id}`} text={response.text} pointers={pointers} />
        </>
      )}
    </div>
  );
}

function Earlier({ data, exchange }: { data: PageData; exchange: Exchange }): ComponentChild {
  const answer = data.answers.find((one) => one.exchange === exchange.id);
  if (answer === undefined) return null;
  const now = exchange.response;
  const lines = diffLines(linesOf(answer.text), linesOf(now?.text ?? ''));
  const marks = { same: ' ', gone: '-', new: '+' } as const;
  return (
    <>
      <h3>Compared with the earlier run</h3>
      <p class="note">{`Status was ${answer.status || 'none'}, is ${now?.status ?? 'none'}. Lines with - were answered then (${answer.earlier}), lines with + now.`}</p>
      <pre class="json" tabIndex={0} role="region" aria-label="Comparison with the earlier run">
        {nearChanges(lines).map((one) =>
          typeof one === 'number' ? (
            <span class="gap">{`… ${one} lines are the same …\n`}</span>
          ) : (
            <span class={`d-${one.kind}`}>{`${marks[one.kind]} ${one.text}\n`}</span>
          ),
        )}
      </pre>
    </>
  );
}

function useExchange(
  load: (id: string) => Promise<Exchange | undefined>,
  id: string | null,
): Exchange | null | undefined {
  const [held, setHeld] = useState<{ id: string; exchange: Exchange | undefined } | null>(null);
  useEffect(() => {
    let wanted = true;
    if (id !== null) void load(id).then((exchange) => wanted && setHeld({ id, exchange }));
    return () => {
      wanted = false;
    };
  }, [id, load]);
  return held === null || held.id !== id ? null : held.exchange;
}

export interface EvidenceProps {
  readonly data: PageData;
  readonly id: string;
  readonly load: (id: string) => Promise<Exchange | undefined>;
}

/** One exchange: what was found in it, what was sent and received, and the control beside a refused one. */
export function Evidence({ data, id, load }: EvidenceProps): ComponentChild {
  const exchange = useExchange(load, id);
  const control = useMemo(() => findControl(data, id), [data, id]);
  const other = useExchange(load, control?.id ?? null);
  const found = useMemo(
    () =>
      data.requirements.flatMap((requirement) =>
        requirement.findings
          .filter((finding) => finding.exchange === id)
          .map((finding) => ({ requirement, finding })),
      ),
    [data, id],
  );
  const pointers = useMemo(
    () => [...new Set(found.flatMap(({ finding }) => finding.pointer ?? []))],
    [found],
  );
  const judged = useMemo(
    () => data.requirements.filter(({ exchanges }) => exchanges.includes(id)),
    [data, id],
  );
  const row = data.exchanges.find(([name]) => name === id);
  if (row === undefined || exchange === undefined) {
    return <p>{`This page holds no exchange ${id}.`}</p>;
  }
  const [, method, target] = row;
  return (
    <>
      <h2 tabIndex={-1}>
        {id} <code>{visible(`${method} ${target}`)}</code>
      </h2>
      {exchange === null ? (
        <p role="status">Reading the evidence…</p>
      ) : (
        <>
          <p class="meta" data-evidence={id}>
            {`${new Date(exchange.sentAt).toISOString()}, ${exchange.role === 'none' ? 'without a key' : `key of role ${exchange.role}`}${exchange.key === null ? '' : ` (${exchange.key})`}${exchange.attempt > 1 ? `, attempt ${exchange.attempt}` : ''}`}
          </p>
          {found.length > 0 && (
            <ul class="found">
              {found.slice(0, 20).map(({ requirement, finding }) => (
                <li>
                  <Badge outcome={requirement.outcome} /> <RequirementLink id={requirement.id} />{' '}
                  <FoundText finding={finding} />
                </li>
              ))}
            </ul>
          )}
          <div class={control === null ? 'sides one' : 'sides'}>
            <section aria-label="This exchange">
              <h3>{control === null ? 'Sent and received' : 'This exchange'}</h3>
              <Panel exchange={exchange} pointers={pointers} />
            </section>
            {control !== null && (
              <section aria-label="Control">
                <h3>
                  Control <a href={`#x-${control.id}`}>{control.id}</a>
                </h3>
                <p class="note">
                  {control.differs.length === 0
                    ? 'The same request succeeded at another time.'
                    : `It differs in ${control.differs.join(' and ')}, and succeeds.`}
                </p>
                {other !== null && other !== undefined && (
                  <Panel exchange={other} pointers={NONE} />
                )}
              </section>
            )}
          </div>
          <Earlier data={data} exchange={exchange} />
          <h3>{`Judged for ${judged.length} ${judged.length === 1 ? 'requirement' : 'requirements'}`}</h3>
          <p class="ids">
            {judged.slice(0, 80).map((one, index) => (
              <>
                {index > 0 && ', '}
                <RequirementLink id={one.id} />
              </>
            ))}
            {judged.length > 80 && ` and ${judged.length - 80} more`}
          </p>
        </>
      )}
    </>
  );
}
