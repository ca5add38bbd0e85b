import { ANSWER_VARIANTS } from './answers.ts';
import { ENVELOPE_VARIANTS } from './envelope.ts';
import { LIMIT_VARIANTS } from './limits.ts';
import { NEWS_VARIANTS } from './news.ts';
import { PARAMETER_VARIANTS } from './parameters.ts';
import { RECORD_VARIANTS } from './records.ts';
import { REFUSAL_VARIANTS } from './refusals.ts';
import { REQUEST_VARIANTS } from './requests.ts';
import type { Variant } from './variant.ts';

export const VARIANTS: readonly Variant[] = [
  ...RECORD_VARIANTS,
  ...REQUEST_VARIANTS,
  ...REFUSAL_VARIANTS,
  ...PARAMETER_VARIANTS,
  ...NEWS_VARIANTS,
  ...ANSWER_VARIANTS,
  ...LIMIT_VARIANTS,
  ...ENVELOPE_VARIANTS,
];
