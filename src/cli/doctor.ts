import { access } from 'node:fs/promises';
import { exitCodeOf, fail, ok, type Check, type CheckStatus } from '../doctor/check.ts';
import { diagnose, doctorRequests, IF_BASE_PATH_IS_WRONG } from '../doctor/doctor.ts';
import { k6Check, nodeCheck, outputCheck } from '../doctor/machine.ts';
import { guardLines, palette, wantsColor } from '../report/terminal/console.ts';
import { EXIT } from '../spec/exit-codes.ts';
import { plural, visible } from '../text/text.ts';
import { readTargetFile } from '../target/file/target-file.ts';
import { chooseProxy } from '../target/proxy.ts';
import type { Target } from '../target/target.ts';
import { TargetError } from '../target/errors.ts';
import { commandBody, toggle, string, type ValuesOf } from './command.ts';
import { withEnvironment } from './config.ts';
import { guardConsole } from './guarded-console.ts';
import { TARGET_OPTIONS, targetOf } from './options.ts';

const OPTIONS = {
  ...TARGET_OPTIONS,
  output: string('Report folder to check; default: reports', { alias: 'o' }),
  format: { choices: ['text', 'json'], default: 'text', describe: 'Output format' },
  'spend-near-quota': toggle('Also try the near-quota key; uses one of its last requests'),
} as const;

type DoctorArguments = ValuesOf<typeof OPTIONS>;

/** `assay doctor`: checks everything a run depends on, one line each, with a fix for each failure. */
export const doctorCommand = commandBody({
  options: OPTIONS,
  examples: {
    '$0 doctor -t assay.target.yaml': 'before the first run',
    '$0 doctor -t staging.yaml && $0 run -t staging.yaml': 'run only if no check fails',
    '$0 doctor -u https://staging.example/v1 --format json': 'machine-readable output',
  },
  handler: async (argv) => handle(withEnvironment(argv, ['target', 'output'])),
});

async function handle(argv: DoctorArguments): Promise<number> {
  const isText = argv.format === 'text';
  const print = printer(palette(wantsColor(process.stdout.isTTY, process.env)));
  const checks: Check[] = [];
  const say = (check: Check): void => {
    checks.push(check);
    if (isText) process.stdout.write(print(check));
  };
  let target: Target | null = null;
  let problem: TargetError | null = null;
  try {
    target = targetOf(argv, false);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    problem = error;
  }
  const requests = target === null ? {} : doctorRequests(target, argv['spend-near-quota']);
  if (isText) process.stdout.write(`${announcement(target, requests)}\n`);
  say(nodeCheck(process.versions.node));
  say(await k6Check(process.env));
  say(await outputCheck(argv.output ?? 'reports'));
  if (problem !== null) {
    const detail = `${problem.message.replaceAll('\n', '; ')} [${problem.code}]`;
    say(fail('target', detail, await hintFor(problem, argv), EXIT.usage));
  }
  if (target !== null) {
    guardConsole(target);
    say(ok('target', argv.target ?? process.env['ASSAY_TARGET'] ?? 'from flags and environment'));
    const proxy = chooseProxy(target.baseUrl, {
      flag: argv.proxy,
      env: process.env,
      file: proxyOfFile(argv),
    });
    const options = { target, proxy, spendNearQuota: argv['spend-near-quota'] };
    for await (const check of diagnose(options)) say(check);
  }
  const exitCode = exitCodeOf(checks);
  if (isText) process.stdout.write(`${summary(checks, exitCode)}\n`);
  else {
    const document = { baseUrl: target?.baseUrl ?? null, requests, exitCode, checks };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  }
  return exitCode;
}

/** The hint of an error. Without a target, points to the file that `assay init` creates. */
async function hintFor({ hint }: TargetError, argv: DoctorArguments): Promise<string> {
  const { ASSAY_BASE_URL, ASSAY_TARGET } = process.env;
  if ((argv['base-url'] ?? argv.target ?? ASSAY_BASE_URL ?? ASSAY_TARGET) !== undefined)
    return hint;
  return access('assay.target.yaml').then(
    () => 'Use the target file in this folder: assay doctor -t assay.target.yaml',
    () => `${hint} \`assay init\` creates a target file.`,
  );
}

function proxyOfFile(argv: DoctorArguments): string | null | undefined {
  const file = argv.target ?? process.env['ASSAY_TARGET'];
  if (file === undefined) return undefined;
  return readTargetFile(file, process.env, ['baseUrl', 'keys.valid', 'keyCommand']).http?.proxy;
}

function announcement(target: Target | null, requests: Readonly<Record<string, number>>): string {
  if (target === null) return 'assay doctor: no usable target, so no requests are sent';
  const parts = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `${count} with ${what}`)
      .join(', ');
  const total = Object.values(requests).reduce((sum, count) => sum + count, 0);
  return `assay doctor: ${visible(target.baseUrl)}, at most ${plural(total, 'request')}: ${parts(requests)} (plus up to ${parts(IF_BASE_PATH_IS_WRONG)} if the base path is wrong)`;
}

const HEADS: Readonly<Record<CheckStatus, string>> = {
  ok: '✓ ok  ',
  warn: '! warn',
  fail: '✗ FAIL',
  skip: '– skip',
};

function printer(colors: ReturnType<typeof palette>): (check: Check) => string {
  const paint = { ok: colors.green, warn: colors.yellow, fail: colors.red, skip: colors.dim };
  return ({ name, status, detail, fix }) => {
    const lines = [`  ${paint[status](HEADS[status])} ${name.padEnd(20)} ${visible(detail)}`];
    if (fix !== null) {
      const said = status === 'skip' ? colors.dim(fix) : `fix: ${visible(fix)}`;
      lines.push(`${' '.repeat(30)}${said}`);
    }
    return `${guardLines(lines.join('\n'))}\n`;
  };
}

function summary(checks: readonly Check[], exitCode: number): string {
  const count = (status: CheckStatus): number =>
    checks.filter((one) => one.status === status).length;
  const numbers = `${count('ok')} ok, ${plural(count('warn'), 'warning')}, ${plural(count('fail'), 'failure')}, ${count('skip')} skipped`;
  if (exitCode === 0) return `${numbers}: a run can start`;
  return exitCode === 2
    ? `${numbers}: a run cannot start (exit 2)`
    : `${numbers}: a run would be incomplete (exit 3)`;
}
