import type { VNode } from 'preact';
import { formatDuration, runLength } from '../labels.ts';
import { proofSentence } from '../proof.ts';
import type { OfResults } from './page.ts';
import { clock, Facts, listed, text } from './parts.tsx';

/** The role of a key in words. */
function words(role: string): string {
  return role === 'nearQuota' ? 'near quota' : role === 'none' ? 'without a key' : role;
}

/** What was judged, with which keys, when, and at what cost. */
export function FactsList({ results }: OfResults): VNode {
  const { target, requests, spec, startedAt, profile, seed, tool } = results;
  const roles = Object.entries(requests.byRole).filter(([, count]) => count > 0);
  const keys = Object.entries(target.keys).filter(([, prints]) => prints.length > 0);
  const refused = results.exchanges.filter(({ response }) => response?.status === 429).length;
  const length = runLength(results);
  const run = [clock(startedAt), formatDuration(length), `profile ${profile}`, `seed ${seed}`];
  const byRole = roles.map(([role, count]) => `${count} ${words(role)}`).join(', ');
  const skipped = requests.waitedMs > length;
  const cost = [
    `${requests.total}${byRole === '' ? '' : ` (${byRole})`}`,
    `${formatDuration(requests.waitedMs)} waiting for the rate limit${skipped ? ' (passed over by moving the clock of the target)' : ''}`,
    `${refused} refused by it`,
  ];
  const prints = keys.map(([role, own]) => [
    `${words(role)} `,
    <code>{own.slice(0, 4).join(' ')}</code>,
    own.length > 4 && ` and ${own.length - 4} more`,
  ]);
  const hash = <code title={spec.sha256}>{`${spec.sha256.slice(0, 12)}…`}</code>;
  const proof = <a href="#proof">Why a pass can be believed</a>;
  const embedded = target.reference && ' (embedded reference server)';
  return (
    <Facts
      rows={[
        ['Target', [<code>{text(target.baseUrl)}</code>, embedded]],
        ['Specification', ['SHA-256 ', hash]],
        ['Run', [...run, `Assay ${tool.version}`].join(', ')],
        ['Requests', cost.join(', ')],
        ['Keys', keys.length > 0 && listed(prints)],
        ['Trust', [`${proofSentence(results)} `, proof]],
      ]}
    />
  );
}
