/** Exit codes, a public interface; see `docs/errors.md`. */
export const EXIT = {
  conforms: 0,
  violates: 1,
  usage: 2,
  incomplete: 3,
  internal: 4,
  load: 5,
  interrupted: 130,
} as const;
