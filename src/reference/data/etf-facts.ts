import type { Country, EtfSymbol } from '../../contract/values.ts';
import type { EtfListing } from '../world.ts';

/** What is fixed about an ETF. */
export interface EtfFacts extends EtfListing {
  /** Net assets when the data begins, millions of USD. */
  readonly assets: number;
  /** Tendency of flows: 1 gathers money, -1 bleeds. */
  readonly drift: number;
  /** Price of a share as a fraction of one unit of the asset. */
  readonly perShare: number;
}

type Row = readonly [
  ticker: string,
  name: string,
  assets: number,
  perShare: number,
  drift?: number,
];

const LISTINGS: readonly (readonly [Country, EtfSymbol, readonly Row[]])[] = [
  [
    'US',
    'BTC',
    [
      ['IBIT', 'iShares Bitcoin Trust', 31_000, 0.00057],
      ['FBTC', 'Fidelity Wise Origin Bitcoin Fund', 11_200, 0.00087],
      ['GBTC', 'Grayscale Bitcoin Trust', 18_500, 0.00079, -1],
      ['BTC', 'Grayscale Bitcoin Mini Trust', 2_900, 0.00044],
      ['BITB', 'Bitwise Bitcoin ETF', 2_600, 0.00054],
      ['ARKB', 'ARK 21Shares Bitcoin ETF', 3_100, 0.00033],
      ['HODL', 'VanEck Bitcoin ETF', 1_100, 0.00028],
      ['BRRR', 'CoinShares Valkyrie Bitcoin Fund', 480, 0.00028],
      ['BTCO', 'Invesco Galaxy Bitcoin ETF', 450, 0.001],
      ['EZBC', 'Franklin Bitcoin ETF', 420, 0.00058],
      ['BTCW', 'WisdomTree Bitcoin Fund', 140, 0.00106],
    ],
  ],
  [
    'US',
    'ETH',
    [
      ['ETHA', 'iShares Ethereum Trust', 7_600, 0.0076],
      ['FETH', 'Fidelity Ethereum Fund', 1_700, 0.01],
      ['ETHE', 'Grayscale Ethereum Trust', 4_200, 0.0083, -1],
      ['ETH', 'Grayscale Ethereum Mini Trust', 1_500, 0.0094],
      ['ETHW', 'Bitwise Ethereum ETF', 320, 0.0072],
      ['ETHV', 'VanEck Ethereum ETF', 150, 0.0147],
      ['EZET', 'Franklin Ethereum ETF', 50, 0.0076],
      ['QETH', 'Invesco Galaxy Ethereum ETF', 28, 0.0099],
      ['TETH', '21Shares Ethereum ETF', 24, 0.005],
    ],
  ],
  [
    'US',
    'SOL',
    [
      ['BSOL', 'Bitwise Solana Staking ETF', 420, 0.131],
      ['GSOL', 'Grayscale Solana Trust', 110, 0.073],
      ['VSOL', 'VanEck Solana ETF', 38, 0.132],
      ['FSOL', 'Fidelity Solana Fund', 46, 0.12],
      ['TSOL', '21Shares Solana ETF', 90, 0.07],
      ['SOEZ', 'Franklin Solana ETF', 12, 0.17],
    ],
  ],
  [
    'US',
    'LTC',
    [
      ['LTCC', 'Canary Litecoin ETF', 7.5, 0.27],
      ['LTCN', 'Grayscale Litecoin Trust', 160, 0.087, -0.6],
      ['LTCX', 'CoinShares Litecoin ETF', 3.2, 0.25],
    ],
  ],
  [
    'US',
    'HBAR',
    [
      ['HBR', 'Canary HBAR ETF', 62, 110],
      ['HBAG', 'Grayscale Hedera Trust', 9.4, 84],
      ['HBRS', '21Shares HBAR ETF', 4.1, 130],
    ],
  ],
  [
    'US',
    'XRP',
    [
      ['XRPC', 'Canary XRP ETF', 310, 11.5],
      ['GXRP', 'Grayscale XRP Trust', 140, 18.6],
      ['XRP', 'Bitwise XRP ETF', 180, 11.2],
      ['XRPZ', 'Franklin XRP ETF', 130, 10.9],
      ['TOXR', '21Shares XRP ETF', 95, 9.4],
    ],
  ],
  [
    'US',
    'DOGE',
    [
      ['GDOG', 'Grayscale Dogecoin Trust', 5.8, 110],
      ['BWOW', 'Bitwise Dogecoin ETF', 3.9, 150],
      ['TDOG', '21Shares Dogecoin ETF', 2.6, 140],
    ],
  ],
  [
    'US',
    'LINK',
    [
      ['GLNK', 'Grayscale Chainlink Trust', 74, 0.86],
      ['CLNK', 'Bitwise Chainlink ETF', 11, 1.6],
      ['TLNK', '21Shares Chainlink ETF', 5.2, 1.4],
    ],
  ],
  [
    'US',
    'AVAX',
    [
      ['VAVX', 'VanEck Avalanche ETF', 14, 1.5],
      ['GAVX', 'Grayscale Avalanche Trust', 21, 1.2, -0.4],
      ['BAVA', 'Bitwise Avalanche ETF', 6.3, 1.6],
    ],
  ],
  [
    'US',
    'DOT',
    [
      ['TDOT', '21Shares Polkadot ETF', 8.2, 8],
      ['GDOT', 'Grayscale Polkadot Trust', 11, 7.1, -0.4],
      ['VDOT', 'VanEck Polkadot ETF', 2.4, 9],
    ],
  ],
  [
    'HK',
    'BTC',
    [
      ['3042.HK', 'ChinaAMC Bitcoin ETF', 190, 0.000128],
      ['3008.HK', 'Bosera HashKey Bitcoin ETF', 120, 0.00013],
      ['3439.HK', 'Harvest Bitcoin Spot ETF', 48, 0.00013],
    ],
  ],
  [
    'HK',
    'ETH',
    [
      ['3046.HK', 'ChinaAMC Ether ETF', 52, 0.0004],
      ['3009.HK', 'Bosera HashKey Ether ETF', 24, 0.0004],
      ['3179.HK', 'Harvest Ether Spot ETF', 14, 0.0004],
    ],
  ],
  [
    'HK',
    'SOL',
    [
      ['3460.HK', 'ChinaAMC Solana ETF', 9.5, 0.0068],
      ['3473.HK', 'Bosera HashKey Solana ETF', 4.3, 0.0068],
      ['3479.HK', 'Harvest Solana Spot ETF', 2.8, 0.0068],
    ],
  ],
];

/** All ETFs of the reference data, by listing. Tickers are unique; some equal the symbol of another field. */
export const ETF_FACTS: readonly EtfFacts[] = LISTINGS.flatMap(([country, symbol, rows]) =>
  rows.map(([ticker, name, assets, perShare, drift = 1]) => ({
    ticker,
    name,
    symbol,
    country,
    assets,
    perShare,
    drift,
  })),
);
