import { createReference } from '../reference/reference.ts';
import type { ReferenceOptions } from '../reference/reference.ts';

/**
 * The reference server in a process of its own, so that the load it is under and the judge share no event loop. Gets
 * its options as the first message, answers with the target file, and ends when its parent does.
 */
process.once('message', (options: ReferenceOptions) => {
  void serve(options).catch((error: unknown) => {
    process.send?.({ error: error instanceof Error ? error.message : String(error) });
    process.exitCode = 1;
    process.disconnect();
  });
});
// Ctrl-C in a terminal reaches every process of its group; this one is still needed until its parent has ended the load.
process.on('SIGINT', () => undefined);
process.once('disconnect', () => process.exit());

async function serve(options: ReferenceOptions): Promise<void> {
  const reference = createReference(options);
  const { baseUrl } = await reference.listen();
  process.send?.({ target: reference.targetFile(baseUrl) });
}
