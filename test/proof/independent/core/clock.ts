/** The clock of the server, milliseconds since 1970. Tests move it, so that nobody waits for a minute to end. */
export interface Clock {
  now(): number;
  /** Moves it on and tells the time then. */
  advance(ms: number): number;
}

/** Real time plus what it was moved by; with `start`, it stood at that time when it was made. */
export function movableClock(start?: number): Clock {
  let offset = start === undefined ? 0 : start - Date.now();
  const now = (): number => Date.now() + offset;
  return {
    now,
    advance: (ms) => {
      offset += ms;
      return now();
    },
  };
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
