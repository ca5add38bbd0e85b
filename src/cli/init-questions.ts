import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { UsageError } from './errors.ts';
import { variableName, type InitSettings } from './init-settings.ts';

/** How often a wrong answer is asked for again. */
const TRIES = 3;

export interface Conversation {
  readonly input: Readable;
  readonly output: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The end of the input, or Ctrl-C, in the middle of the questions. */
export class Interrupted extends Error {}

/**
 * Asks for what the flags have left open. Five questions are no reason for a library: Node's own readline does.
 * @throws Interrupted when the input ends; UsageError when an answer stays unusable
 */
export async function interview(
  known: Partial<InitSettings>,
  { input, output, env }: Conversation,
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
        throw new Interrupted('The questions were not answered.');
      }
      try {
        return read(answer.trim());
      } catch (error) {
        if (!(error instanceof UsageError) || attempt >= TRIES) throw error;
        output.write(`  ${error.message}\n  ${error.hint}\n`);
      }
    }
  };
  const optional = (option: string) => (answer: string) =>
    answer === '' ? undefined : variableName(answer, option, env);
  try {
    const baseUrl = known.baseUrl ?? (await ask('Base URL of the target: ', readUrl));
    const offered = env['ASSAY_API_KEY'] === undefined ? 'ASSAY_KEY' : 'ASSAY_API_KEY';
    const valid =
      known.valid ??
      (await ask(
        `Environment variable(s) with valid keys, separated by commas [${offered}]: `,
        (answer) =>
          (answer === '' ? offered : answer)
            .split(',')
            .map((name) => variableName(name, 'The question', env)),
      ));
    output.write('Keys of other roles make more requirements testable. Enter leaves one out.\n');
    const disabled =
      known.disabled ?? (await ask('Variable with a disabled key: ', optional('The question')));
    const expired =
      known.expired ?? (await ask('Variable with an expired key: ', optional('The question')));
    return { ...known, baseUrl, valid, disabled, expired };
  } finally {
    lines.close();
  }
}

function readUrl(answer: string): string {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(answer) ? answer : `https://${answer}`;
  if (answer !== '' && URL.canParse(withScheme)) return withScheme;
  throw new UsageError('This is no URL.', 'For example https://staging.example/v1');
}
