import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/spec/time.ts';
import { hurried, PATIENCE_MS } from '../../src/doctor/ask.ts';
import { exitCodeOf } from '../../src/doctor/check.ts';
import type { Check } from '../../src/doctor/check.ts';
import { diagnose, doctorRequests } from '../../src/doctor/doctor.ts';
import { k6Check, nodeCheck, outputCheck } from '../../src/doctor/machine.ts';
import { lookAtTls, tlsCheck } from '../../src/doctor/tls.ts';
import { TARGET_DEFAULTS, type Target } from '../../src/target/target.ts';
import { closedPort } from '../http/loopback.ts';
import { makeCertificate } from '../network/certificate.ts';
import { proxyServer } from '../network/proxy-server.ts';
import { cleanup, httpsServer } from '../network/servers.ts';
import { handled, KEY, served, silent, targetOf } from './targets.ts';

const noProxy = { url: null, origin: null, exemption: null };

async function diagnosis(target: Target, spendNearQuota = false): Promise<Map<string, Check>> {
  const checks: Check[] = [];
  for await (const check of diagnose({ target, proxy: noProxy, spendNearQuota }))
    checks.push(check);
  return new Map(checks.map((check) => [check.name, check]));
}

const statuses = (checks: ReadonlyMap<string, Check>): Record<string, string> =>
  Object.fromEntries([...checks].map(([name, { status }]) => [name, status]));

const exitOf = (checks: ReadonlyMap<string, Check>): number => exitCodeOf([...checks.values()]);

describe('a diagnosis of a good target', () => {
  it('finds nothing to fix, within the announced number of requests', async () => {
    const { target, requestsOf, total } = await served();
    const checks = await diagnosis(target);
    expect(
      [...checks.values()].filter(({ status }) => status === 'fail' || status === 'warn'),
    ).toEqual([]);
    expect(exitOf(checks)).toBe(0);
    const { valid, disabled = '', expired = '', restricted, nearQuota } = target.keys;
    expect(valid.map(requestsOf)).toEqual([3, ...valid.slice(1).map(() => 1)]);
    expect([disabled, expired, restricted?.key ?? ''].map(requestsOf)).toEqual([1, 1, 1]);
    expect(requestsOf(nearQuota?.key ?? '')).toBe(0);
    const announced = Object.values(doctorRequests(target, false)).reduce((sum, n) => sum + n, 0);
    expect(total()).toBeLessThanOrEqual(announced);
  });

  it('uses the near-quota key only on request, and says what is left', async () => {
    const { target, requestsOf } = await served();
    const check = (await diagnosis(target, true)).get('key nearQuota');
    expect(check).toMatchObject({ status: 'warn', fix: 'Set keys.nearQuota.remaining to 4.' });
    expect(requestsOf(target.keys.nearQuota?.key ?? '')).toBe(1);
  });

  it('explains roles without a key and does not fail for them', async () => {
    const { target } = await served();
    const checks = await diagnosis({ ...target, keys: { valid: target.keys.valid.slice(0, 1) } });
    expect(statuses(checks)).toMatchObject({
      'key valid': 'ok',
      'key disabled': 'skip',
      'key expired': 'skip',
      'key restricted': 'skip',
      'key nearQuota': 'skip',
    });
    expect(exitOf(checks)).toBe(0);
  });
});

describe('a diagnosis of keys', () => {
  it('finds a refused valid key, also in a pool', async () => {
    const { target } = await served();
    const [good = ''] = target.keys.valid;
    const checks = await diagnosis({ ...target, keys: { valid: [good, 'never-issued-key-01'] } });
    expect(statuses(checks)).toMatchObject({ 'key valid[0]': 'ok', 'key valid[1]': 'fail' });
    expect(checks.get('key valid[1]')?.detail).toContain('401 with code 400101');
    expect(exitOf(checks)).toBe(3);
  });

  it('warns of keys that are let in against their role', async () => {
    const { target } = await served();
    const [a = '', b = '', c = '', d = ''] = target.keys.valid;
    const keys = {
      valid: [a],
      disabled: b,
      expired: c,
      restricted: { key: d, forbidden: ['/news'] },
    };
    const checks = await diagnosis({ ...target, keys });
    expect(statuses(checks)).toMatchObject({
      'key disabled': 'warn',
      'key expired': 'warn',
      'key restricted': 'warn',
    });
    expect(checks.get('key expired')?.fix).toBe(
      'Check that the key is expired. If it is, the service lets the key in, and a run will report that.',
    );
    expect(checks.get('key restricted')?.detail).toContain('allowed to call /news');
    expect(checks.get('key restricted')?.fix).toBe(
      'Check keys.restricted.forbidden. If the list is right, the service lets the key in, and a run will report that.',
    );
    // Not incomplete: a run violates.
    expect(exitOf(checks)).toBe(0);
  });

  it('distinguishes a wrong code of a role from a key that works', async () => {
    const { target } = await served();
    const { disabled = '', expired = '', valid } = target.keys;
    const checks = await diagnosis({
      ...target,
      keys: { valid, expired: disabled, disabled: expired },
    });
    expect(statuses(checks)).toMatchObject({ 'key disabled': 'warn', 'key expired': 'warn' });
    expect(exitOf(checks)).toBe(0);
  });

  it('sends a restricted key to a path with an identifier when there is no other', async () => {
    const { target } = await served({
      keys: {
        restricted: { key: 'restricted-key-01', forbidden: ['/currencies/{currency_id}/klines'] },
      },
    });
    expect((await diagnosis(target)).get('key restricted')).toMatchObject({ status: 'ok' });
  });

  it('says which header the target asks for', async () => {
    const { target } = await served();
    const checks = await diagnosis({ ...target, auth: { header: 'X-Wrong' } });
    expect(checks.get('key valid[0]')?.fix).toContain('X-API-KEY: set auth.header');
    expect(exitOf(checks)).toBe(3);
  });

  it('that are missing are a configuration error, after all checks that need none', async () => {
    const { target } = await served();
    const checks = await diagnosis({ ...target, keys: { valid: [] } });
    expect(statuses(checks)).toMatchObject({ reachable: 'ok', clock: 'ok', 'key valid': 'fail' });
    expect(exitOf(checks)).toBe(2);
  });
});

describe('a diagnosis of the connection', () => {
  it('waits no longer than announced, whatever the target file says', () => {
    const patient = targetOf('http://127.0.0.1', { http: { timeoutMs: 600_000 } });
    expect(hurried(patient).http.timeoutMs).toBe(PATIENCE_MS);
    expect(PATIENCE_MS).toBeLessThanOrEqual(5000);
  });

  it('ends when the target never answers', async () => {
    const checks = await diagnosis(targetOf(await silent(), { http: { timeoutMs: 600 } }));
    expect(checks.get('reachable')).toMatchObject({ status: 'fail' });
    expect(checks.get('reachable')?.detail).toContain('timeout');
    expect(checks.has('key valid')).toBe(false);
    expect(exitOf(checks)).toBe(3);
  });

  it('reports that nothing listens, and that a name does not resolve', async () => {
    const refused = await diagnosis(targetOf(`http://127.0.0.1:${await closedPort()}`));
    expect(refused.get('reachable')?.detail).toContain('refused');
    const unknown = await diagnosis(targetOf('http://no-such-host.invalid'));
    expect(unknown.get('name')).toMatchObject({ status: 'fail' });
    expect(exitOf(unknown)).toBe(3);
  });

  it.each([
    ['/v1', '', '/v1'],
    ['/v1', '/v1/v1', '/v1'],
    ['/v1', '/v1/currencies', '/v1'],
    ['', '/v1', ''],
    ['/api/v1', '/v1', '/api/v1'],
    ['/v2', '/v2/extra', '/v2'],
    ['/data/v1', '/data/data/v1', '/data/v1'],
  ])('finds the base path %j for %j', async (basePath, given, right) => {
    const { target, requestsOf } = await served({ basePath });
    const { origin } = new URL(target.baseUrl);
    const [key = ''] = target.keys.valid;
    const checks = await diagnosis({
      ...target,
      baseUrl: `${origin}${given}`,
      keys: { valid: [key] },
    });
    expect(checks.get('base path')).toMatchObject({
      status: 'fail',
      fix: `Set baseUrl to ${origin}${right}, where endpoints were found.`,
    });
    expect(requestsOf(key)).toBeLessThanOrEqual(5);
    expect(exitOf(checks)).toBe(3);
  });

  it('does not follow a redirect, and names it', async () => {
    const baseUrl = await handled((_, response) => {
      response.writeHead(302, { location: 'https://login.example/' }).end();
    });
    const check = (await diagnosis(targetOf(baseUrl))).get('base path');
    expect(check).toMatchObject({ status: 'fail', detail: '302 to https://login.example/' });
  });

  it('notices envelope, announced limit and clock', async () => {
    const wrapped = await served({ variants: ['wrapped-body'] }, { envelope: null });
    expect((await diagnosis(wrapped.target)).get('envelope')).toMatchObject({ status: 'warn' });
    const bare = await served({}, { envelope: 'data' });
    expect((await diagnosis(bare.target)).get('envelope')).toMatchObject({ status: 'fail' });
    const scaled = await served({ limit: 7 }, { limits: {} });
    expect((await diagnosis(scaled.target)).get('rate-limit headers')).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('limit 7') as string,
    });
    const ahead = await handled((_, response) => {
      response.setHeader('date', new Date(Date.now() + 600_000).toUTCString());
      response.writeHead(401).end();
    });
    const clock = (await diagnosis(targetOf(ahead))).get('clock');
    expect(clock?.status).toBe('warn');
    expect(clock?.detail).toMatch(/the target's clock is (599|600)(\.\d)? s ahead/);
  });

  it('never shows a key that the target sends back', async () => {
    const baseUrl = await handled((incoming, response) => {
      response.writeHead(302, { location: `/?key=${String(incoming.headers['x-api-key'])}` }).end();
    });
    const checks = await diagnosis(targetOf(baseUrl));
    expect(checks.get('base path')?.detail).toContain('redacted');
    expect(JSON.stringify([...checks])).not.toContain(KEY);
  });
});

describe('a diagnosis of TLS', () => {
  const http = TARGET_DEFAULTS.http;
  const handle = (_: unknown, response: { end(): unknown }): void => void response.end();

  it('names version, expiry and reason', async () => {
    const port = await httpsServer(makeCertificate(), handle);
    const view = await lookAtTls(new URL(`https://localhost:${port}`), http);
    expect(view.protocol).toBe('TLSv1.3');
    expect(view.refusal).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(tlsCheck(view, false, Date.now())).toMatchObject({
      status: 'fail',
      fix: expect.stringContaining('--ca-file') as string,
    });
    expect(tlsCheck(view, true, Date.now())).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('NOT VERIFIED') as string,
    });
    const trusted = { ...view, refusal: null };
    expect(tlsCheck(trusted, false, Date.now()).detail).toMatch(
      /valid for (89|90) more days, verified/,
    );
    expect(tlsCheck(trusted, false, Date.now() + 80 * DAY).status).toBe('warn');
  });

  it.each([
    ['CERT_HAS_EXPIRED', { notAfter: new Date(Date.now() - DAY) }, /Renew/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', { names: ['elsewhere.example'] }, /different host name/],
  ])('tells %s from other reasons', async (reason, options, fix) => {
    const certificate = makeCertificate(options);
    const port = await httpsServer(certificate, handle);
    const caFile = await pem(certificate.cert);
    const view = await lookAtTls(new URL(`https://localhost:${port}`), { ...http, caFile });
    expect(view.refusal).toBe(reason);
    expect(tlsCheck(view, false, Date.now()).fix).toMatch(fix);
  });

  it('also works through a proxy', async () => {
    const port = await httpsServer(makeCertificate(), handle);
    const proxy = await proxyServer('ada:secret');
    cleanup(proxy.close);
    const through = { ...http, proxy: proxy.url.replace('//', '//ada:secret@') };
    const view = await lookAtTls(new URL(`https://localhost:${port}`), through);
    expect(view.refusal).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(proxy.seen).toHaveLength(1);
    await expect(
      lookAtTls(new URL(`https://localhost:${port}`), { ...http, proxy: proxy.url }),
    ).rejects.toThrow(/407/);
  });
});

async function pem(text: string): Promise<string> {
  const { mkdtemp, rm, writeFile } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const path = await import('node:path');
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-doctor-'));
  cleanup(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'ca.pem');
  await writeFile(file, text);
  return file;
}

describe('a diagnosis of the machine', () => {
  it.each([
    ['20.18.9', 'fail'],
    ['18.20.0', 'fail'],
    ['20.19.0', 'ok'],
    ['24.1.0', 'ok'],
  ])('finds that Node %s is %s', (version, status) => {
    expect(nodeCheck(version)).toMatchObject({ status, exit: status === 'fail' ? 2 : 3 });
  });

  it('warns about a missing k6 without blaming an option that was not given', async () => {
    const check = await k6Check({ PATH: '', XDG_CACHE_HOME: '/nowhere' });
    expect(check).toMatchObject({ status: 'warn', detail: 'k6 not found.' });
    expect(check.fix).toContain('`assay load` builds k6');
    expect(JSON.stringify(check)).not.toContain('--no-install');
  });

  it('knows where reports can be written', async () => {
    const file = await pem('x');
    expect(await outputCheck(file)).toMatchObject({ status: 'fail', exit: 2 });
    expect(await outputCheck(`${file}/below`)).toMatchObject({ status: 'fail', exit: 2 });
    expect(await outputCheck(`${file}-new/a/b`)).toMatchObject({ status: 'ok' });
  });
});
