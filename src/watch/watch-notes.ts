import { plural } from '../text/text.ts';
import type { TrafficSettings } from '../run/check/traffic-results.ts';
import type { KeyLine } from './key-book.ts';

/** Data of the notes of a watch. */
export interface Noted {
  readonly settings: TrafficSettings;
  readonly trimmed: boolean;
  readonly judged: number;
  readonly passed: number;
  readonly leftOut: ReadonlyMap<string, number>;
  /** ISO 8601 */
  readonly since: string;
  readonly taken: number;
  readonly keys: readonly KeyLine[];
  readonly forgotten: number;
  /** Messages about keys that seem to be in other headers than the key header. */
  readonly elsewhere: readonly string[];
}

/** Maximum number of keys that are listed. */
const NAMED = 10;

/** Notes on how the report was made. */
export function notesOf(noted: Noted): string[] {
  const { settings, judged, passed, since, taken, keys } = noted;
  const notes = [
    `Client traffic has been watched since ${since}: ${judged} of ${passed} forwarded exchanges were judged. No requests were added. Verified means that every judged response satisfies the requirement.`,
  ];
  if (taken > 0)
    notes.push(`The watch was restarted ${plural(taken, 'time')}; earlier results are included.`);
  for (const [reason, count] of [...noted.leftOut].toSorted((a, b) => b[1] - a[1])) {
    notes.push(`${count} not judged: ${reason}.`);
  }
  notes.push(
    'Keys may be in use elsewhere, or may have been revoked. Therefore refused keys, early refusals by the limiter, and requirements that need every request made with a key were not judged.',
  );
  notes.push(...noted.elsewhere);
  if (keys.length > 0) {
    notes.push(
      `Key roles are from the target file, or inferred from the responses. ${keys.slice(0, NAMED).map(keyText).join('; ')}${keys.length > NAMED ? `; and ${keys.length - NAMED} more` : ''}.`,
    );
  }
  if (noted.forgotten > 0) {
    notes.push(
      `${plural(noted.forgotten, 'key')} without recent requests ${noted.forgotten === 1 ? 'was' : 'were'} dropped from the statistics.`,
    );
  }
  if (noted.trimmed) {
    notes.push('Redundant exchanges were omitted to limit the size of the reports.');
  }
  const { only, skip } = settings;
  if (only.length > 0) notes.push(`Judged only ${only.join(', ')}; the rest is untested.`);
  if (skip.length > 0)
    notes.push(`${skip.join(', ')} ${skip.length === 1 ? 'was' : 'were'} skipped.`);
  return notes;
}

function keyText({ key, role, isTold, requests, limited, clients, atOnce }: KeyLine): string {
  const how = isTold ? 'from the target file' : 'inferred';
  return `${key}: ${role} (${how}), ${plural(requests, 'request')}, ${limited} refused by the limiter, from ${plural(clients, 'address', 'addresses')}, at most ${atOnce} concurrent`;
}
