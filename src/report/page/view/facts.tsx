import type { VNode } from 'preact';
import { plural } from '../../../text/text.ts';
import { formatDuration, runLength } from '../../model/labels.ts';
import { contextParts } from './context.tsx';
import type { OfResults } from './page.ts';
import { clock, text } from './parts.tsx';

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
