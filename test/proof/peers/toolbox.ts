import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { packageRoot } from '#src/fs/package-root.ts';
import { assayTool } from './assay.ts';
import { collectionTool } from './collection.ts';
import { schemathesisTool, type SchemathesisOptions } from './schemathesis.ts';
import type { Tool } from './tool.ts';
import { SCHEMATHESIS_CONFIG, tunedDocument } from './tuned-document.ts';

/** Tools of the comparison. */
export interface Toolbox {
  readonly compared: readonly Tool[];
  /** Run against the clean server only: the document and the settings as they come. */
  readonly cleanOnly: readonly Tool[];
}

/** All tools of the comparison; the document and the settings of the peers are written into `folder`. */
export async function toolbox(program: string, folder: string): Promise<Toolbox> {
  const { document, documentTitle } = await tuned(program, folder);
  return {
    compared: [
      assayTool('standard', 1),
      assayTool('full', 2),
      ...(await schemathesisTools(program, folder)),
      collectionTool(document, documentTitle),
    ],
    cleanOnly: [
      schemathesisTool({
        id: 'schemathesis-untuned',
        title: 'Schemathesis, untuned document and settings',
        program,
        document: path.join(packageRoot, 'schemas', 'openapi.json'),
        documentTitle: 'schemas/openapi.json',
        budget: [],
      }),
    ],
  };
}

/** Schemathesis with a small budget and with its defaults, both with the tuned document, which is written into `folder`. */
export async function schemathesisTools(
  program: string,
  folder: string,
  options: Pick<SchemathesisOptions, 'recorded'> = {},
): Promise<readonly Tool[]> {
  const settings = { ...(await tuned(program, folder)), ...options };
  return [
    schemathesisTool({
      ...settings,
      id: 'schemathesis-small',
      title: 'Schemathesis, small budget',
      budget: ['--phases', 'examples,fuzzing', '--max-examples', '3'],
    }),
    schemathesisTool({
      ...settings,
      id: 'schemathesis-defaults',
      title: 'Schemathesis, defaults',
      budget: [],
    }),
  ];
}

async function tuned(
  program: string,
  folder: string,
): Promise<Pick<SchemathesisOptions, 'program' | 'document' | 'documentTitle' | 'config'>> {
  const document = path.join(folder, 'openapi.json');
  const config = path.join(folder, 'schemathesis.toml');
  await writeFile(document, JSON.stringify(tunedDocument()));
  await writeFile(config, SCHEMATHESIS_CONFIG);
  return { program, document, documentTitle: 'tuned-openapi.json', config };
}
