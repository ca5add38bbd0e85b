import { onBody } from '../vocabulary.ts';
import type { Variant } from './variant.ts';

/** Not a free choice: conforms only when the target file names the envelope (ruling 21). */
export const ENVELOPE_VARIANTS: readonly Variant[] = [
  {
    id: 'wrapped-body',
    title: 'Successful bodies are wrapped in code, message and data',
    section: '4',
    question: 'envelope',
    envelope: 'data',
    hooks: onBody(
      () => true,
      (value) => ({ code: 0, message: 'success', data: value }),
    ),
  },
];
