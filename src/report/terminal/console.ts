import pc from 'picocolors';
import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

type Environment = Readonly<Record<string, string | undefined>>;

/** Colours for the terminal; texts stay as they are when colour is off. */
export const palette: typeof pc.createColors = pc.createColors;

/** Whether to write colours: by `NO_COLOR` and `FORCE_COLOR`, otherwise on a terminal that is not `TERM=dumb`. */
export function wantsColor(isTTY: boolean | undefined, env: Environment): boolean {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  // `isTTY` is undefined without a terminal, and picocolors would then decide for itself.
  return isTTY === true && env['TERM'] !== 'dumb';
}

/** Columns of a stream. Some CI services report 0. */
export function columnsIn(
  { columns }: { readonly columns?: number | undefined },
  otherwise = 80,
): number {
  return columns === undefined || columns < 1 ? otherwise : columns;
}

const BAR_CELLS = 20;

/** `[######--------------]`: the share that is done, 0 to 1. */
export function progressBar(share: number): string {
  const filled = Math.floor(Math.min(1, Math.max(0, share)) * BAR_CELLS);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_CELLS - filled)}]`;
}

/** ASCII replacements for the marks, each of the same width. */
const ASCII: Readonly<Record<string, string>> = {
  '✓': '+',
  '✗': 'x',
  '○': 'o',
  '–': '-',
  '‼': '!',
  '→': '>',
  '…': '.',
};

/** True when the locale names an encoding other than UTF-8. Many containers name none and use UTF-8. */
function isAsciiOnly(env: Environment): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  return locale !== undefined && locale !== '' && !/utf-?8/i.test(locale);
}

/**
 * Keeps CI servers from executing a line of output as a workflow command: `::name::` at the start of a line and `##[name]`,
 * `##vso[…]`, `##teamcity[…]` anywhere. Replaces marks that the locale cannot encode with ASCII. Applied to all output.
 */
export function guardLines(text: string, env: Environment = process.env): string {
  const guarded = text.replace(/##(?=[A-Za-z]*\[)/g, '# #').replace(/^([^\S\n]*)::/gm, '$1: :');
  return isAsciiOnly(env) ? guarded.replace(/[✓✗○–‼→…]/g, (mark) => ASCII[mark] ?? mark) : guarded;
}

/** Cuts a text without escape sequences to a number of columns. */
export function fit(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  const characters = Array.from(text);
  while (stringWidth(characters.join('')) >= columns) characters.pop();
  return `${characters.join('')}…`;
}

/** Breaks a text at spaces into lines of at most `columns`; longer words are broken too. */
export const wrap = (text: string, columns: number): readonly string[] =>
  wrapAnsi(text, Math.max(10, columns), { hard: true }).split('\n');
