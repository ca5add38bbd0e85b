/** How a command ends. Scripts rely on these numbers; `docs/errors.md` says what leads to which. */
export const EXIT = {
  conforms: 0,
  violates: 1,
  usage: 2,
  incomplete: 3,
  internal: 4,
  load: 5,
  interrupted: 130,
} as const;
