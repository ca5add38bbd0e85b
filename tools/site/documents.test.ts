import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/fs/package-root.ts';
import { DeadLink, onSite, type Document } from './documents.ts';

const documents: readonly Document[] = [
  { file: 'README.md', page: 'index.md' },
  { file: 'docs/ci.md', page: 'ci.md' },
  { file: 'docs/report.md', page: 'report.md' },
];
const pictures: string[] = [];

function rotated(text: string, file = 'docs/report.md', repository?: string): string {
  const document = { file, page: 'report.md' };
  return onSite(document, text, { documents, root: packageRoot, repository }, (picture) => {
    pictures.push(picture);
    return `/${picture}`;
  });
}

describe('a document on the site', () => {
  it.each([
    ['[gate](ci.md)', '[gate](/ci)'],
    ['[waivers](ci.md#waivers)', '[waivers](/ci#waivers)'],
    ['[start](../README.md)', '[start](/)'],
    ['[all](requirements.md)', '[all](/requirements/)'],
    ['[sample](../reports/sample)', '[sample](/sample-report)'],
    ['see `4.4/t1-completes`', 'see [`4.4/t1-completes`](/requirements/4.4/t1-completes)'],
    ['see `9/none` and `assay run --only 4.3/order`', undefined],
    ['[below](#outcomes) and [there](https://example.com/a.md)', undefined],
    ['`no [link](nowhere.md`', undefined],
  ])('has %s as %s', (text, expected) => {
    expect(rotated(text)).toBe(expected ?? text);
  });

  it('is found from the front page, too', () => {
    expect(rotated('[gate](docs/ci.md)', 'README.md')).toBe('[gate](/ci)');
  });

  it('links to the repository for what the site does not have, and not at all where none is known', () => {
    const text = 'see [the schema](../schemas/tool/results.json).';
    expect(rotated(text)).toBe('see the schema.');
    expect(rotated(text, 'docs/report.md', 'https://example.com/a/b')).toBe(
      'see [the schema](https://example.com/a/b/blob/main/schemas/tool/results.json).',
    );
  });

  it('brings its pictures', () => {
    expect(rotated('![page](reports/sample/report.png)', 'README.md')).toBe(
      '![page](/reports/sample/report.png)',
    );
    expect(pictures).toEqual(['reports/sample/report.png']);
  });

  it('leaves alone what stands in a block', () => {
    const text = '````md\n```\n[x](nowhere.md)\n```\n[y](nowhere.md)\n````';
    expect(rotated(text)).toBe(text);
  });

  it('is refused when it links to a file that is not there', () => {
    expect(() => rotated('[x](nowhere.md)')).toThrow(DeadLink);
  });
});
