import v8 from 'node:v8';

/**
 * How far the heap may grow over what lives, and the space of what is new over its first size: a run takes 175 MB so, and
 * 245 MB by default, in the same time.
 */
const SMALL_HEAP = ['--heap-growing-percent=40', '--semi-space-growth-factor=1'];
/** Bytes of bytecode that a function runs before it is looked at; three to six times the default. */
const LATE_OPTIMISATION = '--interrupt-budget=400000';

/** Flags by version of Node: V8 complains of one that it does not know, so only those are set that were tried. */
type Flags = Readonly<Record<string, readonly string[]>>;

const OF_A_RUN: Flags = {
  '20': [...SMALL_HEAP, LATE_OPTIMISATION],
  '22': SMALL_HEAP,
  '24': SMALL_HEAP,
};

const OF_A_MOMENT: Flags = { '20': [LATE_OPTIMISATION] };

/**
 * Settings of the engine for a command that sends some hundred requests and ends. V8 expects a server: it optimises what
 * has run for a moment, which costs a fifth of the CPU of such a command and pays after minutes, and it lets the heap grow
 * to a multiple of what lives before it collects.
 */
export function expectShortRun(): void {
  set(OF_A_RUN);
}

/**
 * The same for a command that is over in about a second. Its heap may grow as it likes: that takes some 30 MB more, and to
 * collect early would be a tenth of its time.
 */
export function expectMoment(): void {
  set(OF_A_MOMENT);
}

function set(flags: Flags): void {
  const [major = ''] = process.versions.node.split('.', 1);
  for (const flag of flags[major] ?? []) v8.setFlagsFromString(flag);
}
