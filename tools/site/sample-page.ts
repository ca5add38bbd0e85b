import { blocks } from '../markdown.ts';
import { frontMatter } from './markdown.ts';

/** Path of the sample on the site, below its base. */
export const SAMPLE = 'reports/sample/report.html';

/** The page that links to the sample report. */
export function samplePage(): string {
  const says = 'A report as a run writes it.';
  const link = (text: string, fragment = ''): string =>
    `<a :href="withBase('/${SAMPLE}${fragment}')" target="_self">${text}</a>`;
  return blocks(
    frontMatter({ title: 'Sample report', description: says }),
    ['<script setup>', "import { withBase } from 'vitepress'", '</script>'],
    '# Sample report',
    `${says} The target was a reference server with six faults, after two earlier runs. A load scenario ran twice, once with a limiter that admits too many requests.`,
    `<p>${link('Open the report')}. It is one file, loads nothing and sends nothing.</p>`,
    'Start with:',
    [
      '<ul>',
      `<li>${link('findings by cause', '#summary')}</li>`,
      `<li>${link('every requirement with its outcome', '#requirements')}</li>`,
      `<li>${link('changes since the previous run', '#changes')}</li>`,
      `<li>${link('rate limit windows of each key, those with too many admitted requests first', '#rate-limit')}</li>`,
      `<li>${link('results of the load scenario', '#load')}</li>`,
      '</ul>',
    ],
    '[Reading a report](/report) explains the views.',
    '![First screen of the report](/reports/sample/report.png)',
  );
}
