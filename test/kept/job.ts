/** A program to run, as a new process would be started. */
export interface Job {
  /** Absolute path of its entry, a compiled module. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How it ended and what it printed. */
export interface JobEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type Answer = { readonly ended: JobEnd } | { readonly error: string };
