import { createServer, request } from 'node:http';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { assay, scratch } from '../cli/assay.ts';
import { served } from '../cli/served.ts';
import { cleanup } from './servers.ts';

/** Lifetime of a token, ms. */
const HOLDS_MS = 2500;

/** A gateway in front of a target that requires a valid token. */
async function gateway(
  to: string,
): Promise<{ baseUrl: string; refused: () => number; tokens: Set<string> }> {
  let refused = 0;
  const tokens = new Set<string>();
  const server = createServer((incoming, answer) => {
    const { authorization = '', ...headers } = incoming.headers;
    const issued = /^Bearer tok-(\d+)-canary$/.exec(authorization)?.[1];
    if (issued === undefined || Date.now() - Number(issued) > HOLDS_MS) {
      refused += 1;
      answer.writeHead(403).end('no token');
      return;
    }
    tokens.add(authorization);
    const onward = request(
      new URL(incoming.url ?? '/', to),
      { method: incoming.method, headers },
      (from) => {
        // A careless gateway echoes the request.
        answer.writeHead(from.statusCode ?? 502, {
          ...from.headers,
          'x-was-let-in-by': authorization,
        });
        from.pipe(answer);
      },
    );
    setTimeout(() => incoming.pipe(onward), 150);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanup(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { baseUrl: `http://127.0.0.1:${port}`, refused: () => refused, tokens };
}

const TOKEN = "console.log('tok-' + Date.now() + '-canary')";

function targetBehind(baseUrl: string, original: string, bearer: object): string {
  const file = path.join(scratch, 'behind a gateway.json');
  const { clock: _, ...target } = JSON.parse(readFileSync(original, 'utf8')) as Record<
    string,
    unknown
  >;
  writeFileSync(file, JSON.stringify({ ...target, baseUrl, http: { bearer } }));
  return file;
}

it('passes a gateway whose tokens expire during the run, and no token is recorded', async () => {
  const reference = await served();
  cleanup(reference.stop);
  const { baseUrl, refused, tokens } = await gateway(reference.baseUrl);
  const command = [process.execPath, '-e', TOKEN];
  const target = targetBehind(baseUrl, reference.target, { command, refreshMs: 1000 });
  const output = path.join(scratch, 'through the gateway');
  const run = ['run', '-t', target, '--only', '4.1', '--concurrency', '1', '-o', output];
  const { code, text } = await assay([...run, '--max-requests', '20']);
  expect(text).toContain('requests');
  expect(refused()).toBe(0);
  expect(tokens.size).toBeGreaterThan(2);
  expect([0, 3]).toContain(code);
  for (const file of readdirSync(output)) {
    expect(readFileSync(path.join(output, file), 'latin1'), file).not.toMatch(/tok-\d+-canary/);
  }
  expect(text).not.toMatch(/tok-\d+-canary/);
  expect(readFileSync(path.join(output, 'results.json'), 'utf8')).toContain('x-was-let-in-by');
});

it('stops with a reason when there is no new token, and can be resumed', async () => {
  const reference = await served();
  cleanup(reference.stop);
  const { baseUrl } = await gateway(reference.baseUrl);
  const mark = path.join(scratch, 'logged in');
  writeFileSync(mark, 'yes');
  const script = `const fs = require('fs'); if (fs.readFileSync(process.argv[1], 'utf8') !== 'yes') process.exit(5);
    fs.writeFileSync(process.argv[1], 'no'); ${TOKEN}`;
  const command = [process.execPath, '-e', script, mark];
  const target = targetBehind(baseUrl, reference.target, { command, refreshMs: 1000 });
  const output = path.join(scratch, 'without a token');
  const run = ['run', '-t', target, '--only', '4.1', '--concurrency', '1', '-o', output];
  const stopped = await assay(run);
  expect(stopped.code).toBe(3);
  expect(stopped.text).toContain('http.bearer');
  expect(stopped.text).toContain('exited with 5');
  expect(stopped.text).toContain('--resume');
  writeFileSync(mark, 'yes');
  const command2 = [process.execPath, '-e', TOKEN];
  targetBehind(baseUrl, reference.target, { command: command2, refreshMs: 1000 });
  const resumed = await assay(['run', '-t', target, '--resume', output, '--only', '4.1']);
  expect(resumed.code, resumed.text).not.toBe(2);
  expect(resumed.text).toContain('responses recorded');
  expect(resumed.text).not.toContain('ASSAY_NO_TOKEN');
});
