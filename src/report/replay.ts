import type { ResultFinding } from './results.ts';

/** A finding as a report shows it: without the command that its message may carry, and that command's case apart. */
export interface ShownFinding extends ResultFinding {
  /** Case that a property drew, as `--path` takes it; null when the finding comes from a check of its own. */
  readonly path: string | null;
}

/** What a property adds to the message of a counterexample. Anything of another form stays part of the message. */
const REPLAY =
  / \(replay: assay run … --profile full --seed \d{1,16} --path ([a-z-]{1,60}:\d+(?::\d+){0,400}) --only [^()]{1,200}\)$/;

/** A message without the command that tries its case again, and the case; null when it names none. */
export function splitReplay(message: string): {
  readonly message: string;
  readonly path: string | null;
} {
  // Only a message that ends so is worth a search, and none is that long.
  if (!message.endsWith(')') || message.length > 20_000) return { message, path: null };
  const found = REPLAY.exec(message);
  if (found === null) return { message, path: null };
  return { message: message.slice(0, found.index), path: found[1] ?? null };
}

/**
 * Findings, each once: a rule and the property that drew its request may find the same thing in the same answer. The
 * first one keeps its place and takes the case of the other.
 */
export function distinctFindings(findings: readonly ResultFinding[]): readonly ShownFinding[] {
  const shown = new Map<string, ShownFinding>();
  for (const finding of findings) {
    const { message, path } = splitReplay(finding.message);
    const { expected, actual, pointer, exchange } = finding;
    const key = JSON.stringify([message, expected, actual, pointer, exchange]);
    const known = shown.get(key);
    if (known === undefined) shown.set(key, { ...finding, message, path });
    else if (known.path === null && path !== null) shown.set(key, { ...known, path });
  }
  return [...shown.values()];
}
