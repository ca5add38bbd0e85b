import { titleOf } from '#src/report/model/head.ts';
import type { Results } from '#src/report/model/results.ts';
import { startEmbedded } from '#src/run/embedded.ts';
import { runSuitesOn } from '#proof/kill/runner.ts';

/** A fixed day: what can be verified depends on the holidays around it. */
const DAY = Date.parse('2026-11-25T12:00:00Z');

/** The run in the README: the embedded server with default options. */
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
 * The README with the verdict of the example run and the number of musts.
 * @throws Error if the marker of the verdict is missing
 */
export function withFigures(readme: string, results: Results): string {
  const musts = results.requirements.filter(({ level }) => level === 'must').length;
  const at = readme.indexOf(START) + START.length;
  const rest = readme.slice(at);
  if (!readme.includes(START) || rest.search(BLOCK) !== 0) {
    throw new Error(`The README lacks the marker for the verdict: ${START}`);
  }
  const shown = ` ${titleOf(results)}\n${results.sentence}\n…\n   Written     reports/…/results.json\n               reports/…/report.html\n               …`;
  return `${readme.slice(0, at)}${rest.replace(BLOCK, `\n\n\`\`\`\n${shown}\n\`\`\`\n`)}`.replace(
    /(NO VIOLATION FOUND, \d+ of) \d+ musts/,
    `$1 ${musts} musts`,
  );
}
