import { createReference, type ReferenceOptions } from '../reference/reference.ts';

/**
 * The reference server in a separate process, so that it shares no event loop with the judge. The first message has its
 * options; it replies with the target file, and exits with its parent.
 */
process.once('message', (options: ReferenceOptions) => {
  void serve(options).catch((error: unknown) => {
    process.send?.({ error: error instanceof Error ? error.message : String(error) });
    process.exitCode = 1;
    process.disconnect();
  });
});
// Ctrl-C in a terminal reaches the whole process group, but this process is needed until its parent has stopped the
// load.
process.on('SIGINT', () => undefined);
process.once('disconnect', () => process.exit());

async function serve(options: ReferenceOptions): Promise<void> {
  const reference = createReference(options);
  const { baseUrl } = await reference.listen();
  process.send?.({ target: reference.targetFile(baseUrl) });
}
