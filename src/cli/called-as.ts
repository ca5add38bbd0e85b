/**
 * How Assay is called where it runs: npm says so in the environment. Somebody who installed it into a project has no
 * `assay` in the path, and a command that is printed has to work when it is pasted.
 */
export const calledAs = (env: Readonly<Record<string, string | undefined>>): string =>
  env['npm_command'] === undefined ? 'assay' : 'npx assay';
