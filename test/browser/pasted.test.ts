import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shellQuote } from '../../src/text/curl.ts';
import { cleanEnvironment } from '../kept/environment.ts';
import { describeInBrowser, launch, open, ready } from './chromium.ts';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

interface Pasted {
  readonly code: number;
  readonly stdout: string;
  readonly text: string;
}

describeInBrowser('commands of the copy menu, pasted into a shell', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay pasted '));
  let browser: Browser;
  let server: ChildProcess;
  let baseUrl = '';
  let key = '';

  beforeAll(async () => {
    browser = await launch();
    // As it is installed: a command on the path.
    mkdirSync(path.join(folder, 'bin'));
    const command = path.join(folder, 'bin', 'assay');
    writeFileSync(
      command,
      `#!/bin/sh\nexec ${[process.execPath, main].map(shellQuote).join(' ')} "$@"\n`,
    );
    chmodSync(command, 0o755);
    server = spawn(
      process.execPath,
      [main, 'serve', '--port', '0', '--fault', 'summary-unlisted-code'],
      { cwd: folder, env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const line = await new Promise<string>((resolve, reject) => {
      let said = '';
      server.stdout?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('\n')) resolve(said);
      });
      server.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
    });
    const listening = JSON.parse(line) as { readonly baseUrl: string; readonly target: string };
    const target = JSON.parse(readFileSync(listening.target, 'utf8')) as {
      readonly keys: { readonly valid: readonly string[] };
    };
    baseUrl = listening.baseUrl;
    key = target.keys.valid.slice(0, 2).join(',');
  });
  afterAll(async () => {
    await browser.close();
    server.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  /** What a shell makes of a text, with the settings of the README and no others. */
  function paste(text: string): Promise<Pasted> {
    const env = {
      ...cleanEnvironment(),
      PATH: `${path.join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    };
    const lines = `export ASSAY_API_KEY=${key}\n${text}\n`;
    return new Promise((resolve) => {
      const shell = execFile('sh', { cwd: folder, env }, (error, stdout, stderr) => {
        resolve({
          code: error === null ? 0 : Number(error.code),
          stdout,
          text: `${stdout}${stderr}`,
        });
      });
      shell.stdin?.end(lines);
    });
  }

  it('show the finding again: curl prints the wrong answer, and assay exits with 1', async () => {
    const first = await paste(
      `assay run --base-url ${baseUrl} --only 4.3/unlisted --output first --format html,json`,
    );
    expect({ code: first.code, text: first.text }).toMatchObject({ code: 1 });

    const report = pathToFileURL(path.join(folder, 'first', 'report.html')).href;
    const { page, trouble, close } = await open(browser, report);
    await ready(page);
    await page.evaluate(
      "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text; } } })",
    );
    const menu = page.locator('article.finding details.copy').first();
    await menu.locator('summary').click();
    const copied = async (label: string): Promise<string> => {
      await menu.getByRole('button', { name: `Copy: ${label}` }).click();
      await menu.getByText('✓ Copied').last().waitFor();
      return page.evaluate<string>('globalThis.copied');
    };
    const curl = await copied('Repeat the request');
    const judge = await copied('Rerun the check');
    const html = await page.content();
    expect(trouble).toEqual([]);
    await close();

    // The key is where the reader put it, and in nothing that was copied or shown.
    for (const one of key.split(',')) {
      expect(`${curl}\n${judge}`).not.toContain(one);
      expect(html).not.toContain(one);
    }

    const sent = await paste(curl);
    expect(sent.code).toBe(0);
    expect(sent.stdout).toMatch(/^HTTP\/1\.1 400 /);
    expect(sent.stdout).toMatch(/"code":\s*400003/);
    expect(sent.stdout).toContain('Unsupported');

    const judged = await paste(judge);
    expect(judged.code).toBe(1);
    expect(judged.text).toContain('4.3/unlisted');
    expect(judged.text).toContain('400001');
  });
});
