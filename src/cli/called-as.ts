/**
 * How the user invoked Assay, for commands that we print: in a project-local installation `assay` is not on the PATH,
 * so npm's environment decides whether `npx` is needed.
 */
export const calledAs = (env: Readonly<Record<string, string | undefined>>): string =>
  env['npm_command'] === undefined ? 'assay' : 'npx assay';
