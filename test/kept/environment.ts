/** The environment without what Vitest and Assay take from it, and without what npm says of how the tests were started. */
export function cleanEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || /^(ASSAY_|VITEST|NODE_OPTIONS$|npm_)/.test(name)
        ? []
        : [[name, value]],
    ),
  );
}
