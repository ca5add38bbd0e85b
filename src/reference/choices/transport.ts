import { bits, stream } from '../data/prng.ts';
import { onAnswer, withHeader } from '../vocabulary.ts';
import { dimension, variant, type Dimension } from './choice.ts';

/** Around all bodies (ruling 21). */
export const ENVELOPE: readonly Dimension[] = [
  dimension('envelope', 'none', {
    'wrapped-body': variant('Successful bodies are wrapped in code, message and data', {
      envelope: 'data',
      body: (value) => ({ code: 0, message: 'success', data: value }),
    }),
  }),
];

/** About one request in 60 loses its connection after it was counted; never two in a row. */
const RESETS = stream(1, 'reset');
const isLost = (count: number): boolean => bits(RESETS, count) % 60 === 0;

/** The way between client and service. */
export const TRANSPORT: readonly Dimension[] = [
  dimension('connections', 'kept', {
    'kept-for-50-ms': { network: { keepAliveMs: 50 } },
    'reset-after-counting': {
      network: { isReset: (count) => isLost(count) && !isLost(count - 1) },
    },
  }),
  dimension('content-type', 'with-charset', {
    'plain-json-type': variant('The content type is application/json without a charset', {
      answer: (answer) => withHeader(answer, 'content-type', 'application/json'),
    }),
    'problem-json-errors': variant(
      'Errors have the content type application/problem+json',
      onAnswer(
        (answer) => answer.status >= 400,
        (answer) => withHeader(answer, 'content-type', 'application/problem+json'),
      ),
    ),
  }),
];
