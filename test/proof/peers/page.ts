import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readCurveReport } from '../shown/report.ts';
import { peersDoc } from './doc.ts';
import { readPeersReport } from './report.ts';

/** Writes `docs/peers.md` in `folder` from the figures in its `reports`; gives the path. Before there are any about the curve, it is left out. */
export async function writePeersPage(folder: string): Promise<string> {
  const figures = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(path.join(folder, 'reports', name), 'utf8'));
  const curve = await figures('curve.json').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  const page = path.join(folder, 'docs', 'peers.md');
  await mkdir(path.dirname(page), { recursive: true });
  await writeFile(
    page,
    peersDoc(
      readPeersReport(await figures('peers.json')),
      curve === undefined ? undefined : readCurveReport(curve),
    ),
  );
  return page;
}
