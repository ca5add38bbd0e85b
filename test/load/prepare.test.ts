import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { prepare } from '../../src/load/prepare.ts';
import type { Prepared } from '../../src/load/prepare.ts';
import { resolveTarget } from '../../src/target/file/resolve-target.ts';

const WINDOW_MS = 400;
let close = (): void => undefined;
afterEach(() => close());

/** Prepares against a server that gives these statuses in turn, the last one again and again. */
const preparedAgainst = (...statuses: readonly number[]) => preparedWith('[]', statuses);

async function preparedWith(
  body: string,
  statuses: readonly number[],
): Promise<{ readonly prepared: Prepared; readonly sent: number; readonly ms: number }> {
  let sent = 0;
  const server = createServer((_, response) => {
    const status = statuses[Math.min(sent, statuses.length - 1)] ?? 200;
    sent += 1;
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-ratelimit-reset': String(Date.now() + WINDOW_MS / 2),
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  close = () => void server.close();
  const target = resolveTarget({
    env: {},
    file: {
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      keys: { valid: ['reference-key-valid-0001'] },
      limits: { windowMs: WINDOW_MS },
    },
  });
  const from = Date.now();
  const prepared = await prepare(target, target.keys.valid, 'plain');
  return { prepared, sent, ms: Date.now() - from };
}

describe('the preparation of a scenario', () => {
  it('sends one request if the key is unused', async () => {
    expect((await preparedAgainst(200)).sent).toBe(1);
  });

  it('waits for a used-up key as announced', async () => {
    const { sent, ms, prepared } = await preparedAgainst(429, 200);
    expect(sent).toBe(2);
    expect(ms).toBeGreaterThanOrEqual(WINDOW_MS / 2);
    expect(prepared.freshAt).toBeGreaterThan(Date.now() - WINDOW_MS);
  });

  it('reports a wrong path after a refusal', async () => {
    await expect(preparedAgainst(429, 404)).rejects.toThrow(
      'returned 404; a load scenario needs 200',
    );
  });

  it('refuses a target that answers with a page, as a run of the suites does', async () => {
    await expect(preparedWith('<!doctype html><title>Sign in</title>', [200])).rejects.toThrow(
      'a body that is not JSON (application/json): this is not the service',
    );
  });

  it('reports a second refusal of the key', async () => {
    await expect(preparedAgainst(429)).rejects.toThrow('still refused with 429');
  });
});
