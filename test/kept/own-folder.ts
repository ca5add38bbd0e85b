// Setup of each test file of a program as a whole. They share their modules, and no file finds what another one wrote.
import { rmSync } from 'node:fs';
import { afterAll } from 'vitest';
import { newScratch, scratch } from '../cli/assay.ts';

newScratch();
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
