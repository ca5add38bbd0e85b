import { secretsOf } from '../http/secrets.ts';
import { SecretsGate } from '../fs/secrets-gate.ts';
import { EXIT } from '../spec/exit-codes.ts';
import { Redactor } from '../target/redactor.ts';
import type { Target } from '../target/target.ts';
import type { Secret } from '../text/secret-scan.ts';

let guarded = false;
let known: readonly Secret[] = [];
let gate = new SecretsGate([]);
const withheld = new Set<string>();

/**
 * Redacts the secrets of a target on standard output and standard error for the rest of the process. If it ever has to,
 * the process exits with 4: no secret should get this far, but CI consoles are stored and shared.
 * @param more further secrets
 */
export function guardConsole(
  target: Pick<Target, 'keys' | 'http'>,
  more: readonly Secret[] = [],
): void {
  guard([...secretsOf(target), ...more]);
  target.http.bearer?.onToken((value) => guard([{ name: 'http.bearer', value }]));
}

function guard(secrets: readonly Secret[]): void {
  known = [...known, ...secrets];
  gate = new SecretsGate(known);
  if (guarded) return;
  guarded = true;
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...rest: never[]) => write(safe(chunk), ...rest);
  }
  process.on('exit', () => {
    if (withheld.size === 0) return;
    process.exitCode = EXIT.internal;
    process.stderr.write(
      `assay: A secret was redacted from the output (${[...withheld].join('; ')}). [ASSAY_SECRET_LEAK]\n`,
    );
  });
}

/** The text with the guarded secrets redacted. If there were any, the process exits with 4. */
export const guardedText = (text: string): string => String(safe(text));

function safe(chunk: string | Uint8Array): string | Uint8Array {
  const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
  const leak = gate.scan(text);
  if (leak === null) return chunk;
  withheld.add(`${leak.secret}, ${leak.encoding}`);
  const redacted = new Redactor(
    known.map(({ name, value }) => ({ secret: value, replacement: `[redacted:${name}]` })),
  ).redact(text);
  return gate.scan(redacted) === null ? redacted : '[withheld: contained a secret]\n';
}
