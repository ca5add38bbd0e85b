// Loaded into the process under test: tells how much memory it took at most, KiB.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const file = process.env['HOSTILE_MEMORY'];
  if (file !== undefined) writeFileSync(file, String(process.resourceUsage().maxRSS));
});
