// `assay` in a kept process, to be started where a program starts `assay` itself. KEPT_PROGRAMS names the socket.
import { connect } from 'node:net';
import path from 'node:path';

const { KEPT_PROGRAMS = '', ...env } = process.env;
const program = path.join(import.meta.dirname, '../../dist/src/cli/main.js');
const connection = connect(KEPT_PROGRAMS).setEncoding('utf8');
connection.write(
  `${JSON.stringify({ program, args: process.argv.slice(2), cwd: process.cwd(), env })}\n`,
);
let text = '';
for await (const chunk of connection) text += chunk;
const { ended, error } = JSON.parse(text);
if (ended === undefined) throw new Error(error);
process.stdout.write(ended.stdout);
process.stderr.write(ended.stderr);
process.exitCode = ended.code;
