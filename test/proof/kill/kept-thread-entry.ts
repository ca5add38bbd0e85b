import { parentPort } from 'node:worker_threads';
import { init, runBaseTests, setupEnvironment } from 'vitest/worker';

/**
 * The thread of a kept worker. Vitest's own ends after each run; this one waits for the next, so that modules are loaded
 * once. Suites themselves are loaded anew with each run, and what they share is kept by run (`session`).
 */
if (parentPort === null) throw new Error('This file is the entry of a worker thread.');
const port = parentPort;
type Listener = (message: unknown) => void;
/** Those of the present run; the first listener, which starts runs, stays. */
const listeners: Listener[] = [];
let first = true;

init({
  post: (response) => port.postMessage(response),
  on: (listener) => {
    port.on('message', listener);
    if (!first) listeners.push(listener);
    first = false;
  },
  off: (listener) => port.off('message', listener),
  teardown: () => {
    for (const listener of listeners.splice(0)) port.off('message', listener);
  },
  runTests: (state, traces) => runBaseTests('run', state, traces),
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
  setup: setupEnvironment,
});
