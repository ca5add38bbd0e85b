import { EXIT } from '../spec/exit-codes.ts';

/** What an error code stands for. The code and its exit code are part of the interface: scripts rely on them. */
export interface ErrorCodeFacts {
  /** Exit code of a command that ends with it. */
  readonly exit: number;
  readonly means: string;
  /** What a user can do. The message of an error that knows better says so itself. */
  readonly wayOut: string;
}

const usage = (means: string, wayOut: string): ErrorCodeFacts => ({
  exit: EXIT.usage,
  means,
  wayOut,
});
const incomplete = (means: string, wayOut: string): ErrorCodeFacts => ({
  exit: EXIT.incomplete,
  means,
  wayOut,
});
const internal = (means: string, wayOut: string): ErrorCodeFacts => ({
  exit: EXIT.internal,
  means,
  wayOut,
});

/** Every code that Assay ends with or records, in the order of `docs/errors.md`. */
export const ERROR_CODES: Readonly<Record<string, ErrorCodeFacts>> = {
  ASSAY_USAGE: usage(
    'The command line cannot be used as given.',
    'Read the sentence; `assay COMMAND --help` shows options and examples.',
  ),
  ASSAY_FILE: usage(
    'A file or folder cannot be read or written.',
    'Check the path, its permissions and the free space, or choose another folder with --output.',
  ),
  ASSAY_TARGET_UNREADABLE: usage(
    'The target file cannot be read.',
    'Check the path of --target or ASSAY_TARGET, or write a file with `assay init`.',
  ),
  ASSAY_TARGET_SYNTAX: usage(
    'The target file is neither YAML nor JSON.',
    'Repair the line that the message names.',
  ),
  ASSAY_TARGET_INVALID: usage(
    'A setting of the target, of a flag or of the environment is unknown or has a wrong value.',
    'Compare it with docs/target-file.md.',
  ),
  ASSAY_TARGET_VARIABLE: usage(
    'The target file names an environment variable that is not set.',
    'Set the variable, or take the setting out.',
  ),
  ASSAY_TARGET_BASE_URL: usage(
    'No base URL is given, or one that cannot be used.',
    'Give --base-url, ASSAY_BASE_URL or baseUrl: http or https, without query and credentials.',
  ),
  ASSAY_TARGET_KEY: usage(
    'No valid key is given, or a key that cannot be used.',
    'Set ASSAY_API_KEY or keys.valid; every role needs a key of its own.',
  ),
  ASSAY_TARGET_BEARER: usage(
    'The command of http.bearer cannot be run, fails, or prints no token.',
    'Run it by hand: it has to print one token, and nothing else.',
  ),
  ASSAY_TARGET_CLOCK: usage(
    'The clock of a test target cannot be moved.',
    'Check clock.control, or take it out of the target file.',
  ),
  ASSAY_CONFIG: usage(
    'The configuration file, or an environment in it, cannot be used.',
    'Correct it after schemas/tool/config.json; docs/target-file.md shows one.',
  ),
  ASSAY_KEY_IN_PLAIN: usage(
    'A key itself was given where the name of an environment variable belongs.',
    'Put the key into an environment variable and give its name. A key that stood on a command line is in the history of the shell: replace it.',
  ),
  ASSAY_FILE_EXISTS: usage(
    'A file that would be written is there already.',
    'Name another with --out, or replace it with --force.',
  ),
  ASSAY_FOLDER_IN_USE: usage(
    'Another command writes into the folder, or may: its lock is there.',
    'Wait until it has ended, or name another folder with --output; docs/interrupted-runs.md says when a lock may be removed.',
  ),
  ASSAY_MONITOR: usage(
    'The state of a monitor cannot be read or written, or is that of another target.',
    'Read the sentence; docs/monitor.md says what is in the folder of a monitor.',
  ),
  ASSAY_METRICS_MISSING: usage(
    'Metrics are asked for, and the SDK of OpenTelemetry is not installed.',
    'Install the packages that the hint names beside Assay; docs/monitor.md says why they are optional.',
  ),
  ASSAY_RECORDING: usage(
    'A file of recorded traffic cannot be read, or holds nothing of the service.',
    'Read the sentence; docs/recorded-traffic.md says how to record.',
  ),
  ASSAY_RESUME: usage(
    'An interrupted run cannot be taken up, a recording cannot be judged again, or a journal cannot be begun.',
    'Read the sentence; docs/interrupted-runs.md says what has to fit.',
  ),
  ASSAY_WATCH_LISTEN: usage(
    'A watch cannot listen where it was told to.',
    'Name another address and port with --listen or --page; port 0 takes any free one.',
  ),
  ASSAY_WATCH_STORE: usage(
    'A watch cannot keep what it knows.',
    'Name a folder that can be written with --output, or make room on the disk.',
  ),
  ASSAY_WATCH_STATE: usage(
    'What an earlier watch left in the folder cannot be taken up.',
    'Name another folder with --output, or begin anew in this one with --fresh.',
  ),
  ASSAY_WATCH_SETTING: usage(
    'A setting of the target cannot be used by a watch, which passes traffic on as it is.',
    'Read the sentence; docs/watch.md says what a watch does with each setting.',
  ),
  ASSAY_WAIVERS: usage(
    'The waiver file cannot be used.',
    'Make one with `assay waive` or in the review view of report.html, or correct it after schemas/tool/waivers.json.',
  ),
  ASSAY_REPORT_WRITE: usage(
    'The reports cannot be written.',
    'Check the folder of --output and the free space; `assay report results.json` writes them again.',
  ),
  ASSAY_K6_MISSING: usage(
    'There is no k6 that can be used, nor a way to build one.',
    'Name one with --k6 or ASSAY_K6, put it on the PATH, or install Go so that Assay can build it.',
  ),
  ASSAY_K6_VERSION: usage(
    'The k6 that was named or found is not of version 2.',
    'Name another with --k6 or ASSAY_K6.',
  ),
  ASSAY_LOAD_USAGE: usage(
    'The load scenario, its options and the target do not go together.',
    'Read the sentence; `assay load SCENARIO --plan` says what a scenario needs.',
  ),
  ASSAY_LOAD_TARGET: incomplete(
    'The target does not answer as the preparation of a load scenario needs it.',
    'Run `assay doctor` with the same target.',
  ),
  ASSAY_OUTPUT: incomplete(
    'Standard output could not be written, for example because the disk is full. An exit code other than 0 stays as it is.',
    'Make room on the disk. The reports of a run are in its folder.',
  ),
  ASSAY_TARGET_UNREACHABLE: incomplete(
    'The target does not answer, or stopped answering.',
    'Run `assay doctor` with the same target: it tells name, address, proxy and TLS apart.',
  ),
  ASSAY_KEYS_REJECTED: incomplete(
    'The target refuses valid keys with 401.',
    'Run `assay doctor` with the same target: it tries each key and compares the key header.',
  ),
  ASSAY_TARGET_THROTTLED: incomplete(
    'The target keeps answering 429, whole windows long.',
    'Look at the monthly quota, at other users of the keys, and at limits.windowMs.',
  ),
  ASSAY_TARGET_UNAVAILABLE: incomplete(
    'The target keeps answering 503.',
    'Wait until the maintenance is over.',
  ),
  ASSAY_TARGET_FAILS: incomplete(
    'The target fails on everything that valid keys ask, from the start: 5xx.',
    'Look into the log of the service, and at what stands in front of it.',
  ),
  ASSAY_TARGET_HANGS: incomplete(
    'The target lets requests hang until they time out.',
    'Look for what holds the service up; when it is only slow, raise http.timeoutMs or --timeout-ms.',
  ),
  ASSAY_TARGET_REFUSES: incomplete(
    'The target gives everything that valid keys ask the same refusal: 403, 404 or a redirect.',
    'Run `assay doctor` with the same target: it finds a wrong base path and names redirects.',
  ),
  ASSAY_NOT_THIS_SERVICE: incomplete(
    'What answers is something else: no answer to a valid key holds a resource of the service.',
    'Correct the base URL: the sentence names the one that works when it is found on the same host.',
  ),
  ASSAY_JOURNAL: incomplete(
    'The journal of a run cannot be written, so that the run was stopped.',
    'Make room on the disk, then go on with `assay run --resume`.',
  ),
  ASSAY_NO_TOKEN: incomplete(
    'The token for the gateway ends, and the command of http.bearer gives no new one, so that the run was stopped.',
    'Run the command by hand, log in again if it says so, then go on with `assay run --resume`.',
  ),
  ASSAY_ENDPOINT_GIVEN_UP: incomplete(
    'One endpoint hangs and was not asked again. Recorded as the reason of outcomes.',
    'Look for what holds it up; when it is only slow, raise http.timeoutMs or --timeout-ms.',
  ),
  ASSAY_NOT_RECORDED: incomplete(
    'A recording does not hold a request. Recorded as the reason of untested requirements.',
    'Run against the service to find out.',
  ),
  ASSAY_BUDGET_EXHAUSTED: incomplete(
    'The requests of --max-requests are used up. Recorded as the reason of untested requirements.',
    'Raise --max-requests, or run less with --only.',
  ),
  ASSAY_MISSING_KEY: incomplete(
    'No key of a role is configured. Recorded as the reason of untested requirements.',
    'Add the key that the reason names to the target file.',
  ),
  ASSAY_LOAD_RUN: internal(
    'k6 or one of its scripts failed, or left nothing to judge.',
    'Set ASSAY_DEBUG=1 and report the output.',
  ),
  ASSAY_SUITE_FAILURE: internal(
    'The suites of Assay themselves failed.',
    'Set ASSAY_DEBUG=1 and report the output.',
  ),
  ASSAY_SECRET_LEAK: internal(
    'A key or another secret was about to be printed or written, and was withheld.',
    'Report it without the files. If the secret is an ordinary word, use a key that is none.',
  ),
  ASSAY_REPORT_APP_MISSING: internal(
    'The script of the HTML report was not built.',
    'Run `npm run build` in the checkout of Assay.',
  ),
  ASSAY_SESSION_CLOSED: internal(
    'A request was to be sent after the end of a session.',
    'Set ASSAY_DEBUG=1 and report the output.',
  ),
  ASSAY_INTERNAL: internal(
    'Something that Assay did not foresee.',
    'Set ASSAY_DEBUG=1 and report the output.',
  ),
};
