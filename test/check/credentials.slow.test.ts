import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SecretsGate } from '../../src/fs/secrets-gate.ts';
import type { Results } from '../../src/report/model/results.ts';
import { assay, scratch } from '../cli/assay.ts';
import { filesBelow, startWatch } from '../watch/watching.ts';
import { CREDENTIALS } from './credentials.ts';
import type { EntryOptions } from './harness.ts';
import { against, BASE, checked, entry, har, having, scratchFile, START } from './harness.ts';

const FORMATS = 'html,html-dir,json,junit,ctrf,md,har,sarif';
const GATE = new SecretsGate(CREDENTIALS.map(([name, { secret: value }]) => ({ name, value })));
/** Finds secrets in every encoding, also inside the data of pages. */
const leaked = (texts: readonly { name: string; text: string }[]): readonly string[] =>
  texts.flatMap(({ name, text }) => {
    const leak = GATE.scan(text);
    return leak === null ? [] : [`${name}: ${leak.secret}, ${leak.encoding}`];
  });

/** Every credential occurs twice: with a key, and without one. */
const TRAFFIC = CREDENTIALS.flatMap(([, { options }], index) =>
  [null, 'some-api-key-000111222'].map((key, turn) =>
    entry({ at: START + (2 * index + turn) * 3000, key, ...options }),
  ),
);

describe('traffic with more than 40 kinds of credentials', () => {
  it.each([
    ['as one file', har(TRAFFIC), FORMATS],
    ['as lines', TRAFFIC.map((one) => JSON.stringify(one)).join('\n'), 'json'],
  ])('leaves none in any artifact of a check, %s', async (form, content, formats) => {
    const output = path.join(scratch, form);
    const { stdout, stderr, code } = await assay([
      'check',
      scratchFile(`${form}.har`, content),
      `--base-url=${BASE}`,
      `--output=${output}`,
      `--format=${formats}`,
      `--events=${output}.ndjson`,
      '--fail-on=should',
    ]);
    expect(stderr).toBe('');
    expect(code).toBeLessThan(4);
    expect(stdout).toContain(`of ${TRAFFIC.length} recorded entries`);
    const judged = Number(/Judged (\d+)/.exec(stdout)?.[1]);
    expect(judged).toBeGreaterThanOrEqual(CREDENTIALS.length * 2 - 4);
    expect(
      leaked([
        ...filesBelow(scratch).filter(
          ({ name }) => name.includes(form) && !name.startsWith('recordings'),
        ),
        { name: 'console', text: stdout },
      ]),
    ).toEqual([]);
  });

  it('leaves none in what watch writes and shows', async () => {
    let answer: EntryOptions = {};
    const server = createServer((_, response) => {
      response.writeHead(answer.status ?? 200, {
        'content-type': 'application/json',
        ...answer.headers,
      });
      response.end(JSON.stringify(answer.body ?? []));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const events = path.join(scratch, 'watched.ndjson');
    const watch = await startWatch(`http://127.0.0.1:${port}/v1`, [
      '--events',
      events,
      '--format',
      FORMATS,
    ]);
    for (const [, { options }] of [...CREDENTIALS, ...CREDENTIALS]) {
      answer = options;
      const { pathname, search } = new URL(options.url ?? `${BASE}/analyses`);
      await new Promise<void>((resolve, reject) => {
        const sent = request(`${watch.listen}${pathname}${search}`, {
          headers: { ...options.requestHeaders },
        });
        sent
          .on('response', (got) => got.resume().on('end', resolve))
          .on('error', reject)
          .end();
      });
    }
    const shown = await Promise.all(
      Array.from({ length: CREDENTIALS.length * 2 }, async (_, index) => {
        const evidence = await fetch(`${watch.page}evidence/x${index + 1}`);
        return { name: `evidence ${index + 1}`, text: await evidence.text() };
      }),
    );
    const { text, code } = await watch.stop();
    server.close();
    expect(code).toBeLessThan(4);
    expect(watch.results().requests.total).toBeGreaterThan(CREDENTIALS.length);
    const console = { name: 'console', text };
    const others = filesBelow(scratch).filter(({ name }) => name === 'watched.ndjson');
    expect(leaked([...filesBelow(watch.output), ...others, ...shown, console])).toEqual([]);
  });
});

const resultOf = (results: Results, id: string) =>
  results.requirements.find((requirement) => requirement.id === id);
const SECRET = 'SECRETAAAA1111';
let count = 0;
/** Responses differ, so that none looks like a duplicate. */
const call = (options: EntryOptions = {}): unknown => {
  count += 1;
  return entry({ at: START + count * 3000, body: [{ chart_name: `c${count}` }], ...options });
};
const judged = async (...entries: readonly unknown[]) =>
  (await checked([scratchFile('some.har', har(entries))], { baseUrl: BASE })).results;

describe('a key in an unnamed header', () => {
  const without = (name: string, value = SECRET): unknown =>
    call({ key: null, requestHeaders: { [name]: value } });

  it.each(['x-acme-api-key', 'Ocp-Apim-Subscription-Key', 'X-Acme'])(
    'is no request without a key (%s)',
    async (name) => {
      const results = await judged(call(), without(name), without(name));
      expect(resultOf(results, '5/key-required')?.outcome).toBe('untested');
      expect(results.notes.join('\n')).toContain(`auth.header: ${name} in a target file`);
      expect(results.notes.join('\n')).toContain('2 requests without X-API-KEY may carry a key');
    },
  );

  it('is not judged as a request without a key', async () => {
    const refused = {
      status: 401,
      body: { code: 400101, message: 'No', details: { header: 'X-API-KEY', solution: 'x' } },
    };
    const results = await judged(
      call(),
      call({ key: null, requestHeaders: { 'x-acme': SECRET }, ...refused }),
    );
    expect(having(results, 'passed', 'observed')).not.toContain('5/key-required');
    expect(having(results, 'passed', 'observed')).not.toContain('5/missing-key-code');
  });

  it('may be a query parameter, which cannot be named', async () => {
    const url = `${BASE}/analyses?k=${SECRET}`;
    const results = await judged(call(), call({ key: null, url }), call({ key: null, url }));
    expect(resultOf(results, '5/key-required')?.outcome).toBe('untested');
    expect(results.notes.join('\n')).toContain('a key in the parameter k');
  });

  it('may be one of many', async () => {
    const keys = Array.from({ length: 60 }, (_, index) => `acme7f3a9c2d${index}x`);
    const results = await judged(
      call(),
      ...[...keys, ...keys].map((key) => without('X-Acme', key)),
    );
    expect(resultOf(results, '5/key-required')?.outcome).toBe('untested');
    expect(keys.filter((key) => JSON.stringify(results).includes(key))).toEqual([]);
  });

  it.each(['X-Request-Id', 'traceparent', 'X-Correlation-ID', 'X-Other'])(
    'is not what differs in every request (%s)',
    async (name) => {
      const id = (n: number): string => `4bf92f3577b34da6a3ce929d0e0e47${n}${n}`;
      const entries = [1, 2, 3, 4].map((n) =>
        call({
          key: n === 4 ? null : 'some-api-key-000111222',
          requestHeaders: { [name]: id(n) },
          headers: { [name]: id(n) },
        }),
      );
      const results = await judged(...entries);
      expect(resultOf(results, '5/key-required')?.outcome).toBe('failed');
      expect(results.notes.join('\n')).not.toContain('may carry a key');
    },
  );

  it('is not a cursor', async () => {
    const url = (n: number): string => `${BASE}/analyses?cursor=eyJpZCI6MTIzNDU2fQ${n}${n}`;
    const results = await judged(
      ...[1, 2, 3].map((n) => call({ url: url(n) })),
      call({ url: url(4), key: null }),
    );
    expect(resultOf(results, '5/key-required')?.outcome).toBe('failed');
  });

  it('is judged as a key once it is named', async () => {
    const target = scratchFile(
      'named.json',
      JSON.stringify({ baseUrl: BASE, auth: { header: 'x-acme-api-key' } }),
    );
    const file = scratchFile('named.har', har([without('x-acme-api-key')]));
    const { stdout } = await assay(['check', file, '-t', target, '-o', 'named']);
    expect(stdout).not.toContain('may carry a key');
    expect(stdout).toMatch(/Requests\s+1 \(keys: 1 valid\)/);
  });
});

describe('redacted values', () => {
  const shownIn = async (options: EntryOptions, showHeaders: readonly string[] = []) => {
    const file = scratchFile('shown.har', har([call(options)]));
    const { results } = await checked([file], { baseUrl: BASE, showHeaders });
    const [exchange] = results.exchanges;
    if (exchange === undefined) throw new Error('nothing was judged');
    return exchange;
  };

  it('are shown by length and digest, so that equal ones can be recognised', async () => {
    const requestHeaders = { 'X-One': 'admin', 'X-Two': 'admin', 'X-Three': 'nimda' };
    const first = (await shownIn({ requestHeaders })).request.headers;
    expect(first['X-One']).toMatch(/^\[redacted:5-chars:[0-9a-f]{8}\]$/);
    expect(first['X-Two']).toBe(first['X-One']);
    expect(first['X-Three']).not.toBe(first['X-One']);
    // Words could be guessed by their digest, so each check uses a different one.
    expect((await shownIn({ requestHeaders })).request.headers['X-One']).not.toBe(first['X-One']);
  });

  it('exclude standard headers and parameters of the API', async () => {
    const query = 'page=2&page_size=20&language=en&start_time=1795000000000&category=1';
    const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0';
    const { request: sent, response } = await shownIn({
      url: `${BASE}/news?${query}&pageSize=5`,
      requestHeaders: { 'User-Agent': agent, 'Accept-Language': 'de-DE,de;q=0.9' },
      headers: { 'x-ratelimit-reset': '1795167040120', 'x-cache': 'MISS from edge' },
    });
    expect(sent.url).toContain(`/news?${query}&pageSize=[redacted:1-chars:`);
    expect(sent.headers).toMatchObject({
      'User-Agent': agent,
      'Accept-Language': 'de-DE,de;q=0.9',
    });
    expect(response?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-ratelimit-reset': '1795167040120',
      'x-cache': 'MISS from edge',
    });
  });

  it('are shown with --show-header, except the key', async () => {
    const requestHeaders = { 'X-Team': 'blue', 'X-Other': 'red' };
    const { headers } = (await shownIn({ requestHeaders }, ['x-team', 'x-api-key'])).request;
    expect(headers).toMatchObject({
      'X-Team': 'blue',
      'X-Other': expect.stringContaining('redacted') as string,
      'X-API-KEY': expect.stringMatching(/^\[redacted:k:/) as string,
    });
    const file = scratchFile('flag.har', har([call({ requestHeaders })]));
    await assay(['check', file, '-o', 'flag', '--show-header', 'X-Team', '--show-header', 'X-No']);
    const [, text = ''] = filesBelow(path.join(scratch, 'flag'))
      .filter(({ name }) => name === 'results.json')
      .flatMap(({ name, text: whole }) => [name, whole]);
    expect(text).toContain('blue');
    expect(text).not.toMatch(/"red"/);
  });

  it.each(['test', 'bitcoin', 'chart', '1510070400000'])(
    'do not eat bodies when they are words or numbers (%s)',
    async (key) => {
      const body = [{ chart_name: `${key} price`, description: key }];
      for (const options of [
        { key, body },
        { requestHeaders: { 'x-acme-token': key }, body },
        { url: `${BASE}/analyses?token=${key}`, body },
      ]) {
        const { request: sent, response } = await shownIn(options);
        expect(response?.text).toBe(JSON.stringify(body));
        expect(JSON.stringify([sent.headers, sent.query])).not.toContain(`"${key}"`);
      }
    },
  );

  it('exclude identifiers in bodies and paths', async () => {
    const ids = ['65f1c0ffee1234567890abcd', '65f1c0ffee1234567890abce'];
    const entries = [...ids, ...ids].map((id) =>
      call({
        url: `${BASE}/fundraising/projects/${id}`,
        requestHeaders: { 'X-Project': id },
        body: { project_id: id },
      }),
    );
    const results = await judged(...entries);
    expect(against(results)).toEqual([]);
    expect(new Set(results.exchanges.map(({ request: { path: one } }) => one)).size).toBe(2);
  });

  it('are found when the recorder changed the letters of names, as gateways do', async () => {
    const names = ['x-api-key', 'X-Api-Key', 'X-API-Key'];
    const entries = names.map((name) => call({ key: null, requestHeaders: { [name]: SECRET } }));
    const results = await judged(...entries);
    expect(new Set(results.exchanges.map(({ key }) => key)).size).toBe(1);
    expect(JSON.stringify(results)).not.toContain(SECRET);
  });
});
