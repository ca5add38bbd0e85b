import { parentPort } from 'node:worker_threads';
import { askAll } from './asked.ts';
import type { LookTask } from './looks.ts';
import { Matrix, requestSets } from './matrix.ts';

if (parentPort === null) throw new Error('This file is the entry of a worker thread.');
const port = parentPort;
const asked = await askAll(1);
const matrix = new Matrix(asked, requestSets(asked));

port.on('message', ({ fault, level }: LookTask) => port.postMessage(matrix.shownBy(fault, level)));
port.postMessage('ready');
