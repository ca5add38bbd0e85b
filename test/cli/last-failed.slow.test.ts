import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { rerunCommand } from '../../src/report/analysis/rerun.ts';
import { planRun } from '../../src/run/plan.ts';
import { WORLD } from '../kept/data.ts';
import { disturbed } from '../trust/servers.ts';
import { killedRun } from '../resume/counting.ts';
import { assay, scratch } from './assay.ts';

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const resultsIn = (folder: string): Results =>
  JSON.parse(readFileSync(path.join(scratch, folder, 'results.json'), 'utf8')) as Results;
const outcomeIn = (folder: string, id: string): Results['requirements'][number] | undefined =>
  resultsIn(folder).requirements.find((one) => one.id === id);

const run = (target: string, output: string, ...args: string[]) =>
  assay(['run', '-t', target, '--quiet', '--output', output, ...args]);

const STILL_WRONG = '7/currency-not-found-message';
const REPAIRED = '4.3/symbol-message';

describe('failures seen only in responses to other requests', () => {
  it('are not green where only the near-quota key showed them, which is spared', async () => {
    const server = await disturbed((_request, _response, answer) => answer(), {
      faults: ['news-page-short'],
    });
    try {
      await run(server.target, 'short page', '--only', '4.2/page-full', '--only', '8');
      expect(outcomeIn('short page', '4.2/page-full')?.outcome).toBe('failed');
      const last = await run(server.target, 'last', '--last-failed', 'short page');
      expect(last.code, last.text).toBe(3);
      expect(outcomeIn('last', '4.2/page-full')?.reason).toContain('near-quota key');
    } finally {
      await server.close();
    }
  });

  it.each([
    ['summary-symbol-message', REPAIRED, '4.3,7'],
    // Its own checks pass: a list filtered by exchange is what counts one too many.
    ['pairs-total-one-more', '4.1/pairs-page-full', '4.1'],
  ])('are reproduced by the command that the finding of %s prints', async (fault, id, only) => {
    const server = await disturbed((_request, _response, answer) => answer(), { faults: [fault] });
    try {
      await run(server.target, `${fault} printed`, '--only', only);
      const results = resultsIn(`${fault} printed`);
      const [finding] = outcomeIn(`${fault} printed`, id)?.findings ?? [];
      expect(finding).toBeDefined();
      const command = rerunCommand(results, { id, ...(finding && { finding }) });
      const ids = [...command.matchAll(/--only (\S+)/g)].flatMap(([, one = '']) => ['--only', one]);
      const again = await run(server.target, `${fault} again`, ...ids);
      expect(again.code, again.text).toBe(1);
      const before = outcomeIn(`${fault} printed`, id)?.findings.map(({ actual }) => actual);
      const after = outcomeIn(`${fault} again`, id)?.findings.map(({ actual }) => actual);
      expect(after).toEqual(expect.arrayContaining(before ?? []));
      // Alone in its file, the requirement is rerun with the one whose request shows it.
      const { requirements, ...rest } = results;
      const alone = {
        ...rest,
        requirements: requirements.map((one) =>
          one.id === id ? one : { ...one, outcome: 'passed' },
        ),
      };
      mkdirSync(path.join(scratch, `${fault} alone`));
      writeFileSync(path.join(scratch, `${fault} alone`, 'results.json'), JSON.stringify(alone));
      const last = await run(server.target, `${fault} last`, '--last-failed', `${fault} alone`);
      expect(last.code, last.text).toBe(1);
    } finally {
      await server.close();
    }
  });

  it('fail again with --last-failed, although another one was fixed', async () => {
    const servers = await Promise.all(
      [['summary-symbol-message', 'unknown-currency-message'], ['unknown-currency-message']].map(
        (faults) => disturbed((_request, _response, answer) => answer(), { faults }),
      ),
    );
    const [before, repaired] = servers;
    try {
      await run(before?.target ?? '', 'two red', '--only', '4.3,7');
      expect(outcomeIn('two red', REPAIRED)?.outcome).toBe('failed');
      const again = await run(repaired?.target ?? '', 'one red', '--last-failed', 'two red');
      expect(again.code, again.text).toBe(1);
      expect(outcomeIn('one red', REPAIRED)?.outcome).toBe('passed');
      expect(outcomeIn('one red', STILL_WRONG)?.outcome).toBe('failed');
    } finally {
      await Promise.all(servers.map((server) => server.close()));
    }
  });
});

describe('a failed must that can no longer be judged', () => {
  it('keeps --last-failed from ending with 0', async () => {
    const server = await disturbed((_request, _response, answer) => answer(), {
      faults: ['expired-key-as-unknown', 'summary-symbol-message'],
    });
    const repaired = await disturbed((_request, _response, answer) => answer());
    try {
      await run(server.target, 'with the key', '--only', '4.3,5');
      expect(outcomeIn('with the key', '5/expired-key')?.outcome).toBe('failed');
      const file = JSON.parse(readFileSync(repaired.target, 'utf8')) as {
        keys: Record<string, unknown>;
      };
      delete file.keys['expired'];
      const target = path.join(scratch, 'without the key.json');
      writeFileSync(target, JSON.stringify(file));
      const again = await run(target, 'without the key', '--last-failed', 'with the key');
      expect(again.code, again.text).toBe(3);
      expect(outcomeIn('without the key', '5/expired-key')).toMatchObject({
        outcome: 'inconclusive',
        reason: expect.stringMatching(/failed in the last run.*keys\.expired/) as string,
      });
      // Nor when the run is killed and resumed.
      const args = ['--output', 'killed', '--last-failed', 'with the key'];
      await killedRun({ ...repaired, target, seen: [] }, args, 2);
      const resumed = await run(target, 'killed', '--resume', 'killed');
      expect(resumed.code, resumed.text).toBe(3);
    } finally {
      await Promise.all([server.close(), repaired.close()]);
    }
  });
});

describe('a selected requirement', () => {
  it('is requested in every profile, also where smaller ones judge it by other requests', async () => {
    const options = { target: null, seed: 1, maxRequests: null, skip: [], world: WORLD };
    const ids = ['7/error-shape', '7/status-agrees', STILL_WRONG, REPAIRED, '4.3/own-rows'];
    const whole = await planRun({ ...options, profile: 'full', only: ids });
    expect(whole.untested).toEqual([]);
    for (const id of ids) {
      for (const profile of ['smoke', 'standard'] as const) {
        const { checks, untested } = await planRun({ ...options, profile, only: [id] });
        expect(checks, `${id} in ${profile}`).toBeGreaterThan(0);
        expect(untested).toEqual([]);
      }
    }
  });
});

describe('requirements that a profile judges by other requests', () => {
  it('are not reported as left out by the profile when those fail', async () => {
    const server = await disturbed((request, response, answer) => {
      if (request.url?.includes('/etfs/summary-history') !== true) return answer();
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ code: 500001, message: 'Internal error', details: {} }));
    });
    try {
      await run(server.target, 'failing summary');
      const left = resultsIn('failing summary').requirements.filter(
        ({ level, cause }) =>
          level === 'must' && cause?.kind === 'not-selected' && cause.by === 'profile',
      );
      // The rest of §8 depends on whether the planned requests used up a window, and still names the profile.
      expect(left.map(({ id }) => id).filter((id) => !id.startsWith('8/'))).toEqual([]);
      expect(outcomeIn('failing summary', '4.3/own-rows')).toMatchObject({
        outcome: 'inconclusive',
        reason: expect.stringMatching(/summary-history.* failed with 500/) as string,
      });
    } finally {
      await server.close();
    }
  });
});
