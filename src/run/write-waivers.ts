import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { reasonOf } from '../http/record/journal-writer.ts';
import { replaceFile } from '../fs/replace-file.ts';
import { decodedText } from '../text/decoded-text.ts';
import { readWaivers, WaiverError, waiversIn, type Waiver } from './waivers.ts';

/** Result of updating a waiver file. */
export interface WrittenWaivers {
  /** Number of waivers in the file. */
  readonly count: number;
  /** Ids of renewed waivers. */
  readonly renewed: readonly string[];
}

const HEADING =
  ' Accepted failures, each with an owner and an expiry date. Written by `assay waive`, read by `assay run --waivers`.';

/** Members of an entry in the order to write. */
const MEMBERS = ['id', 'outcome', 'owner', 'reason', 'ticket', 'expires', 'evidence'] as const;

/**
 * Adds waivers to a file, which is created if it is missing. Existing entries and comments are kept; an entry for the
 * same requirement is replaced. The file is replaced atomically.
 * @throws WaiverError when the existing file is invalid
 */
export async function writeWaivers(
  file: string,
  waivers: readonly Waiver[],
): Promise<WrittenWaivers> {
  const known = existsSync(file) ? readWaivers(file) : [];
  const renewed = waivers.map(({ id }) => id).filter((id) => known.some((one) => one.id === id));
  const before = existsSync(file) ? decodedText(await readFile(file)) : null;
  const text = before === null && file.endsWith('.json') ? '{"version":1,"waivers":[]}' : before;
  const after = isJson(text) ? inJson(text, waivers) : inYaml(text, waivers);
  const count = waiversIn(file, after).length;
  await replace(file, after);
  return { count, renewed };
}

function isJson(text: string | null): text is string {
  try {
    return text !== null && typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

const sameId =
  ({ id }: Waiver) =>
  (other: { readonly id: string }): boolean =>
    other.id === id;

function inJson(text: string, waivers: readonly Waiver[]): string {
  const content = JSON.parse(text) as { readonly waivers: readonly Waiver[] };
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
  for (const waiver of waivers) put(document, list, waiver);
  return document.toString({
    // Do not wrap long reasons.
    lineWidth: 0,
    indentSeq: text === null || !/^waivers:[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\n)*-/m.test(text),
  });
}

function put(document: Document, list: YAMLSeq, waiver: Waiver): void {
  const entry = list.items.find(
    (item): item is YAMLMap => isMap(item) && item.get('id') === waiver.id,
  );
  if (entry === undefined) {
    list.add(document.createNode(inOrder(waiver)));
    return;
  }
  for (const name of MEMBERS) {
    if (waiver[name] !== undefined) entry.set(name, waiver[name]);
    // Keep the ticket of the entry, but not its outcome, which may have changed.
    else if (name === 'outcome') entry.delete(name);
  }
}

function inOrder(waiver: Waiver): object {
  return Object.fromEntries(
    MEMBERS.flatMap((name) => (waiver[name] === undefined ? [] : [[name, waiver[name]]])),
  );
}

/** Replaces the target of a symlink, not the link. */
async function replace(file: string, text: string): Promise<void> {
  try {
    await replaceFile(existsSync(file) ? await realpath(file) : file, text);
  } catch (cause) {
    throw new WaiverError(
      `${file}: cannot be written: ${reasonOf(cause)}`,
      { cause },
      'Choose a file in an existing, writable folder with --waivers FILE.',
    );
  }
}
