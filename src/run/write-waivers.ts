import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { Document, isMap, isSeq, parseDocument, YAMLMap, type YAMLSeq } from 'yaml';
import { reasonOf } from '../http/record/journal-writer.ts';
import { replaceFile } from '../fs/replace-file.ts';
import { settingsText } from '../target/file/yaml-file.ts';
import { jsonValue, parsedJson } from '../text/json-value.ts';
import { WaiverError, waiversIn, type Waiver } from './waivers.ts';

const HEADING =
  ' Accepted failures, each with an owner and an expiry date. Written by `assay waive`, read by `assay run --waivers`.';

/** Members of an entry in the order to write. */
const MEMBERS = ['id', 'outcome', 'owner', 'reason', 'ticket', 'expires', 'evidence'] as const;

/**
 * Adds waivers to a file, which is created if it is missing. Existing entries and comments are kept; an entry for the
 * same requirement is replaced. The file is replaced atomically.
 * @returns the number of waivers in the file, and the ids of those renewed
 * @throws WaiverError when the existing file is invalid
 */
export async function writeWaivers(
  file: string,
  waivers: readonly Waiver[],
): Promise<{ readonly count: number; readonly renewed: readonly string[] }> {
  const before = existsSync(file) ? settingsText(file) : null;
  const known = before === null ? [] : waiversIn(file, before);
  const renewed = waivers.map(({ id }) => id).filter((id) => known.some((one) => one.id === id));
  const text = before === null && file.endsWith('.json') ? '{"version":1,"waivers":[]}' : before;
  const after = isJson(text) ? inJson(text, waivers) : inYaml(text, waivers);
  const count = waiversIn(file, after).length;
  try {
    // Replaces the target of a symlink, not the link.
    await replaceFile(before === null ? file : await realpath(file), after);
  } catch (cause) {
    throw new WaiverError(
      `${file}: cannot be written: ${reasonOf(cause)}`,
      { cause },
      'Choose a file in an existing, writable folder with --waivers FILE.',
    );
  }
  return { count, renewed };
}

const isJson = (text: string | null): text is string =>
  text !== null && typeof parsedJson(text) === 'object';

const sameId =
  ({ id }: Waiver) =>
  (other: { readonly id: string }): boolean =>
    other.id === id;

function inJson(text: string, waivers: readonly Waiver[]): string {
  const content = jsonValue(text) as { readonly waivers: readonly Waiver[] };
  const kept = content.waivers.map((one) => waivers.find(sameId(one)) ?? one);
  const added = waivers.filter((one) => !content.waivers.some(sameId(one)));
  return `${JSON.stringify({ ...content, waivers: [...kept, ...added] }, null, 2)}\n`;
}

function inYaml(text: string | null, waivers: readonly Waiver[]): string {
  const document = text === null ? new Document({ version: 1, waivers: [] }) : parseDocument(text);
  if (text === null) document.commentBefore = HEADING;
  const list = document.get('waivers');
  if (!isSeq(list)) throw new WaiverError('The member `waivers` is not a list.');
  // An empty list is written in flow style; use block style for the new entries.
  if (list.items.length === 0) list.flow = false;
  for (const waiver of waivers) put(list, waiver);
  return document.toString({
    // Do not wrap long reasons.
    lineWidth: 0,
    indentSeq: text === null || !/^waivers:[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\n)*-/m.test(text),
  });
}

function put(list: YAMLSeq, waiver: Waiver): void {
  const known = list.items.find(
    (item): item is YAMLMap => isMap(item) && item.get('id') === waiver.id,
  );
  const entry = known ?? new YAMLMap();
  if (known === undefined) list.add(entry);
  for (const name of MEMBERS) {
    if (waiver[name] !== undefined) entry.set(name, waiver[name]);
    // Keep the ticket of the entry, but not its outcome, which may have changed.
    else if (name === 'outcome') entry.delete(name);
  }
}
