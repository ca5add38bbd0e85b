/** The environment without what Vitest and Assay take from it. */
export function cleanEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || /^(ASSAY_|VITEST|NODE_OPTIONS$)/.test(name) ? [] : [[name, value]],
    ),
  );
}
