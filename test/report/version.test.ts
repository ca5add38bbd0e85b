import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../src/report/formats.ts';
import type { Results } from '../../src/report/model/results.ts';
import { renderSummary } from '../../src/report/terminal/terminal.ts';
import { FILES } from '../../src/report/write.ts';
import { makeResults } from './fixture.ts';

/** No version that could stand in a report for another reason. */
const VERSION = '7.31.4-next.2';

/** Every form that results are given to a reader or a program in. */
const FORMS: Readonly<Record<string, (results: Results) => string>> = {
  terminal: (results) => renderSummary(results, { color: false, width: 80, showCurl: false }),
  ...Object.fromEntries(
    FORMATS.map((format) => [format, (results: Results) => FILES[format](results)[0]?.text ?? '']),
  ),
};

describe('the version of Assay', () => {
  const results = makeResults();
  const versioned: Results = { ...results, tool: { name: 'assay', version: VERSION } };

  it.each(Object.entries(FORMS))('stands in %s', (_form, render) => {
    expect(render(results)).not.toContain(VERSION);
    expect(render(versioned)).toContain(VERSION);
  });
});
