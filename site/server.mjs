// Serves the built site on loopback like a static host: clean URLs, and 404.html for missing pages.
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { DIST, fileOf } from './check/pages.mjs';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/**
 * Starts the server.
 *
 * @param {number} [port] any free port by default
 * @returns {Promise<{ origin: string, close: () => Promise<void> }>}
 */
export async function serveSite(port = 0) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = fileOf(pathname);
    const type = TYPES[path.extname(file ?? '404.html')] ?? 'application/octet-stream';
    response.writeHead(file === null ? 404 : 200, { 'content-type': type });
    createReadStream(file ?? path.join(DIST, '404.html')).pipe(response);
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
