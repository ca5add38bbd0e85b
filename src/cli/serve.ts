import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { faultsNamed, listFaults, listVariants } from '../reference/catalog.ts';
import { createReference, movableClock } from '../reference/reference.ts';
import { fitsUpstream, listenBefore } from '../reference/upstream.ts';
import { commandBody, toggle, number, string, strings, type ValuesOf } from './command.ts';
import { UsageError, withHint } from './errors.ts';

const OPTIONS = {
  port: number('Port; 0 picks a free one', { default: 4010 }),
  fault: strings('Fault (deliberate defect), repeatable', { default: [] as string[] }),
  variant: strings('Variant (alternative behaviour that the specification allows), repeatable', {
    default: [] as string[],
  }),
  limit: number('Requests per key per window', { default: 20 }),
  'window-ms': number('Length of the rate-limit window in milliseconds', { default: 60_000 }),
  quota: number('Requests per key per month', { default: 100_000 }),
  seed: number('Seed for the data', { default: 1 }),
  upstream: string('Proxy this URL and inject the faults'),
  list: toggle('List faults and variants'),
};

const LISTED = '`assay serve --list` lists faults and variants.';

type ServeArguments = ValuesOf<typeof OPTIONS>;

/** `assay serve`: the reference server, optionally with faults and variants. */
export const serveCommand = commandBody({
  options: OPTIONS,
  examples: {
    '$0 serve --port 4010': 'print one JSON line when ready',
    '$0 serve --fault etf-summary-oldest-first': 'serve with a fault',
  },
  handler: async (argv) => {
    if (argv.list) return list();
    if (argv.upstream === undefined) await serve(argv);
    else await serveBefore(argv.upstream, argv);
  },
});

function list(): void {
  process.stdout.write('Variants: alternative behaviour that the specification allows\n');
  for (const { id, title } of listVariants()) process.stdout.write(`  ${id}  ${title}\n`);
  process.stdout.write('\nFaults: defects, with the requirements they violate\n');
  for (const { id, title, kills } of listFaults()) {
    process.stdout.write(`  ${id}  ${title}  -> ${kills.join(', ')}\n`);
  }
}

/** Proxies another server and adds faults, so that its owner can see a gate turn red. */
async function serveBefore(upstream: string, { fault, port }: ServeArguments): Promise<void> {
  if (!/^https?:/.test(upstream) || !URL.canParse(upstream))
    throw new UsageError(`${upstream} is not a URL.`, 'For example --upstream https://host/v1.');
  const faults = withHint(LISTED, () => faultsNamed(fault));
  const incompatible = faults.find((one) => !fitsUpstream(one));
  if (incompatible !== undefined) {
    throw new UsageError(
      `The fault ${incompatible.id} cannot be injected by a proxy.`,
      'Choose a fault that changes a request or a response.',
    );
  }
  const listening = await onPort(port, listenBefore(upstream, faults, port));
  process.stdout.write(`${JSON.stringify({ baseUrl: listening.baseUrl })}\n`);
  await stopped();
  await listening.close();
}

async function serve(argv: ServeArguments): Promise<void> {
  const reference = withHint(LISTED, () =>
    createReference({
      // No base path, so that `-u http://127.0.0.1:4010` works.
      basePath: '',
      seed: argv.seed,
      clock: movableClock(),
      control: true,
      faults: argv.fault,
      variants: argv.variant,
      limit: argv.limit,
      windowMs: argv['window-ms'],
      quota: argv.quota,
    }),
  );
  const listening = await onPort(argv.port, reference.listen({ port: argv.port }));
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-serve-'));
  const target = path.join(folder, 'target.json');
  const file = reference.targetFile(listening.baseUrl);
  // The keys work for the reference server only, but key files should never be readable by others.
  await writeFile(target, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  process.stdout.write(`${JSON.stringify({ baseUrl: listening.baseUrl, target })}\n`);
  await stopped();
  await listening.close();
  await rm(folder, { recursive: true, force: true });
}

const onPort = <Server>(port: number, listening: Promise<Server>): Promise<Server> =>
  listening.catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'ERR_SOCKET_BAD_PORT') throw error;
    throw new UsageError(
      `Cannot listen on port ${port} (${code}).`,
      'Choose another port with --port; --port 0 picks a free one.',
    );
  });

const stopped = (): Promise<unknown> =>
  Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
