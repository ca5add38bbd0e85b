import type { VNode } from 'preact';
import { formatDuration, runLength } from '../labels.ts';
import type { Results } from '../results.ts';
import { clock, Fact, Listed, text } from './parts.tsx';
import { proofSentence } from './proof.tsx';

/** Roles of keys in words. */
const ROLE_WORDS: Readonly<Record<string, string>> = {
  nearQuota: 'near quota',
  none: 'without a key',
};

/** What was judged, with which keys, when, and at what cost. */
export function FactsList({ results }: { readonly results: Results }): VNode {
  const { target, requests, spec } = results;
  const roles = Object.entries(requests.byRole).filter(([, count]) => count > 0);
  const keys = Object.entries(target.keys).filter(([, prints]) => prints.length > 0);
  const refused = results.exchanges.filter(({ response }) => response?.status === 429).length;
  const byRole = roles.map(([role, count]) => `${count} ${ROLE_WORDS[role] ?? role}`).join(', ');
  const length = runLength(results);
  return (
    <dl class="facts">
      <Fact name="Target">
        <code>{text(target.baseUrl)}</code>
        {target.reference && ' (embedded reference server)'}
      </Fact>
      <Fact name="Specification">
        SHA-256 <code title={spec.sha256}>{`${spec.sha256.slice(0, 12)}…`}</code>
      </Fact>
      <Fact name="Run">
        {`${clock(results.startedAt)}, ${formatDuration(length)}, profile ${results.profile}, seed ${results.seed}, Assay ${results.tool.version}`}
      </Fact>
      <Fact name="Requests">
        {`${requests.total}${byRole === '' ? '' : ` (${byRole})`}, ${formatDuration(requests.waitedMs)} waiting for the rate limit${requests.waitedMs > length ? ' (passed over by moving the clock of the target)' : ''}, ${refused} refused by it`}
      </Fact>
      {keys.length > 0 && (
        <Fact name="Keys">
          <Listed
            items={keys.map(([role, prints]) => (
              <>
                {`${ROLE_WORDS[role] ?? role} `}
                <code>{prints.slice(0, 4).join(' ')}</code>
                {prints.length > 4 && ` and ${prints.length - 4} more`}
              </>
            ))}
          />
        </Fact>
      )}
      <Fact name="Trust">
        {`${proofSentence(results)} `}
        <a href="#proof">Why a pass can be believed</a>
      </Fact>
    </dl>
  );
}
