import { EXIT } from '../spec/exit-codes.ts';

/** An error code. Code and exit code are a public interface: scripts rely on them. */
export interface ErrorCodeFacts {
  /** Exit code of a command that ends with it. */
  readonly exit: number;
  readonly means: string;
  /** What a user can do; an error with a hint of its own overrides it. */
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

/** Every code that Assay reports or records, in the order of `docs/errors.md`. */
export const ERROR_CODES: Readonly<Record<string, ErrorCodeFacts>> = {
  ASSAY_USAGE: usage(
    'The command line is invalid.',
    'See `assay COMMAND --help` for options and examples.',
  ),
  ASSAY_FILE: usage(
    'A file or folder cannot be read or written.',
    'Check the path, its permissions and the free disk space, or choose another folder with --output.',
  ),
  ASSAY_TARGET_UNREADABLE: usage(
    'The target file cannot be read.',
    'Check the path in --target or ASSAY_TARGET, or create a target file with `assay init`.',
  ),
  ASSAY_TARGET_SYNTAX: usage(
    'The target file is neither YAML nor JSON.',
    'Fix the line named in the message.',
  ),
  ASSAY_TARGET_INVALID: usage(
    'A setting in the target file, a flag or the environment is unknown or has an invalid value.',
    'See docs/target-file.md.',
  ),
  ASSAY_TARGET_VARIABLE: usage(
    'The target file refers to an environment variable that is not set.',
    'Set the variable, or remove the setting.',
  ),
  ASSAY_TARGET_BASE_URL: usage(
    'The base URL is missing or invalid.',
    'Set --base-url, ASSAY_BASE_URL or baseUrl to an http or https URL without a query or credentials.',
  ),
  ASSAY_TARGET_KEY: usage(
    'No valid key is configured, or a key cannot be used.',
    'Set ASSAY_API_KEY or keys.valid; each role needs a different key.',
  ),
  ASSAY_TARGET_BEARER: usage(
    'The http.bearer command cannot be started, fails, or prints no token.',
    'Run it by hand: it must print one token and nothing else.',
  ),
  ASSAY_TARGET_CLOCK: usage(
    'The clock of a test target cannot be advanced.',
    'Check clock.control, or remove it from the target file.',
  ),
  ASSAY_CONFIG: usage(
    'The configuration file, or an environment in it, is invalid.',
    'Compare it with schemas/tool/config.json; docs/target-file.md has an example.',
  ),
  ASSAY_KEY_IN_PLAIN: usage(
    'A key was given instead of the name of an environment variable.',
    'Put the key into an environment variable and pass the name of the variable. Rotate the key: it is now in the shell history.',
  ),
  ASSAY_FILE_EXISTS: usage(
    'The file to write already exists.',
    'Choose another file with --out, or overwrite it with --force.',
  ),
  ASSAY_FOLDER_IN_USE: usage(
    'Another command has locked the folder.',
    'Wait until it has finished, or choose another folder with --output; docs/interrupted-runs.md explains when a lock can be removed.',
  ),
  ASSAY_MONITOR: usage(
    'The state of a monitor cannot be read or written, or belongs to a different target.',
    'docs/monitor.md describes the folder of a monitor.',
  ),
  ASSAY_METRICS_MISSING: usage(
    'Metrics need the OpenTelemetry SDK, which is not installed.',
    'Install the packages named in the hint next to Assay; docs/monitor.md explains why they are optional.',
  ),
  ASSAY_RECORDING: usage(
    'A recording cannot be read, or contains no traffic for the service.',
    'docs/recorded-traffic.md explains how to record.',
  ),
  ASSAY_RESUME: usage(
    'An interrupted run cannot be resumed, a recording cannot be replayed, or a journal cannot be created.',
    'docs/interrupted-runs.md lists the conditions.',
  ),
  ASSAY_WATCH_LISTEN: usage(
    'A watch cannot listen on the given address.',
    'Choose another address or port with --listen or --page; port 0 picks a free one.',
  ),
  ASSAY_WATCH_STORE: usage(
    'A watch cannot save its state.',
    'Choose a writable folder with --output, or free up disk space.',
  ),
  ASSAY_WATCH_STATE: usage(
    'The state of an earlier watch in the folder cannot be resumed.',
    'Choose another folder with --output, or discard the state with --fresh.',
  ),
  ASSAY_WATCH_SETTING: usage(
    'A target setting does not work with a watch, which forwards traffic unchanged.',
    'docs/watch.md explains how a watch treats each setting.',
  ),
  ASSAY_WAIVERS: usage(
    'The waiver file is invalid.',
    'Create it with `assay waive` or in the review view of report.html, or compare it with schemas/tool/waivers.json.',
  ),
  ASSAY_REPORT_WRITE: usage(
    'The reports cannot be written.',
    'Check the --output folder and the free disk space; `assay report results.json` writes the reports again.',
  ),
  ASSAY_K6_MISSING: usage(
    'k6 was not found and cannot be built.',
    'Point --k6 or ASSAY_K6 to it, put it on the PATH, or install Go so that Assay can build it.',
  ),
  ASSAY_K6_VERSION: usage('k6 is not version 2.', 'Point --k6 or ASSAY_K6 to k6 version 2.'),
  ASSAY_LOAD_USAGE: usage(
    'The load scenario does not fit its options or the target.',
    '`assay load SCENARIO --plan` shows what a scenario needs.',
  ),
  ASSAY_LOAD_TARGET: incomplete(
    'The target did not return the responses needed to prepare a load scenario.',
    'Run `assay doctor` with the same target.',
  ),
  ASSAY_OUTPUT: incomplete(
    'Standard output could not be written, for example because the disk is full. A non-zero exit code is not changed by this.',
    'Free up disk space. The reports of a run are in its folder.',
  ),
  ASSAY_TARGET_UNREACHABLE: incomplete(
    'The target does not respond, or stopped responding.',
    'Run `assay doctor` with the same target: it checks DNS, connection, proxy and TLS one by one.',
  ),
  ASSAY_KEYS_REJECTED: incomplete(
    'The target rejects valid keys with 401.',
    'Run `assay doctor` with the same target: it tries each key and the key header.',
  ),
  ASSAY_TARGET_THROTTLED: incomplete(
    'The target keeps answering 429 for whole rate-limit windows.',
    'Check the monthly quota, other users of the keys, and limits.windowMs.',
  ),
  ASSAY_TARGET_UNAVAILABLE: incomplete(
    'The target keeps answering 503.',
    'Wait until the maintenance is over.',
  ),
  ASSAY_TARGET_FAILS: incomplete(
    'The target has answered every request made with a valid key with a 5xx status from the start.',
    'Check the logs of the service and of the proxies in front of it.',
  ),
  ASSAY_TARGET_HANGS: incomplete(
    'Requests to the target time out.',
    'Find out what blocks the service; if it is only slow, raise http.timeoutMs or --timeout-ms.',
  ),
  ASSAY_TARGET_REFUSES: incomplete(
    'The target answers every request made with a valid key with the same 403, 404 or redirect.',
    'Run `assay doctor` with the same target: it detects a wrong base path and redirects.',
  ),
  ASSAY_NOT_THIS_SERVICE: incomplete(
    'The base URL points to something else: no response contains a resource from the service.',
    'Correct the base URL. If the service was found elsewhere on the same host, the message names it.',
  ),
  ASSAY_JOURNAL: incomplete(
    'The run was stopped because its journal cannot be written.',
    'Free up disk space, then continue with `assay run --resume`.',
  ),
  ASSAY_NO_TOKEN: incomplete(
    'The run was stopped because the gateway token expires and the http.bearer command returns no new one.',
    'Run the command by hand, log in again if asked, then continue with `assay run --resume`.',
  ),
  ASSAY_ENDPOINT_GIVEN_UP: incomplete(
    'One endpoint timed out and was not requested again. Recorded as the reason for the affected outcomes.',
    'Find out what blocks it; if it is only slow, raise http.timeoutMs or --timeout-ms.',
  ),
  ASSAY_NOT_RECORDED: incomplete(
    'A recording lacks a request. Recorded as the reason for untested requirements.',
    'Run against the service.',
  ),
  ASSAY_BUDGET_EXHAUSTED: incomplete(
    'The request budget (--max-requests) is used up. Recorded as the reason for untested requirements.',
    'Raise --max-requests, or select fewer requirements with --only.',
  ),
  ASSAY_MISSING_KEY: incomplete(
    'A role has no key. Recorded as the reason for untested requirements.',
    'Add the key named in the reason to the target file.',
  ),
  ASSAY_LOAD_RUN: internal(
    'k6 or one of its scripts failed, or recorded nothing.',
    'Set ASSAY_DEBUG=1 and report the output.',
  ),
  ASSAY_SUITE_FAILURE: internal(
    "Assay's suites failed to run.",
    'Set ASSAY_DEBUG=1 and report the output.',
  ),
  ASSAY_SECRET_LEAK: internal(
    'A key or another secret would have been printed or written, and was withheld.',
    'Report the problem without the files. If the secret is an ordinary word, use a random key.',
  ),
  ASSAY_REPORT_APP_MISSING: internal(
    'The script for the HTML report has not been built.',
    'Run `npm run build` in the Assay checkout.',
  ),
  ASSAY_SESSION_CLOSED: internal(
    'Request after the session was closed.',
    'Set ASSAY_DEBUG=1 and report the output.',
  ),
  ASSAY_INTERNAL: internal('Unexpected error.', 'Set ASSAY_DEBUG=1 and report the output.'),
};
