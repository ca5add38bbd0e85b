import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Results } from '../../src/report/model/results.ts';
import { scratch } from '../cli/assay.ts';
import { completed } from './completed.ts';
import { check, type CheckOptions, type Tally } from '../../src/run/check/check.ts';

/** The list of charts with all of its fields: the smallest answer of the service. */
export const CHARTS = [
  {
    chart_name: 'a',
    title: 'A',
    description: 'x',
    time_field: 't',
    fields: [{ name: 't', type: 'long' }],
  },
];

/** A recording of a tool, made by hand; a completed copy if §2 has gained fields since. */
export function fixture(name: string): string {
  const file = fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
  const complete = completed(name, readFileSync(file, 'utf8'));
  return complete === undefined ? file : scratchFile(name, complete);
}

/** Writes a file that is removed after the tests of this file. */
export function scratchFile(name: string, content: string | Uint8Array): string {
  const folder = path.join(scratch, 'recordings');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** Checks files without options. */
export function checked(
  files: readonly string[],
  options: Partial<CheckOptions> = {},
): Promise<{ results: Results; tally: Tally }> {
  return check({ files, only: [], skip: [], failOn: ['must'], ...options });
}

/** Ids of requirements with an outcome. */
export function having(results: Results, ...outcomes: readonly string[]): string[] {
  return results.requirements
    .filter(({ outcome }) => outcomes.includes(outcome))
    .map(({ id }) => id);
}

/** The findings as text, for messages of failed tests. */
export function against(results: Results): string[] {
  return results.requirements
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')
    .map(
      ({ id, findings }) => `${id}: ${findings[0]?.message ?? ''}: ${findings[0]?.actual ?? ''}`,
    );
}

export interface EntryOptions {
  readonly url?: string;
  readonly method?: string;
  readonly status?: number;
  readonly body?: unknown;
  readonly at?: number;
  readonly tookMs?: number;
  readonly key?: string | null;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly more?: Readonly<Record<string, unknown>>;
}

export const BASE = 'https://api.fixture.example/v1';
export const START = Date.UTC(2026, 10, 18, 14, 0, 0, 5);

const pairs = (headers: Readonly<Record<string, string>>): { name: string; value: string }[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** An entry of a HAR file as a proxy writes it. */
export function entry(options: EntryOptions = {}): Record<string, unknown> {
  const { at = START, tookMs = 30, key = 'some-api-key-000111222' } = options;
  const text = typeof options.body === 'string' ? options.body : JSON.stringify(options.body ?? []);
  return {
    startedDateTime: new Date(at).toISOString(),
    time: tookMs,
    request: {
      method: options.method ?? 'GET',
      url: options.url ?? `${BASE}/analyses`,
      headers: pairs({
        host: 'api.fixture.example',
        ...(key === null ? {} : { 'x-api-key': key }),
        ...options.requestHeaders,
      }),
    },
    response: {
      status: options.status ?? 200,
      headers: pairs({
        date: new Date(at + tookMs).toUTCString(),
        'content-type': 'application/json',
        ...options.headers,
      }),
      content: { size: Buffer.byteLength(text), mimeType: 'application/json', text },
    },
    ...options.more,
  };
}

/** A HAR file of these entries. */
export function har(entries: readonly unknown[], name = 'some proxy'): string {
  return JSON.stringify({ log: { version: '1.2', creator: { name, version: '1' }, entries } });
}
