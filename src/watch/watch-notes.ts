import { plural } from '../text/text.ts';
import type { KeyBook, KeyLine } from './key-book.ts';
import type { WatchCounts } from './store.ts';

/** Maximum number of keys that are listed. */
const NAMED = 10;

/**
 * Notes on how the report was made.
 * @param elsewhere messages about keys that seem to be in other headers than the key header
 */
export function notesOf(
  { passed, since, taken, leftOut }: WatchCounts,
  judged: number,
  book: KeyBook,
  elsewhere: readonly string[],
): string[] {
  const { forgotten } = book;
  const keys = book.lines();
  const notes = [
    `Client traffic has been watched since ${since}: ${judged} of ${passed} forwarded exchanges were judged. No requests were added. Verified means that every judged response satisfies the requirement.`,
  ];
  if (taken > 0)
    notes.push(`The watch was restarted ${plural(taken, 'time')}; earlier results are included.`);
  for (const [reason, count] of Object.entries(leftOut).toSorted((a, b) => b[1] - a[1])) {
    notes.push(`${count} not judged: ${reason}.`);
  }
  notes.push(
    'Keys may be in use elsewhere, or may have been revoked. Therefore refused keys, early refusals by the limiter, and requirements that need every request made with a key were not judged.',
  );
  notes.push(...elsewhere);
  if (keys.length > 0) {
    notes.push(
      `Key roles are from the target file, or inferred from the responses. ${keys.slice(0, NAMED).map(keyText).join('; ')}${keys.length > NAMED ? `; and ${keys.length - NAMED} more` : ''}.`,
    );
  }
  if (forgotten > 0) {
    notes.push(
      `${plural(forgotten, 'key')} without recent requests ${forgotten === 1 ? 'was' : 'were'} dropped from the statistics.`,
    );
  }
  return notes;
}

function keyText({ key, role, isTold, requests, limited, clients }: KeyLine): string {
  const how = isTold ? 'from the target file' : 'inferred';
  return `${key}: ${role} (${how}), ${plural(requests, 'request')}, ${limited} refused by the limiter, from ${plural(clients, 'address', 'addresses')}`;
}
