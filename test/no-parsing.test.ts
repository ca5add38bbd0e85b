import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** What is written for people, and ids: nothing in Assay reads facts back out of them. */
const TEXTS =
  'id|ids|requirementId|reason|title|sentence|label|hint|message|cause|note|detail|question|answer|actual|expected';
const LOOKS = 'startsWith|endsWith|includes|match|matchAll|search|split|indexOf|replace|replaceAll';
const ASKED = new RegExp(
  String.raw`\b(?:${TEXTS})\??\.(?:${LOOKS})\(|\.(?:test|exec)\((?:\w+\??\.)*(?:${TEXTS})\)`,
);

/** Where it is right, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/ask/patterns.ts': 'patterns over ids are what --only and --skip take',
  'src/spec/requirement-id.ts': 'an id begins with its section',
  'src/spec/exchange.ts': 'the number in the id of an exchange, read here and nowhere else',
  'src/har/own-exchange.ts': 'checks that ids read from a file have their form',
  'src/har/json-failure.ts': 'where JSON.parse stopped is only in its message',
  'src/suite/property/cases.ts': 'identifiers of a path that are made up',
  'src/cli/suggest.ts': 'which argument was wrong is only in the message of the argument parser',
  'src/http/transport-error.ts': 'keeps a code from standing twice in one message',
  'src/run/first-fingerprint.ts': 'fingerprints of version 1 were made of sentences',
  'src/cli/init/init-questions.ts': 'what a user answers',
  'src/report/page/evidence/failing-lines.tsx': 'marks in a body the text that a finding shows',
  // Only how it is written changes.
  'src/ask/check.ts': 'fills in the title of a check',
  'src/cli/doctor.ts': 'one line for several',
  'src/cli/main.ts': 'the name of a system call goes',
  'src/cli/requirements.ts': 'escapes Markdown',
  'src/text/text.ts': 'drops a full stop',
  'src/report-app/evidence.tsx': 'makes a file name',
  'src/report/page/view/parts.tsx': 'makes an anchor',
};

/** Messages of a target are what is judged, or told apart by faults that change them. */
const OF_THE_TARGET = ['src/judge', 'src/reference', 'suites'];

/** Lists of things that happen to be called so: whether one is among them. */
const AMONG =
  /\b(?:ids|known|stale|unexpectedPasses|discovered|malformed)\??\.(?:includes|indexOf)\(/;

function sources(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

/** Lines of a source that look into a text or an id. */
export function lookups(text: string): string[] {
  return text.split('\n').filter((line) => ASKED.test(line) && !AMONG.test(line));
}

describe('nothing is parsed out of ids, reasons, titles or messages', () => {
  const files = ['src', 'suites', 'load'].flatMap(sources);

  it('in any module', () => {
    const strays = files
      .filter((file) => !OF_THE_TARGET.some((folder) => file.startsWith(`${folder}/`)))
      .filter((file) => !(file in ALLOWED))
      .flatMap((file) =>
        lookups(readFileSync(path.join(root, file), 'utf8')).map((line) => `${file}: ${line}`),
      );
    expect(strays).toEqual([]);
  });

  it('and what is allowed is still there', () => {
    const idle = Object.keys(ALLOWED).filter(
      (file) => lookups(readFileSync(path.join(root, file), 'utf8')).length === 0,
    );
    expect(idle).toEqual([]);
  });

  it('sees such a line', () => {
    expect(lookups("if (requirement.id.startsWith('8/')) return;")).toHaveLength(1);
    expect(lookups('const told = /set (.*) in/.exec(outcome.reason);')).toHaveLength(1);
    expect(lookups("if (title.includes('page')) return;")).toHaveLength(1);
    expect(lookups('if (known.includes(id)) return;')).toEqual([]);
  });

  const ID = /'(?:\d(?:\.\d+)?)\/[a-z0-9-]+'/;
  it('names requirements where they are defined, in the faults that prove them, and in the load that decides them, only', () => {
    const homes = ['src/requirements/', 'src/reference/', 'src/load/', 'suites/'];
    const strays = files
      .filter((file) => !homes.some((home) => file.startsWith(home)))
      .filter((file) => ID.test(readFileSync(path.join(root, file), 'utf8')));
    expect(strays).toEqual([]);
  });
});
