/** A program to run, as a new process would be started. */
export interface Job {
  /** Absolute path of its entry, a compiled module. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Name of processes that run nothing else; those that all share by default. */
  readonly apart?: string;
}

/** How it ended and what it printed. */
export interface JobEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Most memory that the process ever took, KiB. */
  readonly maxMemory: number;
}

export type Answer = { readonly ended: JobEnd } | { readonly error: string };
