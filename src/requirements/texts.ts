import { REQUIREMENTS } from './catalogue.ts';

/** Texts in every report. A key that occurs in them could not be redacted. */
export const REQUIREMENT_TEXTS: readonly string[] = REQUIREMENTS.map(
  ({ id, title }) => `${id} ${title}`,
);
