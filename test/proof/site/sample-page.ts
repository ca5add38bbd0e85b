import { frontMatter } from './markdown.ts';

/** Where the sample lies on the site, below its base. */
export const SAMPLE = 'reports/sample/report.html';

/** The page that leads to the sample report. */
export function samplePage(): string {
  const says = 'A report of Assay, as a run writes it, to look around in.';
  const link = (text: string, fragment = ''): string =>
    `<a :href="withBase('/${SAMPLE}${fragment}')" target="_self">${text}</a>`;
  return [
    ...frontMatter({ title: 'Sample report', description: says }),
    '<script setup>',
    "import { withBase } from 'vitepress'",
    '</script>',
    '',
    '# Sample report',
    '',
    `${says} The target was a reference server with six deliberate defects; two runs went before it, and a load scenario was run twice, once with a limiter that admits too much.`,
    '',
    `<p>${link('Open the report')}. It is one file, loads nothing and sends nothing.</p>`,
    '',
    'Some places to begin with:',
    '',
    '<ul>',
    `<li>${link('what was found, by cause', '#summary')}</li>`,
    `<li>${link('every requirement with its outcome', '#requirements')}</li>`,
    `<li>${link('what changed since the run before', '#changes')}</li>`,
    `<li>${link('the rate-limit windows of each key, those with too many admitted first', '#rate-limit')}</li>`,
    `<li>${link('what the load scenario showed of the limiter', '#load')}</li>`,
    '</ul>',
    '',
    '[Reading a report](/report) explains the views.',
    '',
    '![First screen of the report](/reports/sample/report.png)',
    '',
  ].join('\n');
}
