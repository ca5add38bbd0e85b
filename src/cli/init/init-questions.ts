import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { UsageError } from '../errors.ts';
import { completeUrl, unset, variableName, type InitSettings } from './init-settings.ts';

const TRIES = 3;

interface Conversation {
  readonly input: Readable;
  readonly output: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the target will be probed with the keys, so that their variables must be set. */
  readonly looks?: boolean;
}

/** End of input, or Ctrl-C, during the questions. */
export class Interrupted extends Error {}

/**
 * Asks for everything that the flags do not set.
 * @throws Interrupted when the input ends; UsageError after too many invalid answers
 */
export async function interview(
  known: Partial<InitSettings>,
  { input, output, env, looks = false }: Conversation,
): Promise<InitSettings> {
  const lines = createInterface({ input, output, terminal: false });
  const closed = new AbortController();
  lines.once('close', () => closed.abort());
  const ask = async <T>(question: string, read: (answer: string) => T): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      let answer: string;
      try {
        answer = await lines.question(question, { signal: closed.signal });
      } catch {
        throw new Interrupted('Not all questions were answered.');
      }
      try {
        return read(answer.trim());
      } catch (error) {
        if (!(error instanceof UsageError) || attempt >= TRIES) throw error;
        output.write(`  ${error.message}\n  ${error.hint}\n`);
      }
    }
  };
  const named = (answer: string): string => variableName(answer, 'This question', env);
  const optional = (answer: string) => (answer === '' ? undefined : named(answer));
  try {
    const baseUrl = known.baseUrl ?? (await ask('Base URL of the target: ', readUrl));
    const offered = env['ASSAY_API_KEY'] === undefined ? 'ASSAY_KEY' : 'ASSAY_API_KEY';
    const namesIn = (answer: string): string[] => answer.split(',').map(named);
    let valid =
      known.valid ??
      (await ask(
        `Environment variables that hold valid keys, comma-separated [${offered}]: `,
        (answer) => namesIn(answer === '' ? offered : answer),
      ));
    // Checked immediately, not after the last question.
    for (let missing = looks ? unset(valid, env) : []; missing.length > 0;) {
      const is = missing.length === 1 ? 'is' : 'are';
      const others = await ask(
        `${missing.join(', ')} ${is} not set, so the target cannot be probed. Name other variables, or press Enter to write the file without probing: `,
        (answer) => (answer === '' ? null : namesIn(answer)),
      );
      if (others === null) break;
      valid = others;
      missing = unset(valid, env);
    }
    output.write('Keys with other roles make more requirements testable. Press Enter to skip.\n');
    const disabled =
      known.disabled ?? (await ask('Environment variable that holds a disabled key: ', optional));
    const expired =
      known.expired ?? (await ask('Environment variable that holds an expired key: ', optional));
    return { ...known, baseUrl, valid, disabled, expired };
  } finally {
    lines.close();
  }
}

function readUrl(answer: string): string {
  const withScheme = completeUrl(answer);
  if (answer !== '' && URL.canParse(withScheme)) return withScheme;
  throw new UsageError('Not a URL.', 'For example https://staging.example/v1');
}
