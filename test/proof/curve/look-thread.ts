import { parentPort } from 'node:worker_threads';
import { askAll } from './asked.ts';
import { PlainCollection } from './collection.ts';
import type { Look, LookTask } from './looks.ts';
import { Matrix, requestSets } from './matrix.ts';

if (parentPort === null) throw new Error('This file is the entry of a worker thread.');
const port = parentPort;
const asked = await askAll(1);
const matrix = new Matrix(asked, requestSets(asked));
const collection = new PlainCollection();

function lookAt({ look, fault, level }: LookTask): Look {
  if (look === 'sets') return matrix.shownBy(fault, level);
  return look === 'after' ? matrix.shownAfter(fault, level) : collection.shownAfter(fault);
}

port.on('message', (task: LookTask) => port.postMessage(lookAt(task)));
port.postMessage('ready');
