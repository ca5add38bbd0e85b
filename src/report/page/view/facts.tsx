import type { VNode } from 'preact';
import { plural } from '../../../text/text.ts';
import { formatDuration, runLength, waitWords } from '../../model/labels.ts';
import { contextParts } from './context.tsx';
import type { OfResults } from './page.ts';
import { clock, listed, text } from './parts.tsx';
import type { FactRow } from './parts.tsx';

/** The role of a key in words. */
export function roleWords(role: string): string {
  return role === 'nearQuota' ? 'near quota' : role === 'none' ? 'without a key' : role;
}

/** Target, time and cost of the run in one line. */
export function Byline({ results }: OfResults): VNode {
  const { target, requests, startedAt, profile } = results;
  const valid = requests.byRole.valid ?? 0;
  const parts = [
    <code>{text(target.baseUrl, 120)}</code>,
    ...(target.reference ? ['embedded reference server'] : []),
    `profile ${profile}`,
    `${clock(startedAt)}, ${formatDuration(runLength(results))}`,
    `${plural(requests.total, 'request')}, ${valid} with valid keys`,
    ...contextParts(results),
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

/** Requests and keys of the run. */
export function costRows(results: OfResults['results']): readonly FactRow[] {
  const { target, requests, exchanges } = results;
  const roles = Object.entries(requests.byRole).filter(([, count]) => count > 0);
  const keys = Object.entries(target.keys).filter(([, prints]) => prints.length > 0);
  const refused = exchanges.filter(({ response }) => response?.status === 429).length;
  const byRole = roles.map(([role, count]) => `${count} ${roleWords(role)}`).join(', ');
  const cost = [
    `${requests.total}${byRole === '' ? '' : ` (${byRole})`}`,
    waitWords(results),
    `${refused} refused with 429`,
  ];
  const prints = keys.map(([role, own]) => [
    `${roleWords(role)} `,
    <code>{own.slice(0, 4).join(' ')}</code>,
    own.length > 4 && ` and ${own.length - 4} more`,
  ]);
  return [
    ['Requests', cost.join(', ')],
    ['Keys', keys.length > 0 && listed(prints)],
  ];
}
