import type { Results } from '../model/results.ts';

/** The name that `assay init` gives a target file: where the address of the target stands, or would. */
const USUAL_TARGET_FILE = 'assay.target.yaml';

/**
 * Files of the user that a finding can point at, the best one first; undefined where this run had none. Code scanning asks
 * for a file, shows findings there and drops those of files that the repository does not have. None of Assay will do.
 */
const PLACES: readonly ((results: Results) => string | undefined)[] = [({ target }) => target.file];

/** The file that the findings of a run point at, as SARIF writes it: a relative URI, or one of a file of this machine. */
export function placeOf(results: Results): string {
  const named = PLACES.map((place) => place(results)).find((file) => file !== undefined);
  return uriOf(named ?? USUAL_TARGET_FILE);
}

/** The URI of a path as a user writes it, on any system. */
function uriOf(file: string): string {
  const parts = file.replaceAll('\\', '/').split('/');
  const [first = '', ...rest] = parts;
  const isDrive = /^[A-Za-z]:$/.test(first);
  const isAbsolute = first === '' || isDrive;
  const inside = (isAbsolute ? rest : parts).filter((part) => part !== '' && part !== '.');
  // Half a pair of code units, which a name may hold and no URI can.
  const whole = inside.map((part) => part.replaceAll(/\p{Cs}/gu, '\uFFFD'));
  const encoded = whole.map(encodeURIComponent).join('/');
  if (!isAbsolute) return encoded;
  return `file:///${isDrive ? `${first}/` : ''}${encoded}`;
}
