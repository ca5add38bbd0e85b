import type { Argv } from 'yargs';
import type { Specification } from '../report/quotations.ts';

/** The option of the commands that write reports. */
export interface SpecificationArguments {
  spec: string | undefined;
}

/** Adds the file that the HTML report quotes. */
export function withSpecificationOption<T>(yargs: Argv<T>) {
  return yargs.option('spec', {
    type: 'string',
    requiresArg: true,
    describe:
      'Markdown file of the specification, quoted in the HTML report; ASSAY_SPEC_FILE by default',
  });
}

/**
 * The specification that the flag or the environment names; undefined when neither does. To be read before anything is
 * sent: a file that cannot be used must not cost requests. One of another version is said to be one.
 *
 * Not in `ASSAY_SPEC`: with that the tests of Assay itself are told where the specification is, and what they start would
 * then quote it.
 * @throws SpecificationError when it cannot be used
 */
export async function namedSpecification({
  spec,
}: SpecificationArguments): Promise<Specification | undefined> {
  const file = spec ?? process.env['ASSAY_SPEC_FILE'];
  if (file === undefined || (spec === undefined && file === '')) return undefined;
  const [{ readSpecification }, { versionWords }] = await Promise.all([
    import('../report/specification.ts'),
    import('../report/quotations.ts'),
  ]);
  const specification = readSpecification(file);
  const words = versionWords(specification);
  if (words !== null) process.stderr.write(`assay: warning: ${words}\n`);
  return specification;
}
