import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { endpointFacts } from '../../analysis/endpoint-facts.ts';
import type { EndpointFacts } from '../../analysis/endpoint-facts.ts';
import { formatDuration } from '../../model/labels.ts';
import { Page } from './page.ts';
import { anchor, Bar, Table, text } from './parts.tsx';
import { RoleMatrixView } from './role-matrix.tsx';
import type { OfCauses } from './summary.tsx';

function classOf(status: string): string {
  if (status.startsWith('2')) return 'passed';
  if (status === '429') return 'warned';
  return status.startsWith('4') ? 'observed' : 'failed';
}

/** The time of the slowest response, with a link to it. */
function Slowest({ facts: { slowest, slowestExchange } }: { facts: EndpointFacts }): VNode {
  const { holds } = useContext(Page);
  const words = formatDuration(slowest);
  return slowestExchange !== null && holds(slowestExchange) ? (
    <a href={`#${anchor('x', slowestExchange)}`}>{words}</a>
  ) : (
    <span>{slowestExchange === null ? '' : words}</span>
  );
}

const COLUMNS = ['endpoint', 'requests', 'statuses', 'median', 'slowest', 'findings'];

/** Endpoints with their statuses and latency. */
export function Endpoints({ results, causes }: OfCauses): VNode {
  const facts = endpointFacts(results);
  return (
    <>
      <h2>Endpoints</h2>
      <p>
        <a href="#access">Access by key role</a>
      </p>
      {facts.length === 0 ? (
        <p>No request was sent.</p>
      ) : (
        <Table
          name="endpoints"
          labelled
          columns={COLUMNS}
          items={facts}
          id={({ path }) => anchor('e', path)}
          row={(one) => {
            const { path, count, statuses, findings } = one;
            const words = statuses.map(([status, times]) => `${times} × ${status}`).join(', ');
            const parts = statuses.map(([status, times]) => [classOf(status), times] as const);
            return [
              <code>{text(path, 200)}</code>,
              count,
              [words, <Bar label={words} parts={parts} />],
              count === 0 ? '' : formatDuration(one.median),
              <Slowest facts={one} />,
              <td class={findings === 0 ? 'zero' : 'failed'}>{findings}</td>,
            ];
          }}
        />
      )}
      <p class="note">
        The run is paced by the rate limit, so these times say nothing about load. Refusals (400,
        401, 403, 404) are expected: the run provokes them.
      </p>
      <RoleMatrixView results={results} causes={causes} />
    </>
  );
}
