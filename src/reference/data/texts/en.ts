import type { NewsTexts } from './texts.ts';

export const en: NewsTexts = {
  titles: {
    1: [
      '{name} moves {pct} as trading volume reaches {usd}',
      '{symbol} open interest climbs to {usd} on {exchange}',
      '{name} holders wait for the next macro release',
    ],
    2: [
      'Research: what drives the supply of {name}',
      'Weekly on-chain report: {symbol} transfers worth {usd}',
      'How liquid is {name}? A look at order books on {exchange}',
    ],
    3: [
      '{firm} adds {usd} of {name} to its books',
      '{firm} raises its {symbol} exposure by {pct}',
      'Institutional desks on {exchange} see demand for {name}',
    ],
    4: [
      'Opinion: why I keep watching {name}',
      'The case for patience with {symbol} after a move of {pct}',
      'Three questions that {name} has to answer this year',
    ],
    7: [
      '{exchange} lists new {symbol} trading pairs',
      '{name} Foundation announces a network upgrade',
      '{exchange} will pause {symbol} withdrawals for maintenance',
    ],
    13: [
      '{stock} shares move {pct} after {name} purchase',
      '{stock} reports {usd} of {symbol} on its balance sheet',
      'Analysts review {stock} as {name} changes direction',
    ],
  },
  generalTitles: [
    'Digital asset market turns over {usd} in one day',
    'Regulators publish a new consultation paper on custody',
    'Stablecoin transfers pass {usd} this week',
  ],
  leads: [
    '{name} ({symbol}) changed by {pct} within 24 hours, with {usd} traded on the larger venues.',
    'Traders on {exchange} kept {name} in focus while spreads stayed narrow.',
    '{firm} told clients that its view on {symbol} has not changed.',
  ],
  generalLeads: [
    'The market as a whole moved by {pct}, and turnover stood at {usd}.',
    'Desks on {exchange} described the session as calm and orderly.',
  ],
  bodies: [
    'Volumes were highest in the European afternoon and faded towards the close.',
    'Derivatives data show that most positions were opened without much leverage.',
    'On-chain activity stayed close to the average of the past month.',
    'Market makers say that depth has recovered since the start of the quarter.',
  ],
  headings: ['What happened', 'Why it matters', 'What comes next'],
  points: [
    'Liquidity is concentrated on a few venues.',
    'Fees have fallen for the third week in a row.',
    'Long-term holders have barely sold.',
  ],
  closings: [
    'More figures are expected before the end of the week.',
    'This article is for information only and is not investment advice.',
  ],
  quotes: [
    'Big day for the market. Watching the order books closely.',
    'The data speak for themselves. A thread on what changed.',
    'Patience beats prediction. Numbers attached.',
  ],
  caption: 'Daily turnover by venue',
  source: 'Read the source',
};
