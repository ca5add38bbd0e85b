import { titleOf } from '#src/report/model/head.ts';
import type { Results } from '#src/report/model/results.ts';
import { startEmbedded } from '#src/run/embedded.ts';
import { runSuitesOn } from '../kill/replay.ts';

/** A day on which the example runs: what can be verified of the embedded server depends on the holidays around it. */
const DAY = Date.parse('2026-11-25T12:00:00Z');

/** The run that the README shows: the embedded server, with every option as it is by default. */
export async function exampleRun(): Promise<Results> {
  const embedded = await startEmbedded({ now: DAY });
  try {
    return await runSuitesOn(embedded.target, { profile: 'standard', seed: 1 });
  } finally {
    await embedded.close();
  }
}

const START = '<!-- The verdict: written by npm run docs. -->';
const BLOCK = /\n\n```\n[^`]*\n```\n/;

/**
 * A README with the verdict of the example run, and with the number of musts wherever it stands.
 * @throws Error when there is no place for the verdict
 */
export function withFigures(readme: string, results: Results): string {
  const musts = results.requirements.filter(({ level }) => level === 'must').length;
  const at = readme.indexOf(START) + START.length;
  const rest = readme.slice(at);
  if (!readme.includes(START) || rest.search(BLOCK) !== 0) {
    throw new Error(`The README has no place for the verdict: ${START}`);
  }
  const shown = ` ${titleOf(results)}\n${results.sentence}\n…\n   Written     reports/…/results.json\n               reports/…/report.html\n               …`;
  return `${readme.slice(0, at)}${rest.replace(BLOCK, `\n\n\`\`\`\n${shown}\n\`\`\`\n`)}`.replace(
    /(NO VIOLATION FOUND, \d+ of) \d+ musts/,
    `$1 ${musts} musts`,
  );
}
