// `npm run site:preview`: serves the built site on loopback until it is ended. VitePress has such a command, too, but it
// listens on all addresses of the machine.
import { existsSync } from 'node:fs';
import { BASE, DIST } from './check/pages.mjs';
import { serveSite } from './server.mjs';

const port = Number(process.argv[2] ?? 4173);

if (!existsSync(DIST)) {
  process.stderr.write('There is no site to show: run `npm run site` first.\n');
  process.exit(2);
}
try {
  const { origin } = await serveSite(port);
  process.stdout.write(`${origin}${BASE}\n`);
} catch (error) {
  process.stderr.write(
    `Port ${process.argv[2] ?? port} cannot be listened on (${error.code}): name another one, as in \`npm run site:preview -- 4180\`.\n`,
  );
  process.exitCode = 2;
}
