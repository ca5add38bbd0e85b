import { EXIT } from '../spec/exit-codes.ts';

/** An error code. Code and exit code are a public interface: scripts rely on them. */
export interface ErrorCodeFacts {
  readonly exit: number;
  readonly meaning: string;
  /** What a user can do; an error with a hint of its own overrides it. */
  readonly wayOut: string;
}

type Described = Readonly<Record<string, readonly [meaning: string, wayOut: string]>>;

const withExit = (exit: number, codes: Described): Readonly<Record<string, ErrorCodeFacts>> =>
  Object.fromEntries(
    Object.entries(codes).map(([code, [meaning, wayOut]]) => [code, { exit, meaning, wayOut }]),
  );

/** Every code that Assay reports or records, in the order of `docs/errors.md`. */
export const ERROR_CODES: Readonly<Record<string, ErrorCodeFacts>> = {
  ...withExit(EXIT.usage, {
    ASSAY_USAGE: [
      'The command line is invalid.',
      'See `assay COMMAND --help` for options and examples.',
    ],
    ASSAY_FILE: [
      'A file or folder cannot be read or written.',
      'Check the path, its permissions and the free disk space, or choose another folder with --output.',
    ],
    ASSAY_TARGET_UNREADABLE: [
      'The target file cannot be read.',
      'Check the path in --target or ASSAY_TARGET, or create a target file with `assay init`.',
    ],
    ASSAY_TARGET_SYNTAX: [
      'The target file is neither YAML nor JSON.',
      'Fix the line named in the message.',
    ],
    ASSAY_TARGET_INVALID: [
      'A setting (in the target file, a flag or an environment variable) is unknown or has an invalid value.',
      'See docs/target-file.md.',
    ],
    ASSAY_TARGET_VARIABLE: [
      'The target file refers to an environment variable that is not set.',
      'Set the variable, or remove the setting that uses it.',
    ],
    ASSAY_TARGET_BASE_URL: [
      'The base URL is missing or invalid.',
      'Set --base-url, ASSAY_BASE_URL or baseUrl to an http or https URL without a query or credentials.',
    ],
    ASSAY_TARGET_KEY: [
      'No valid key is configured, or a key cannot be used.',
      'Set ASSAY_API_KEY or keys.valid; each role needs a different key.',
    ],
    ASSAY_TARGET_BEARER: [
      'The http.bearer command cannot be started, fails, or prints no token.',
      'Run the command by hand: it must print one token and nothing else.',
    ],
    ASSAY_TARGET_CLOCK: [
      'The clock of a test target cannot be advanced.',
      'Check clock.control, or remove it from the target file.',
    ],
    ASSAY_CONFIG: [
      'The configuration file, or an environment in it, is invalid.',
      'Compare the file with schemas/tool/config.json; docs/target-file.md has an example.',
    ],
    ASSAY_KEY_IN_PLAIN: [
      'A key was given instead of the name of an environment variable.',
      'Put the key into an environment variable and pass the name of the variable. Rotate the key: it is now in the shell history.',
    ],
    ASSAY_FILE_EXISTS: [
      'The file to write already exists.',
      'Choose another file with --out, or overwrite it with --force.',
    ],
    ASSAY_FOLDER_IN_USE: [
      'Another command has locked the folder.',
      'Wait until that command has finished, or choose another folder with --output; docs/interrupted-runs.md explains when a lock can be removed.',
    ],
    ASSAY_MONITOR: [
      'The state of a monitor cannot be read or written, or belongs to a different target.',
      'See docs/monitor.md for the files of a monitor, or choose another folder with --output.',
    ],
    ASSAY_METRICS_MISSING: [
      'Metrics need the OpenTelemetry SDK, which is not installed.',
      'Install the packages that the hint names; docs/monitor.md shows the command.',
    ],
    ASSAY_RECORDING: [
      'A recording cannot be read, or contains no traffic for the service.',
      'docs/recorded-traffic.md explains how to record.',
    ],
    ASSAY_RESUME: [
      'An interrupted run cannot be resumed, a recording cannot be replayed, or a journal cannot be created.',
      'docs/interrupted-runs.md lists the conditions.',
    ],
    ASSAY_WATCH_LISTEN: [
      'A watch cannot listen on the given address.',
      'Choose another address or port with --listen or --page; port 0 picks a free one.',
    ],
    ASSAY_WATCH_STORE: [
      'A watch cannot save its state.',
      'Choose a writable folder with --output, or free up disk space.',
    ],
    ASSAY_WATCH_STATE: [
      'The state of an earlier watch in the folder cannot be resumed.',
      'Choose another folder with --output, or discard the state with --fresh.',
    ],
    ASSAY_WATCH_SETTING: [
      'A target setting does not work with a watch, which forwards traffic unchanged.',
      'docs/watch.md explains how a watch treats each setting.',
    ],
    ASSAY_WAIVERS: [
      'The waiver file is invalid.',
      'Create the file with `assay waive` or in the Review view of report.html, or compare it with schemas/tool/waivers.json.',
    ],
    ASSAY_REPORT_WRITE: [
      'The reports cannot be written.',
      'Check the --output folder and the free disk space; `assay report results.json` writes the reports again.',
    ],
    ASSAY_K6_MISSING: [
      'k6 was not found and cannot be built.',
      'Point --k6 or ASSAY_K6 to k6, put k6 on the PATH, or install Go so that Assay can build k6.',
    ],
    ASSAY_K6_VERSION: ['k6 is not version 2.', 'Point --k6 or ASSAY_K6 to k6 version 2.'],
    ASSAY_LOAD_USAGE: [
      'The load scenario cannot run with the given options or against this target.',
      '`assay load SCENARIO --plan` shows what a scenario needs.',
    ],
  }),
  ...withExit(EXIT.incomplete, {
    ASSAY_LOAD_TARGET: [
      'The target did not return the responses needed to prepare a load scenario.',
      'Run `assay doctor` with the same target.',
    ],
    ASSAY_OUTPUT: [
      'Assay could not write to standard output, for example because the disk is full. This does not change a non-zero exit code.',
      'Free up disk space. The reports in the output folder of a run are not affected.',
    ],
    ASSAY_TARGET_UNREACHABLE: [
      'The target does not respond, or stopped responding.',
      'Run `assay doctor` with the same target: it checks DNS, connection, proxy and TLS one by one.',
    ],
    ASSAY_KEYS_REJECTED: [
      'The target rejects valid keys with 401.',
      'Run `assay doctor` with the same target: it checks each key and the key header.',
    ],
    ASSAY_TARGET_THROTTLED: [
      'The target keeps answering 429, even after whole rate-limit windows.',
      'Check the monthly quota, whether anyone else uses the keys, and limits.windowMs.',
    ],
    ASSAY_TARGET_UNAVAILABLE: [
      'The target keeps answering 503.',
      'Wait until the maintenance is over.',
    ],
    ASSAY_TARGET_FAILS: [
      'Every request with a valid key has been answered with a 5xx status since the run started.',
      'Check the logs of the service and of the proxies in front of it.',
    ],
    ASSAY_TARGET_HANGS: [
      'Requests to the target time out.',
      'Find out what blocks the service; if it is only slow, raise http.timeoutMs or --timeout-ms.',
    ],
    ASSAY_TARGET_REFUSES: [
      'Every request with a valid key gets the same response: 403, 404 or a redirect.',
      'Run `assay doctor` with the same target: it detects redirects and a wrong base path.',
    ],
    ASSAY_NOT_THIS_SERVICE: [
      'The base URL does not point to the service: no response contains a resource of the service.',
      'Correct the base URL. If the service was found elsewhere on the same host, the message gives the URL.',
    ],
    ASSAY_JOURNAL: [
      'The run was stopped because its journal cannot be written.',
      'Free up disk space, then continue with `assay run --resume`.',
    ],
    ASSAY_NO_TOKEN: [
      'The run was stopped because the gateway token had to be renewed and the http.bearer command returned no new one.',
      'Run the command by hand, log in again if prompted, then continue with `assay run --resume`.',
    ],
    ASSAY_ENDPOINT_GIVEN_UP: [
      'Requests to one endpoint timed out, so it was not requested again. Reports give this as the reason for the affected outcomes.',
      'Find out what blocks the endpoint; if it is only slow, raise http.timeoutMs or --timeout-ms.',
    ],
    ASSAY_NOT_RECORDED: [
      'The recording does not contain a request that a check needs. Reports give this as the reason for untested requirements.',
      'Run against the service.',
    ],
    ASSAY_BUDGET_EXHAUSTED: [
      'The request budget (--max-requests) is used up. Reports give this as the reason for untested requirements.',
      'Raise --max-requests, or select fewer requirements with --only.',
    ],
    ASSAY_MISSING_KEY: [
      'No key is set for a role that a check needs. Reports give this as the reason for untested requirements.',
      'Add the key named in the reason to the target file.',
    ],
  }),
  ...withExit(EXIT.internal, {
    ASSAY_LOAD_RUN: [
      'k6 or one of its scripts failed, or recorded nothing.',
      'Set ASSAY_DEBUG=1 and report the output.',
    ],
    ASSAY_SUITE_FAILURE: [
      "Assay's suites failed to run.",
      'Set ASSAY_DEBUG=1 and report the output.',
    ],
    ASSAY_SECRET_LEAK: [
      'Output was withheld because it would have revealed a key or another secret.',
      'If the secret is an ordinary word, use a random key. Otherwise redaction failed: report this bug, without the files.',
    ],
    ASSAY_REPORT_APP_MISSING: [
      'The script for the HTML report has not been built.',
      'Run `npm run build` in the Assay checkout.',
    ],
    ASSAY_SESSION_CLOSED: [
      'A request was made after the session was closed.',
      'Set ASSAY_DEBUG=1 and report the output.',
    ],
    ASSAY_INTERNAL: ['An unexpected error occurred.', 'Set ASSAY_DEBUG=1 and report the output.'],
  }),
};
