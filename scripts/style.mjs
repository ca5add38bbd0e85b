// Finds turns of phrase that no technical writer would use in English, in what Assay prints and in the documents.
// Usage: node scripts/style.mjs [FILE or FOLDER…]; by default the whole tree.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

const root = fileURLToPath(new URL('../', import.meta.url));

/** One phrase per line: a regular expression, and what to write instead. A space also matches a line break. */
const TABLE = String.raw`
unless told\b                                    | by default
(?<!there )(is|are|was|were|be) none\b           | name it: "a random key", "not one of …"
(?<!there )(is|are) no (?!longer|more|doubt)\w+  | "is not a …"
\w+ has not[.,;:]                                | "does not have", "lacks"
(is|are|has|have) no more[.,;:]                  | no longer
there is no \w+ that                             | "no … found", "no usable …"
answers? for (it|them|what)\b                    | "waives", "accepted by <owner>", "owner"
somebody (who )?(answers|has|decided)            | name the role, or use the passive
(that|which) nobody\b                            | use the passive: "unrequested", "unassigned"
whoever\b                                        | "anyone who", or name the role
what changes (it|that)\b                         | "Set …", "To change this, set …"
and so it went\b                                 | delete it
(tells?|told) (\w+,? ){0,5}apart\b               | distinguish
(answers|requests|moments?) (is|are|were) known  | recorded
what (is|was) (\w+) is\b                         | a plain noun
as far as (?!possible)                           | "where", "if", "the … so far"
so many\b|in one go\b                            | the number, "that many"; at once
beside\b                                         | next to, with, along with, in addition to
told (so|what|where|when)\b|telling:             | reported, notified; "Notifications:"
(take|takes|taken|took|taking) (it |them |the run )?up\b | resume
(go|goes|going|gone|went) on (with|from|without|after)\b | resume, continue
anew\b                                           | again
in passing\b                                     | temporarily, transient
hand(s|ed|ing)? (\w+ ){0,4}through\b             | proxy, forward
listen(ed|s)? at\b                               | listen on
pass(es|ed)? over\b                              | skip, ignore
as of .?run\b                                    | the same as for run
mend what|(is|are|was|were) mended\b             | fix, fixed
did not live\b                                   | crashed
stand(s|ing)? (in|at|on|under|below|first|last)\b | is, appears in
l(ie|ies|ay) (in|beside|at|behind|before)\b      | is
of (its|their|your|our|my) own\b                 | own, separate, dedicated
(days?|moments?|years?) to come\b                | in the future
(with|without) a word\b                          | with a note; silently
(is|are|was) said (only|once|to be)\b            | reported, printed
nothing of the kind\b                            | no such …
let(s|ting)? go of\b                             | release
(was|were) to be (sent|printed|written|read)\b   | should have been …
not the same of\b                                | varies
(is|are|was|were) (that|those) of\b              | "the same as for …", "belongs to …"
(is|are) there already\b                         | already exists
one( \w+){0,2} an? (line|command|endpoint|window|section|resource)\b | one per …
otherwise than\b                                 | differently from
on record\b                                      | recorded
again and again\b                                | repeatedly
(each|every one) by itself\b                     | separately
more like it\b                                   | (1 more)
dear(er|est)?\b                                  | expensive, costly
writ(e|es|ten|ing) (it |them |\w+ )?down\b       | record, write
on the disk\b                                    | on disk; "free disk space"
read the sentence\b                              | see the message
ends? with (exit code )?\d                       | exits with
(correct|made?) (it|one|them) after\b            | to match …
`;
/** Text that is struck out is an example of what not to write. */
const NOT_STRUCK_OUT = String.raw`(?<!~~\S[^~]*)`;
export const PHRASES = TABLE.trim()
  .split('\n')
  .map((line) => line.split(/\s+\| (?=[^|]*$)/))
  .map(([phrase, instead]) => ({
    pattern: new RegExp(`\\b(?:${phrase.replaceAll(' ', '\\s+')})${NOT_STRUCK_OUT}`, 'gi'),
    instead,
  }));

const TREE = 'src suites load scripts action action.yml docs README.md CONTRIBUTING.md'.split(' ');
const SKIPPED = /\.test\.tsx?$|\.d\.m?ts$|^scripts\/style\.mjs$/;

/** Ranges that people read: literals of more than one word and text of JSX; all of a document that is not generated. */
function prose(file, text) {
  if (!/\.(tsx?|mjs)$/.test(file))
    return text.includes('<!-- Generated by') ? [] : [[0, text.length]];
  const found = [];
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return;
    const isText = ['Literal', 'TemplateElement', 'JSXText'].includes(node.type);
    if (isText && /\s/.test(text.slice(node.start, node.end))) found.push([node.start, node.end]);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(file, text).program);
  return found;
}

/** Every use of a phrase, as `file:line: phrase -> better wording`. */
export function uses(file, text) {
  return prose(file, text).flatMap(([start, end]) =>
    PHRASES.flatMap(({ pattern, instead }) =>
      [...text.slice(start, end).matchAll(pattern)].map(({ 0: phrase, index }) => {
        const line = text.slice(0, start + index).split('\n').length;
        return `${file}:${line}: "${phrase.replaceAll(/\s+/g, ' ')}" -> ${instead}`;
      }),
    ),
  );
}

function files(name) {
  if (/\.\w+$/.test(name)) return [name];
  return readdirSync(path.join(root, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs|md)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = (process.argv.length > 2 ? process.argv.slice(2) : TREE)
    .flatMap(files)
    .filter((file) => !SKIPPED.test(file))
    .flatMap((file) => uses(file, readFileSync(path.resolve(root, file), 'utf8')));
  for (const line of found) console.log(line);
  process.exitCode = Math.min(found.length, 1);
}
