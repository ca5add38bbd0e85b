// `npm run site:preview`: serves the built site on loopback. The preview command of VitePress listens on all interfaces.
import { existsSync } from 'node:fs';
import { BASE, DIST } from './check/pages.mjs';
import { serveSite } from './server.mjs';

const port = Number(process.argv[2] ?? 4173);

if (!existsSync(DIST)) {
  process.stderr.write('No site found: run `npm run site` first.\n');
  process.exit(2);
}
try {
  const { origin } = await serveSite(port);
  process.stdout.write(`${origin}${BASE}\n`);
} catch (error) {
  process.stderr.write(
    `Cannot listen on port ${process.argv[2] ?? port} (${error.code}). Pass another one, as in \`npm run site:preview -- 4180\`.\n`,
  );
  process.exitCode = 2;
}
