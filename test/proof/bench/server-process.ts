import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReference } from '#src/reference/reference.ts';
import type { ReferenceOptions } from '#src/reference/reference.ts';

/** What the parent says first. */
export interface ServerOrder {
  readonly kind: 'reference' | 'bare';
  readonly options: ReferenceOptions;
  /** Paths that a bare server knows, with their queries; the base path in front. */
  readonly paths: readonly string[];
}

/**
 * A server to be measured, in a process of its own. Gets its order as the first message, answers with its port, tells
 * the processor time it has used whenever it is asked, and ends when its parent does.
 */
process.once('message', (order: ServerOrder) => void start(order));
process.once('disconnect', () => process.exit());

async function start(order: ServerOrder): Promise<void> {
  const port = await serve(order);
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.send?.({ port });
}

function serve(order: ServerOrder): Promise<number> {
  const reference = createReference(order.options);
  if (order.kind === 'reference') return reference.listen().then(({ port }) => port);
  return bare(reference, order.paths);
}

/** The least that Node can do for the same bytes: every answer is made beforehand and only looked up. */
function bare(
  reference: ReturnType<typeof createReference>,
  paths: readonly string[],
): Promise<number> {
  const key = reference.keys.valid[0] ?? '';
  const answers = new Map(
    paths.map((path) => {
      const answer = reference.handle({ method: 'GET', path, headers: { 'X-API-KEY': key } });
      const made = {
        status: answer.status,
        headers: Object.entries(answer.headers).flat(),
        bytes: Buffer.from(answer.body),
      };
      return [path, made] as const;
    }),
  );
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '');
    if (answer === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(answer.status, answer.headers);
    response.end(answer.bytes);
  });
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
