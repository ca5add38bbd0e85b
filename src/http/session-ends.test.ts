import { getEventListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useHarness } from '../../test/http/harness.ts';
import { closedPort, json } from '../../test/http/loopback.ts';
import { VALID_KEY } from '../../test/http/targets.ts';

const { server, session } = useHarness();

const ok = (_: IncomingMessage, response: ServerResponse): void => json(response, 200, { a: 1 });

describe('runs that cannot continue', () => {
  it.each([
    ['503', (_: IncomingMessage, response: ServerResponse) => json(response, 503, {})],
    ['a reset', (request: IncomingMessage) => request.socket.resetAndDestroy()],
    ['a dropped connection', (request: IncomingMessage) => request.socket.destroy()],
  ])('repeat many requests at once after %s without a warning', async (_what, fail) => {
    const warnings: Error[] = [];
    const note = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const { baseUrl } = await server((request, response, count) =>
      count > 1 && count <= 12 ? fail(request, response) : ok(request, response),
    );
    const controller = new AbortController();
    const limits = { requests: 100, windowMs: 60_000, monthlyQuota: 100_000 };
    const api = session(baseUrl, { signal: controller.signal }, { limits });
    await api.get('/news');
    const paths = Array.from({ length: 11 }, (_path, index) => `/somewhere/${index}`);
    const answers = await Promise.all(paths.map((path) => api.get(path)));
    expect(answers.map(({ response }) => response?.status)).toEqual(paths.map(() => 200));
    // Warnings are emitted in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('gives up a dead port after three attempts, for every later request too', async () => {
    const api = session(`http://127.0.0.1:${await closedPort()}`);
    await expect(api.get('/news')).rejects.toMatchObject({ code: 'ASSAY_TARGET_UNREACHABLE' });
    await expect(api.get('/etfs', { role: 'none' })).rejects.toThrow(
      /does not respond: 3 consecutive attempts/,
    );
    expect(api.exchanges).toHaveLength(3);
  });

  it('does not report undecodable bodies as a target that does not answer', async () => {
    const { baseUrl } = await server((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('no such thing');
    });
    const api = session(baseUrl);
    const paths = ['/news', '/etfs', '/indices', '/analyses', '/currencies', '/macro/events'];
    for (const path of [...paths, '/news/hot']) await api.get(path);
    const end = await api.get('/fundraising/projects').catch((error: unknown) => error);
    expect(end).toMatchObject({
      code: 'ASSAY_TARGET_UNREACHABLE',
      message: `${baseUrl} sends only unreadable responses: 8 consecutive attempts failed, the last one with: content-encoding is gzip, but the body is not encoded that way.`,
      hint: expect.stringContaining('Content-Encoding') as string,
    });
    expect((end as { hint: string }).hint).not.toContain('TLS');
  });

  it('notices that a target died during the run', async () => {
    const { baseUrl, close } = await server(ok);
    const api = session(baseUrl);
    await api.get('/news');
    await close();
    expect(await api.get('/etfs')).toMatchObject({ response: null, attempt: 3 });
    await api.get('/indices');
    await expect(api.get('/analyses')).rejects.toThrow(/stopped responding/);
  });

  it('ends when the first answers to valid keys are all 401', async () => {
    const { baseUrl, requests } = await server((_, response) => json(response, 401, {}));
    const api = session(baseUrl);
    await api.get('/news', { role: 'none' });
    await api.get('/news');
    await api.get('/etfs');
    await api.get('/indices');
    await expect(api.get('/analyses')).rejects.toMatchObject({ code: 'ASSAY_KEYS_REJECTED' });
    expect(requests).toHaveLength(4);
  });

  it('treats a 401 of one endpoint as a defect of that endpoint', async () => {
    const { baseUrl } = await server((request, response) =>
      json(response, request.url?.startsWith('/news') === true ? 401 : 200, {}),
    );
    const api = session(baseUrl);
    for (let page = 1; page <= 4; page += 1) await api.get('/news', { query: { page } });
    expect((await api.get('/etfs')).response?.status).toBe(200);
    for (let page = 5; page <= 9; page += 1) await api.get('/news', { query: { page } });
    expect((await api.get('/indices')).response?.status).toBe(200);
  });

  it('names the one invalid key of a pool', async () => {
    const bad = 'bad-key-000001';
    const { baseUrl } = await server((request, response) =>
      json(response, request.headers['x-api-key'] === bad ? 401 : 200, {}),
    );
    const api = session(baseUrl, {}, { keys: { valid: [VALID_KEY, bad] } });
    const paths = ['/news', '/etfs', '/indices', '/analyses', '/currencies', '/macro/events'];
    const failing = (async () => {
      for (const path of [...paths, '/news/hot']) await api.get(path);
    })();
    await expect(failing).rejects.toThrow('the key valid[1]');
  });

  it('rejects pending requests when the run is interrupted, and keeps the record', async () => {
    const { baseUrl } = await server(() => undefined);
    const stop = new AbortController();
    const api = session(baseUrl, { signal: stop.signal });
    const pending = api.get('/news');
    setTimeout(() => stop.abort(new Error('SIGINT')), 30);
    await expect(pending).rejects.toThrow('SIGINT');
    expect(api.exchanges[0]).toMatchObject({ error: { kind: 'aborted' } });
  });

  it('sends nothing after it is closed', async () => {
    const { baseUrl, requests } = await server(ok);
    const api = session(baseUrl);
    await api.close();
    await expect(api.get('/news')).rejects.toMatchObject({ code: 'ASSAY_SESSION_CLOSED' });
    expect(requests).toHaveLength(0);
  });
});
