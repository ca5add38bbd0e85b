// What a kept process does another way than a new one: it proves in itself instead of in children, and keeps the data of the
// reference server.
const KEPT = [
  { from: '/proof/dist/', instead: '/proof/dist/kill/runner.js', module: './pool.mjs' },
  {
    from: '/dist/src/reference/',
    instead: '/dist/src/reference/data/world.js',
    module: './world.mjs',
  },
];

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  const kept = KEPT.find(
    ({ from, instead }) => resolved.url.endsWith(instead) && context.parentURL?.includes(from),
  );
  return kept === undefined
    ? resolved
    : { ...resolved, url: new URL(kept.module, import.meta.url).href };
}
