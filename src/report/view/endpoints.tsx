import type { VNode } from 'preact';
import { endpointFacts } from '../endpoint-facts.ts';
import { formatDuration } from '../labels.ts';
import type { OfResults } from './page.ts';
import { anchor, Bar, Table, text } from './parts.tsx';

function classOf(status: string): string {
  if (status.startsWith('2')) return 'passed';
  if (status === '429') return 'warned';
  return status.startsWith('4') ? 'observed' : 'failed';
}

const COLUMNS = ['endpoint', 'requests', 'statuses', 'median time', 'slowest', 'findings'];

/** Endpoints with what they answered and how quickly. */
export function Endpoints({ results }: OfResults): VNode {
  const facts = endpointFacts(results);
  return (
    <>
      <h2>Endpoints</h2>
      {facts.length === 0 ? (
        <p>No request was sent.</p>
      ) : (
        <Table
          name="endpoints"
          columns={COLUMNS}
          items={facts}
          id={({ path }) => anchor('e', path)}
          row={({ path, count, statuses, median, slowest, findings }) => {
            const words = statuses.map(([status, times]) => `${times} × ${status}`).join(', ');
            const parts = statuses.map(([status, times]) => [classOf(status), times] as const);
            return [
              <code>{text(path, 200)}</code>,
              count,
              [words, <Bar label={words} parts={parts} />],
              formatDuration(median),
              formatDuration(slowest),
              <td class={findings === 0 ? 'zero' : 'failed'}>{findings}</td>,
            ];
          }}
        />
      )}
      <p class="note">
        Times are those of a conformance run, one request after the other: no load test. Refusals
        (401, 403, 404, 400) are part of the run and expected.
      </p>
    </>
  );
}
