// A process that runs programs one after the other, each as a new process would: arguments, folder, environment, output
// and exit code of its own. What costs most of a short run is spent once: loading modules, compiling.
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

register('./hooks.mjs', import.meta.url);

const STREAMS = ['stdout', 'stderr'];
/** Listeners that a program adds and a new process would not have. */
const EVENTS = ['SIGINT', 'SIGTERM', 'exit'];
let runs = 0;
let told = () => undefined;

// Below whatever a program puts around the streams, so that every word of it arrives here.
for (const name of STREAMS) {
  process[name].write = (chunk, encoding, done) => {
    told(name, Buffer.isBuffer(chunk) ? chunk.toString() : String(chunk));
    const callback = typeof encoding === 'function' ? encoding : done;
    if (callback !== undefined) process.nextTick(callback);
    return true;
  };
}

/** Runs a program to its end. */
async function run({ program, args, cwd, env }) {
  const said = { stdout: '', stderr: '' };
  told = (name, text) => {
    said[name] += text;
  };
  const before = [process, ...STREAMS.map((name) => process[name])].map((emitter) => [
    emitter,
    new Map(emitter.eventNames().map((event) => [event, emitter.listeners(event)])),
  ]);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, program, ...args];
  process.exitCode = undefined;
  runs += 1;
  // The entry is loaded anew, as often as it is run; what it imports stays.
  await import(`${pathToFileURL(program).href}?run=${runs}`);
  // What was written to a stream or posted to a port comes with the next turns.
  await new Promise((resolve) => setTimeout(resolve, 0));
  const { exitCode } = process;
  process.exitCode = undefined;
  for (const [emitter, listeners] of before) {
    for (const event of emitter.eventNames()) {
      if (emitter === process && !EVENTS.includes(event)) continue;
      for (const listener of emitter.listeners(event)) {
        if (!(listeners.get(event) ?? []).includes(listener)) emitter.off(event, listener);
      }
    }
  }
  return { code: exitCode ?? 0, ...said };
}

process.on('message', (job) => {
  run(job).then(
    (ended) => process.send({ ended }),
    (error) => process.send({ error: error instanceof Error ? error.stack : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send({ ready: true });
