import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isObject } from '../text/json-value.ts';

/** Who writes into a folder: the content of its lock. */
export interface Holder {
  /** Tells this lock from every other one. */
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** What was started, such as `assay run`. */
  readonly command: string;
  /** When the folder was taken, ISO 8601. */
  readonly since: string;
  /** When the process began, in the words of the platform and only to be compared; null where it does not tell. */
  readonly started: string | null;
  /** Space in which the pid means this process: containers may share the name of a host. Null where there is one only. */
  readonly space: string | null;
}

/** `unknown`: it was taken on another host, and nothing here tells whether it still runs. */
export type HolderState = 'alive' | 'gone' | 'unknown';

/** This process as the holder of a lock. */
export function ownHolder(command: string): Holder {
  return {
    id: randomBytes(8).toString('hex'),
    pid: process.pid,
    host: hostname(),
    command,
    since: new Date().toISOString(),
    started: startOf(process.pid),
    space: pidSpace(),
  };
}

/** Whether the process that took a lock still runs. A pid that another process was given since does not count. */
export function stateOf({ pid, host, started, space }: Holder): HolderState {
  if (host !== hostname() || space !== pidSpace()) return 'unknown';
  if (!exists(pid)) return 'gone';
  const now = startOf(pid);
  return started !== null && now !== null && now !== started ? 'gone' : 'alive';
}

/** The holder that a lock names; undefined when it names none. */
export function holderFrom(text: string): Holder | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { id, pid, host, command, since, started, space } = value;
  const texts = [id, host, command, since].every((one) => typeof one === 'string');
  const mayLack = [started, space].every((one) => one === null || typeof one === 'string');
  // A pid of 0 or below names a group of processes, and asking for it would mean another thing.
  const process = typeof pid === 'number' && Number.isInteger(pid) && pid > 0;
  return texts && mayLack && process ? (value as unknown as Holder) : undefined;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It may belong to somebody else, and is there all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // One that has ended and that nobody has asked about still has its pid.
  return !['Z', 'X'].includes(statusOf(pid)?.state ?? '');
}

/** State and start of a process on Linux, in ticks since the machine began; undefined elsewhere. */
function statusOf(pid: number): { readonly state: string; readonly ticks: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    return state === undefined || ticks === undefined ? undefined : { state, ticks };
  } catch {
    return undefined;
  }
}

function startOf(pid: number): string | null {
  if (process.platform === 'win32') return null;
  const status = statusOf(pid);
  try {
    if (status !== undefined) {
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${status.ticks}`;
    }
    if (process.platform === 'linux') return null;
    const said = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 2000,
    }).trim();
    return said === '' ? null : said;
  } catch {
    return null;
  }
}

function pidSpace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}
