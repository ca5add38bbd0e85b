import type { Results } from '../model/results.ts';

/**
 * The file that findings point at: the target file, or the one that `assay init` would write. Code scanning drops findings in
 * files that the repository does not have.
 */
export function placeOf({ target }: Results): string {
  return uriOf(target.file ?? 'assay.target.yaml');
}

/** The URI of a path as a user writes it, on any system. */
function uriOf(file: string): string {
  const parts = file.replaceAll('\\', '/').split('/');
  const [first = '', ...rest] = parts;
  const isDrive = /^[A-Za-z]:$/.test(first);
  const isAbsolute = first === '' || isDrive;
  const inside = (isAbsolute ? rest : parts).filter((part) => part !== '' && part !== '.');
  // A file name may contain lone surrogates, which a URI cannot.
  const whole = inside.map((part) => part.replaceAll(/\p{Cs}/gu, '\uFFFD'));
  const encoded = whole.map(encodeURIComponent).join('/');
  if (!isAbsolute) return encoded;
  return `file:///${isDrive ? `${first}/` : ''}${encoded}`;
}
