import { readFileSync, statSync } from 'node:fs';
import { specificationOf } from './quotations.ts';
import type { Specification } from './quotations.ts';

/** The file that `--spec` names cannot be quoted. The message says why, the hint the way out. */
export class SpecificationError extends Error {
  readonly code = 'ASSAY_SPEC_FILE';
  readonly hint =
    'Name the Markdown file of the specification with --spec or ASSAY_SPEC_FILE, or leave both out: the report then has the words of Assay alone.';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SpecificationError';
  }
}

/** A specification is some pages; anything larger is another file by mistake. */
const MAX_BYTES = 1024 * 1024;
/** With a smaller share of the clauses than this a text is no version of the specification. */
const SHARE = 0.1;

function textOf(file: string): string {
  let bytes: Buffer;
  try {
    const stat = statSync(file);
    if (!stat.isFile()) throw new Error(stat.isDirectory() ? 'it is a folder' : 'it is no file');
    if (stat.size > MAX_BYTES) throw new Error('it is larger than 1 MiB');
    bytes = readFileSync(file);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SpecificationError(`The specification ${file} cannot be read: ${why}.`, { cause });
  }
  if (bytes.every((byte) => byte <= 32)) {
    throw new SpecificationError(`The specification ${file} is empty.`);
  }
  try {
    if (bytes.includes(0)) throw new Error('it holds a zero byte');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SpecificationError(`The specification ${file} is no text (UTF-8).`, { cause });
  }
}

/**
 * Reads the specification that a user names, for quotations in the report.
 * @throws SpecificationError when there is no such file, or it is no version of the specification
 */
export function readSpecification(file: string): Specification {
  const specification = specificationOf(textOf(file));
  const { found, clauses } = specification;
  if (found < clauses * SHARE) {
    throw new SpecificationError(
      `${file} is not this specification: of ${clauses} clauses ${found === 0 ? 'none' : `only ${found}`} ${found === 1 ? 'is' : 'are'} in it.`,
    );
  }
  return specification;
}
