import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { survey, SURVEY_REQUESTS, type Survey } from '../../doctor/survey.ts';
import { EXIT } from '../../spec/exit-codes.ts';
import { resolveTarget } from '../../target/file/resolve-target.ts';
import type { Target } from '../../target/target.ts';
import { shellQuote } from '../../text/curl.ts';
import { plural, visible } from '../../text/text.ts';
import { calledAs } from '../called-as.ts';
import { commandBody, toggle, string, type ValuesOf } from '../command.ts';
import { UsageError } from '../errors.ts';
import { guardConsole } from '../guarded-console.ts';
import { interview, Interrupted } from './init-questions.ts';
import { flagSettings, SETTING_OPTIONS, unset, type InitSettings } from './init-settings.ts';
import { targetYaml } from './target-yaml.ts';
import { listOf, NETWORK_OPTIONS, warnInsecure } from '../options.ts';

const OPTIONS = {
  ...SETTING_OPTIONS,
  out: string('File to write', { default: 'assay.target.yaml' }),
  force: toggle('Overwrite an existing file'),
  yes: toggle('Ask no questions', { alias: 'y' }),
  offline: toggle('Send no requests'),
  ...NETWORK_OPTIONS,
} as const;

type InitArguments = ValuesOf<typeof OPTIONS>;

/** `assay init`: asks, probes the target, and writes a commented target file without keys. */
export const initCommand = commandBody({
  options: OPTIONS,
  examples: {
    '$0 init': 'ask for everything',
    '$0 init -u https://staging.example/v1 --key-env STAGING_KEY --yes': 'ask no questions',
    '$0 init -u http://127.0.0.1:4010 --key-env KEY --offline': 'send no requests',
  },
  handler: handle,
});

async function handle(argv: InitArguments): Promise<number> {
  if (!argv.force && existsSync(argv.out)) {
    throw new UsageError(
      `${argv.out} already exists.`,
      'Overwrite it with --force, or choose another file with --out.',
      'ASSAY_FILE_EXISTS',
    );
  }
  const known = flagSettings(argv, process.env);
  const { baseUrl, valid } = known;
  const isInteractive = !argv.yes && process.stdin.isTTY === true && process.stdout.isTTY === true;
  const isComplete = baseUrl !== undefined && valid !== undefined;
  const settings =
    isInteractive || !isComplete
      ? await asked(known, argv, isInteractive)
      : { ...known, baseUrl, valid };
  if (settings === null) {
    process.stderr.write('\nassay: interrupted; nothing was written.\n');
    return EXIT.interrupted;
  }
  // In the interview, the user has chosen not to probe the target.
  const isUnset = !isComplete && unset(settings.valid, process.env).length > 0;
  const offline = argv.offline || isUnset;
  const target = targetOf(settings, { ...argv, offline });
  if (!offline) {
    process.stdout.write(
      `Probing ${visible(target.baseUrl)} with at most ${SURVEY_REQUESTS.valid} requests with valid keys and ${SURVEY_REQUESTS.none} without a key.\n`,
    );
  }
  const found = offline ? null : await survey(target);
  await writeFile(argv.out, targetYaml(settings, found), { flag: argv.force ? 'w' : 'wx' });
  report(argv, settings, found);
  return found?.stopped == null || Object.keys(found.fixtures).length > 0
    ? EXIT.conforms
    : EXIT.incomplete;
}

/** Settings from flags and from questions; null when the user interrupted the questions. */
async function asked(
  known: Partial<InitSettings>,
  { offline }: InitArguments,
  isInteractive: boolean,
): Promise<InitSettings | null> {
  if (!isInteractive) {
    const missing = [
      ...(known.baseUrl === undefined ? ['--base-url URL'] : []),
      ...(known.valid === undefined ? ['--key-env NAME'] : []),
    ];
    throw new UsageError(
      `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing, and there is no terminal for questions.`,
      'For example: assay init --base-url https://staging.example/v1 --key-env STAGING_KEY --yes',
    );
  }
  const { env, stdin: input, stdout: output } = process;
  try {
    return await interview(known, { input, output, env, looks: !offline });
  } catch (error) {
    if (error instanceof Interrupted) return null;
    throw error;
  }
}

/** The target to probe; keys are read from the environment unless offline. */
function targetOf(settings: InitSettings, argv: InitArguments): Target {
  const { env } = process;
  const missing = unset(settings.valid, env);
  if (!argv.offline && missing.length > 0) {
    const [variables, are] = missing.length === 1 ? ['variable', 'is'] : ['variables', 'are'];
    throw new UsageError(
      `The environment ${variables} ${missing.join(', ')} ${are} not set, so the target cannot be probed.`,
      `Run: export ${missing[0] ?? ''}=…  To write the file without probing the target, use --offline.`,
    );
  }
  // Only ASSAY_API_KEY can hold several keys.
  const keys = settings.valid.flatMap((name) =>
    name === 'ASSAY_API_KEY' ? listOf(env[name]) : [env[name] ?? ''],
  );
  const target = resolveTarget({
    flags: {
      ...argv,
      'base-url': settings.baseUrl,
      ...(!argv.offline && { 'api-key': keys }),
    },
    // Only the network variables matter for the file to write.
    env: {
      ...env,
      ASSAY_API_KEY: undefined,
      ASSAY_KEY_FILE: undefined,
      ASSAY_BASE_URL: undefined,
    },
    file: settings.authHeader === undefined ? {} : { auth: { header: settings.authHeader } },
    requireKey: false,
  });
  warnInsecure(target);
  guardConsole(target);
  return target;
}

function report({ out }: InitArguments, settings: InitSettings, found: Survey | null): void {
  const say = (line: string): void => void process.stdout.write(`${visible(line)}\n`);
  if (found !== null) {
    for (const remark of found.remarks) say(`  ${remark}`);
    const kinds = Object.keys(found.fixtures).length;
    say(`Sent ${plural(found.requests, 'request')}; found values for ${kinds} of 8 fixtures.`);
    if (found.stopped !== null)
      say(
        `Probing stopped early: ${found.stopped}. Settings that were not found are commented out in the file.`,
      );
  }
  say(
    `Wrote ${out}. It contains no keys: ${settings.valid.map((name) => `\${${name}}`).join(', ')} ${settings.valid.length === 1 ? 'is' : 'are'} read on each run.`,
  );
  if ((process.env['ASSAY_API_KEY'] ?? '') !== '' && !settings.valid.includes('ASSAY_API_KEY')) {
    say(
      'ASSAY_API_KEY is set and overrides keys.valid in a target file: unset it to use the keys that the file names.',
    );
  }
  say(
    'For several targets or shared options, add sections to assay.config.yaml and use `assay run -e NAME`; see docs/target-file.md.',
  );
  const assay = calledAs(process.env);
  say(`Next: ${assay} doctor -t ${shellQuote(out)}, then ${assay} run -t ${shellQuote(out)}`);
}
