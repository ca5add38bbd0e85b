/**
 * Questions that the specification leaves open by contradictions, with the expected answers. Readings may also have
 * other answers.
 */
export const READINGS = {
  newsMaximum: {
    question: 'A news page_size from 101 to 200',
    refused: 'refused',
    broughtDown: 'brought down to 100',
    upTo200: 'answered with up to 200 items',
  },
  volumeType: {
    question: 'JSON type of volume in ETF history',
    number: 'number',
    text: 'string',
  },
  codeForm: {
    question: 'How many digits error codes have',
    sixDigit: 'six-digit',
    fiveDigit: 'five-digit',
  },
  refusalCode: { question: 'Code of the refusal by the rate limiter' },
} as const;
