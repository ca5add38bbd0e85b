import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DEFECTS } from './defects/index.ts';
import { startIndependent, wantedWorld, type Wanted } from './server.ts';
import { CHOICE_NAMES, CHOICES } from './worlds/world.ts';

/** Starts one server, or lists what there is to choose; prints one JSON line. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      set: { type: 'string', multiple: true },
      plain: { type: 'boolean' },
      defect: { type: 'string' },
      keys: { type: 'string' },
      fixtures: { type: 'string' },
      now: { type: 'string' },
      'real-time': { type: 'boolean' },
      port: { type: 'string' },
      target: { type: 'string' },
      list: { type: 'boolean' },
      choices: { type: 'boolean' },
    },
  });
  const choices = Object.fromEntries(
    (values.set ?? []).map((pair) => {
      const cut = pair.indexOf('=');
      return [pair.slice(0, cut), pair.slice(cut + 1)];
    }),
  );
  const wanted: Wanted = {
    ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
    ...(values.plain === true ? { drawn: false } : {}),
    choices,
    ...(values.defect === undefined ? {} : { defect: values.defect }),
    ...(values.now === undefined ? {} : { now: Number(values.now) }),
    realTime: values['real-time'] === true,
    keys: values.keys === 'one' ? 'one' : 'all',
    fixtures: values.fixtures === 'all' ? 'all' : 'none',
    port: Number(values.port ?? 0),
  };
  if (values.list === true) {
    const dimensions = CHOICE_NAMES.map((name) => ({ name, ...CHOICES[name] }));
    const defects = DEFECTS.map(({ id, text }) => ({ id, text }));
    console.log(JSON.stringify({ dimensions, defects }));
    return;
  }
  if (values.choices === true) {
    console.log(JSON.stringify(wantedWorld(wanted).chosen));
    return;
  }
  const running = await startIndependent(wanted);
  if (values.target !== undefined)
    writeFileSync(values.target, JSON.stringify(running.target, null, 2));
  const { baseUrl, target, choices: chosen } = running;
  console.log(JSON.stringify({ baseUrl, choices: chosen, target }));
  const stop = (): void => {
    void running.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

await main();
