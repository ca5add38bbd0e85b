import { example, EXAMPLES } from './examples.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UsageError } from './errors.ts';
import type { CommandBody } from './commands.ts';

interface ServeArguments {
  port: number;
  fault: string[];
  variant: string[];
  limit: number;
  'window-ms': number;
  quota: number;
  seed: number;
  list: boolean;
}

/** `assay serve`: the reference server, with faults and variants on demand. */
export const serveCommand: CommandBody<ServeArguments> = {
  builder: (yargs) =>
    yargs
      .option('port', {
        type: 'number',
        requiresArg: true,
        default: 4010,
        describe: 'Port; 0 takes a free one',
      })
      .option('fault', {
        type: 'string',
        array: true,
        default: [],
        requiresArg: true,
        describe: 'Deliberate defect, repeatable',
      })
      .option('variant', {
        type: 'string',
        array: true,
        default: [],
        requiresArg: true,
        describe: 'Another choice that the specification allows, repeatable',
      })
      .option('limit', {
        type: 'number',
        requiresArg: true,
        default: 20,
        describe: 'Requests per window and key',
      })
      .option('window-ms', {
        type: 'number',
        requiresArg: true,
        default: 60_000,
        describe: 'Length of the window',
      })
      .option('quota', {
        type: 'number',
        requiresArg: true,
        default: 100_000,
        describe: 'Requests per month and key',
      })
      .option('seed', {
        type: 'number',
        requiresArg: true,
        default: 1,
        describe: 'Seed of the data',
      })
      .option('list', { type: 'boolean', default: false, describe: 'List faults and variants' })
      .epilogue(EXAMPLES)
      .epilogue(example('$0 serve --port 4010', 'prints one JSON line when it listens'))
      .epilogue(example('$0 serve --fault etf-summary-oldest-first', 'with a defect')),
  handler: async (argv) => {
    if (argv.list) return list();
    await serve(argv);
  },
};

async function list(): Promise<void> {
  const { listFaults, listVariants } = await import('../reference/catalog.ts');
  process.stdout.write('Variants: other choices that the specification allows\n');
  for (const { id, title } of listVariants()) process.stdout.write(`  ${id}  ${title}\n`);
  process.stdout.write('\nFaults: defects and the requirements that they violate\n');
  for (const { id, title, kills } of listFaults()) {
    process.stdout.write(`  ${id}  ${title}  -> ${kills.join(', ')}\n`);
  }
}

async function serve(argv: ServeArguments): Promise<void> {
  const { createReference, movableClock } = await import('../reference/reference.ts');
  let reference;
  try {
    reference = createReference({
      // Right at the root, so that `-u http://127.0.0.1:4010` is all there is to type.
      basePath: '',
      seed: argv.seed,
      clock: movableClock(),
      control: true,
      faults: argv.fault,
      variants: argv.variant,
      limit: argv.limit,
      windowMs: argv['window-ms'],
      quota: argv.quota,
    });
  } catch (error) {
    throw new UsageError(
      error instanceof Error ? error.message : String(error),
      '`assay serve --list` shows what there is.',
    );
  }
  const listening = await reference.listen({ port: argv.port }).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'ERR_SOCKET_BAD_PORT') throw error;
    throw new UsageError(
      `Port ${argv.port} cannot be used (${code}).`,
      'Choose another with --port, or --port 0 for a free one.',
    );
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-serve-'));
  const target = path.join(folder, 'target.json');
  const file = reference.targetFile(listening.baseUrl);
  // The file holds keys: for the reference server only, but the habit counts.
  await writeFile(target, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  process.stdout.write(`${JSON.stringify({ baseUrl: listening.baseUrl, target })}\n`);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await listening.close();
  await rm(folder, { recursive: true, force: true });
}
