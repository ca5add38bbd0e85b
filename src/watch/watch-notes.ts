import { plural } from '../text/text.ts';
import type { TrafficSettings } from '../run/check/traffic-results.ts';
import type { KeyLine } from './key-book.ts';

/** What the notes of a watch are made of. */
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
  /** Sentences about keys that seem to stand elsewhere than in the key header. */
  readonly elsewhere: readonly string[];
}

/** Keys that are named one by one. */
const NAMED = 10;

/** What a reader of the report has to know about how it came about. */
export function notesOf(noted: Noted): string[] {
  const { settings, judged, passed, since, taken, keys } = noted;
  const notes = [
    `Traffic of clients was watched since ${since}: ${judged} of ${passed} exchanges that passed were judged. Not one request was added. Verified means that every judged answer keeps the requirement.`,
  ];
  if (taken > 0)
    notes.push(
      `The watch was started again ${plural(taken, 'time')}; what it knew before is included.`,
    );
  for (const [reason, count] of [...noted.leftOut].toSorted((a, b) => b[1] - a[1])) {
    notes.push(`Not judged, ${count}: ${reason}.`);
  }
  notes.push(
    'Keys may be used past this place, and be withdrawn: refusals of keys, early refusals of the limiter and what needs every request of a key were not judged.',
  );
  notes.push(...noted.elsewhere);
  if (keys.length > 0) {
    notes.push(
      `The roles of keys are inferred from what they were answered, unless the target file says them. ${keys.slice(0, NAMED).map(keyText).join('; ')}${keys.length > NAMED ? `; and ${keys.length - NAMED} more` : ''}.`,
    );
  }
  if (noted.forgotten > 0) {
    notes.push(
      `${plural(noted.forgotten, 'key')} that came only long ago ${noted.forgotten === 1 ? 'is' : 'are'} no longer told apart.`,
    );
  }
  if (noted.trimmed) {
    notes.push(
      'Exchanges that show nothing more were left out of the reports to bound their size.',
    );
  }
  const { only, skip } = settings;
  if (only.length > 0) notes.push(`Only ${only.join(', ')} was judged; the rest is untested.`);
  if (skip.length > 0)
    notes.push(`${skip.join(', ')} ${skip.length === 1 ? 'was' : 'were'} left out.`);
  return notes;
}

function keyText({ key, role, isTold, requests, limited, clients, atOnce }: KeyLine): string {
  const how = isTold ? 'as the target file says' : 'inferred';
  return `${key}: ${role} (${how}), ${plural(requests, 'request')}, ${limited} refused by the limiter, from ${plural(clients, 'address', 'addresses')}, at most ${atOnce} at once`;
}
