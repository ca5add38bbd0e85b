import { expect, it } from 'vitest';
import type { JobResult } from '../peers/run.ts';
import type { Raised } from '../peers/tool.ts';
import { shownAfter } from './peers-after.ts';

const tool = {
  id: 'peer',
  title: 'Peer',
  version: '1',
  command: 'peer',
  open: true,
  random: true,
  run: () => Promise.resolve({ failures: [] }),
};

const result = (failures: readonly string[], raised: readonly Raised[] = []): JobResult => ({
  job: { name: 'test', tool, seed: 1, faults: [], variants: [] },
  failures,
  raised,
  requests: 90,
  metered: 80,
});

const clean = [result(['GET /a ServerError 500'])];

it('counts up to the first failure that is new', () => {
  const raised = [
    { failure: 'GET /a ServerError', after: 2 },
    { failure: 'GET /b JsonSchemaError', after: 5 },
    { failure: 'GET /b JsonSchemaError', after: 9 },
  ];
  const failures = ['GET /a ServerError 500', 'GET /b JsonSchemaError /name/type'];
  expect(shownAfter(clean, result(failures, raised))).toBe(5);
});

it('gives null when nothing is new, however much was raised', () => {
  const raised = [{ failure: 'GET /a ServerError', after: 2 }];
  expect(shownAfter(clean, result(['GET /a ServerError 500'], raised))).toBeNull();
});

it('counts the whole run for what was not placed', () => {
  expect(shownAfter(clean, result(['GET /c IgnoredAuth']))).toBe(80);
});
