import { formatDuration, runLength } from '../labels.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { Results } from '../results.ts';
import { clock, separated, text } from './parts.ts';
import { proofSentence } from './proof.ts';

/** What was judged, with which keys, when, and at what cost. */
export function factsList(results: Results): Markup {
  const { target, requests } = results;
  const roles = Object.entries(requests.byRole).filter(([, count]) => count > 0);
  const keys = Object.entries(target.keys).filter(([, prints]) => prints.length > 0);
  const refused = results.exchanges.filter(({ response }) => response?.status === 429).length;
  return html`<dl class="facts">
    <dt>Target</dt>
    <dd>
      <code>${text(target.baseUrl)}</code>${target.reference && ' (embedded reference server)'}
    </dd>
    <dt>Specification</dt>
    <dd>
      SHA-256 <code title="${results.spec.sha256}">${results.spec.sha256.slice(0, 12)}…</code>
    </dd>
    <dt>Run</dt>
    <dd>
      ${clock(results.startedAt)}, ${formatDuration(runLength(results))}, profile
      ${results.profile}, seed ${results.seed}, Assay ${results.tool.version}
    </dd>
    <dt>Requests</dt>
    <dd>
      ${requests.total}${roles.length > 0 && ` (${roles.map(([role, count]) => `${count} ${ROLE_WORDS[role] ?? role}`).join(', ')})`},
      ${formatDuration(requests.waitedMs)} waiting for the rate
      limit${requests.waitedMs > runLength(results) && ' (passed over by moving the clock of the target)'},
      ${refused} refused by it
    </dd>
    ${
      keys.length > 0 &&
      html`<dt>Keys</dt>
        <dd>
          ${separated(
            keys.map(
              ([role, prints]) =>
                html`${ROLE_WORDS[role] ?? role}
                  <code>${prints.slice(0, 4).join(' ')}</code
                  >${prints.length > 4 && ` and ${prints.length - 4} more`}`,
            ),
          )}
        </dd>`
    }
    <dt>Trust</dt>
    <dd>${proofSentence(results)} <a href="#proof">Why a pass can be believed</a></dd>
  </dl>`;
}

/** Roles of keys in words. */
const ROLE_WORDS: Readonly<Record<string, string>> = {
  valid: 'valid',
  disabled: 'disabled',
  expired: 'expired',
  restricted: 'restricted',
  nearQuota: 'near quota',
  unknown: 'unknown',
  none: 'without a key',
};
