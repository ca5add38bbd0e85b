import { REQUIREMENTS } from './catalogue.ts';

/** What is said of the requirements in every report. A key that stands in it could not be redacted there. */
export const REQUIREMENT_TEXTS: readonly string[] = REQUIREMENTS.map(
  ({ id, title }) => `${id} ${title}`,
);
