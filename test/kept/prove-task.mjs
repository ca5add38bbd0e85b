// A program for a kept process: proves one task of the proof, given as its argument, and prints the result.
import { createPool } from './pool.mjs';

const [result] = await createPool().run([JSON.parse(process.argv[2] ?? '')]);
process.stdout.write(JSON.stringify(result));
