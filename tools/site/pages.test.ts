import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFaults } from '../../src/reference/catalog.ts';
import { REQUIREMENTS, requirementOf } from '../../src/requirements/catalogue.ts';
import { clauseCoverage } from '../../src/requirements/clauses.ts';
import { packageRoot } from '../../src/fs/package-root.ts';
import { readProofFile } from '#proof/kill/report.ts';
import type { Example } from './example.ts';
import { findExample } from './example.ts';
import { listPages } from './list-pages.ts';
import { clauseAnchor, sentence } from './markdown.ts';
import { sidebars } from './navigation.ts';
import { requirementPage } from './requirement-page.ts';

const ID = '4.3/symbol-enum';

describe('an example of a finding', () => {
  it('is what the checks of the requirement find against a server with the fault', async () => {
    const proof = await readProofFile();
    const faults = proof.killedBy[ID] ?? [];
    const example = await findExample(ID, faults);
    expect(example).toMatchObject({ asked: 'own' });
    expect(faults).toContain(example?.fault);
    expect(example?.message).not.toBe('');
    expect(example?.seen?.line).toContain('/etfs/summary-history?');
    expect(example?.seen?.excerpt?.lines.filter(({ failing }) => failing)).toHaveLength(1);
  });

  it('is none where no fault shows one', async () => {
    expect(await findExample(ID, ['snapshot-high-below-low'])).toBeNull();
  });
});

describe('the page of a requirement', () => {
  const clean = {
    requests: [{ line: 'GET /etfs/summary-history?symbol=XBT', role: 'valid' as const }],
    asked: { [ID]: { 'refuses symbol="XBT"': [0] } },
  };
  const found: Example = {
    fault: 'x',
    asked: 'all',
    message: 'A <b>message</b> with {{ braces }}',
    expected: 'a | b',
    actual: '`c`',
    pointer: '/code',
    seen: null,
  };
  const pageOf = (example: Example | null): string =>
    requirementPage({
      requirement: requirementOf(ID),
      faults: listFaults().filter(({ kills }) => kills.includes(ID)),
      shown: { examples: { [ID]: example }, clean },
    });

  it('says what is known of it', () => {
    const page = pageOf(found);
    const { title, why, usually, clauses } = requirementOf(ID);
    for (const text of [title, why, ...usually]) expect(page).toContain(text);
    for (const clause of clauses) expect(page).toContain(`/clauses#${clauseAnchor(clause)}`);
    expect(page).toContain('/rulings#ruling-9');
    expect(page).toContain('symbol=XBT `\n');
    expect(page).toContain('From the requests of a whole run');
    expect(page).toContain(`assay run --target assay.target.yaml --only ${ID}`);
    expect(page).toContain('assay serve --fault ');
  });

  it('gives nothing that was found any markup', () => {
    const page = pageOf(found);
    expect(page).not.toContain('<b>');
    expect(page).not.toContain('{{');
  });

  it('says so where there is no example', () => {
    expect(pageOf(null)).toContain('None: no fault in the last proof makes this requirement fail.');
  });
});

describe('sentences', () => {
  it('link to the requirements that they name, and to nothing else', () => {
    expect(sentence('see 4.4/t1-completes, 9/none and /v1/4.4/t1-completes')).toBe(
      'see [` 4.4/t1-completes `](/requirements/4.4/t1-completes), 9/none and /v1/4.4/t1-completes',
    );
  });

  it('keep code', () => {
    expect(sentence('`a_b` is *not* 1')).toBe(String.raw`${'` a_b `'} is \*not\* 1`);
  });
});

describe('the lists', () => {
  it('have a page for each section, and a place for each clause that is told from all others', () => {
    const pages = listPages();
    for (const { section } of REQUIREMENTS)
      expect(pages.has(`requirements/${section}/index.md`)).toBe(true);
    const anchors = [...clauseCoverage().keys()].map(clauseAnchor);
    expect(new Set(anchors).size).toBe(anchors.length);
    for (const anchor of anchors) expect(pages.get('clauses.md')).toContain(`id="${anchor}"`);
  });
});

describe('the sidebar', () => {
  const documents = [
    ...['index', 'contributing', 'changelog'].map((name) => ({ file: '', page: `${name}.md` })),
    ...readdirSync(path.join(packageRoot, 'docs'))
      .filter((name) => name.endsWith('.md') && name !== 'requirements.md')
      .map((page) => ({ file: `docs/${page}`, page })),
  ];

  it('leads to every document', () => {
    const text = JSON.stringify(sidebars(documents, new Map())['/']);
    for (const { page } of documents.slice(1))
      expect(text).toContain(`"/${page.replace('.md', '')}"`);
  });

  it('is refused when a document stands nowhere in it', () => {
    expect(() => sidebars([...documents, { file: '', page: 'lost.md' }], new Map())).toThrow(
      'no group has lost',
    );
  });
});
