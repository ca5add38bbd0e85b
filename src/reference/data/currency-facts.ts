/** Sectors that currencies belong to. */
export const SECTORS = {
  layer1: 'Layer 1',
  layer2: 'Layer 2',
  defi: 'DeFi',
  payment: 'Payments',
  stable: 'Stablecoins',
  meme: 'Meme',
  oracle: 'Oracles',
  ai: 'AI',
  storage: 'Storage and compute',
  exchange: 'Exchange tokens',
  rwa: 'Real-world assets',
  privacy: 'Privacy',
  gaming: 'Gaming',
} as const;
export type SectorId = keyof typeof SECTORS;

const isSector = (id: string): id is SectorId => Object.hasOwn(SECTORS, id);

/** What is fixed about a currency. Prices and volumes are plausible magnitudes, not quotations. */
export interface CurrencyFacts {
  readonly symbol: string;
  readonly name: string;
  /** Price in the middle of its swing, USD. */
  readonly base: number;
  readonly volatility: number;
  /** Steady growth a day; only for currencies that accrue or decay instead of swinging. */
  readonly growth: number;
  readonly circulating: number;
  readonly total: number;
  /** Null: unlimited. */
  readonly max: number | null;
  /** Typical 24-hour turnover, millions of USD. */
  readonly turnover: number;
  /** First issuance, `yyyy-MM-dd`. */
  readonly issued: string;
  readonly sectors: readonly SectorId[];
  /** Chain of the token contract; null when there is none. */
  readonly chain: string | null;
  readonly pairs: number;
}

/** One currency a line; turnover in millions of USD a day, growth as a fraction a day. */
const TABLE = `
symbol | name                 | price     | volatility | circulating     | total           | max             | turnover | issued     | sectors         | chain        | pairs | growth
BTC    | Bitcoin              | 88000     | 0.6        | 19968000        | 19968000        | 21000000        | 41000    | 2009-01-03 | layer1 payment  | -            | 292   | 0
ETH    | Ethereum             | 3100      | 0.75       | 120690000       | 120690000       | unlimited       | 24000    | 2015-07-30 | layer1          | -            | 214   | 0
SOL    | Solana               | 150       | 0.85       | 559000000       | 615000000       | unlimited       | 6100     | 2020-03-16 | layer1          | Solana       | 132   | 0
XRP    | XRP                  | 2.2       | 0.8        | 60300000000     | 99985000000     | 100000000000    | 5200     | 2012-06-02 | payment layer1  | -            | 148   | 0
USDT   | Tether               | 1         | 0.002      | 176000000000    | 179000000000    | unlimited       | 92000    | 2014-10-06 | stable          | Ethereum     | 120   | 0
BNB    | BNB                  | 860       | 0.6        | 137700000       | 137700000       | 200000000       | 2400     | 2017-07-25 | exchange layer1 | -            | 96    | 0
USDC   | USD Coin             | 1         | 0.0015     | 74200000000     | 74200000000     | unlimited       | 12500    | 2018-09-26 | stable          | Ethereum     | 88    | 0
DOGE   | Dogecoin             | 0.17      | 0.9        | 152400000000    | 152400000000    | unlimited       | 2100     | 2013-12-06 | meme payment    | -            | 84    | 0
TRX    | TRON                 | 0.29      | 0.5        | 94700000000     | 94700000000     | unlimited       | 780      | 2017-09-13 | layer1          | -            | 62    | 0
ADA    | Cardano              | 0.52      | 0.85       | 35900000000     | 44990000000     | 45000000000     | 910      | 2017-09-29 | layer1          | -            | 74    | 0
LINK   | Chainlink            | 14.5      | 0.85       | 697000000       | 1000000000      | 1000000000      | 720      | 2017-09-19 | oracle          | Ethereum     | 68    | 0
AVAX   | Avalanche            | 16        | 0.9        | 427000000       | 461000000       | 720000000       | 540      | 2020-09-21 | layer1          | -            | 58    | 0
SUI    | Sui                  | 1.9       | 1          | 3680000000      | 10000000000     | 10000000000     | 860      | 2023-05-03 | layer1          | -            | 52    | 0
XLM    | Stellar              | 0.26      | 0.8        | 32100000000     | 50000000000     | 50000000000     | 210      | 2014-07-31 | payment         | -            | 48    | 0
LTC    | Litecoin             | 92        | 0.65       | 76500000        | 76500000        | 84000000        | 520      | 2011-10-13 | payment         | -            | 66    | 0
BCH    | Bitcoin Cash         | 520       | 0.65       | 19950000        | 19950000        | 21000000        | 420      | 2017-08-01 | payment         | -            | 56    | 0
HBAR   | Hedera               | 0.16      | 0.85       | 42400000000     | 50000000000     | 50000000000     | 230      | 2019-09-17 | layer1          | -            | 42    | 0
TON    | Toncoin              | 1.9       | 0.75       | 2470000000      | 5140000000      | unlimited       | 130      | 2019-11-15 | layer1          | -            | 40    | 0
SHIB   | Shiba Inu            | 0.0000096 | 0.9        | 589240000000000 | 589500000000000 | unlimited       | 160      | 2020-08-01 | meme            | Ethereum     | 54    | 0
DOT    | Polkadot             | 2.8       | 0.9        | 1630000000      | 1630000000      | 2100000000      | 190      | 2020-05-26 | layer1          | -            | 50    | 0
UNI    | Uniswap              | 6.8       | 0.95       | 630000000       | 1000000000      | 1000000000      | 310      | 2020-09-17 | defi            | Ethereum     | 44    | 0
AAVE   | Aave                 | 185       | 0.9        | 15300000        | 16000000        | 16000000        | 280      | 2020-10-02 | defi            | Ethereum     | 38    | 0
XMR    | Monero               | 340       | 0.55       | 18450000        | 18450000        | unlimited       | 140      | 2014-04-18 | privacy payment | -            | 26    | 0
NEAR   | NEAR Protocol        | 2.1       | 0.95       | 1280000000      | 1280000000      | unlimited       | 210      | 2020-10-13 | layer1 ai       | -            | 36    | 0
ETC    | Ethereum Classic     | 15.5      | 0.75       | 154000000       | 210700000       | 210700000       | 95       | 2016-07-20 | layer1          | -            | 34    | 0
ICP    | Internet Computer    | 4.4       | 0.95       | 545000000       | 545000000       | unlimited       | 120      | 2021-05-10 | layer1 storage  | -            | 28    | 0
PEPE   | Pepe                 | 0.0000058 | 1          | 420690000000000 | 420690000000000 | 420690000000000 | 410      | 2023-04-14 | meme            | Ethereum     | 46    | 0
ARB    | Arbitrum             | 0.27      | 1          | 5600000000      | 10000000000     | 10000000000     | 130      | 2023-03-16 | layer2          | Arbitrum One | 34    | 0
OP     | Optimism             | 0.38      | 1          | 1900000000      | 4290000000      | unlimited       | 90       | 2022-05-31 | layer2          | OP Mainnet   | 30    | 0
APT    | Aptos                | 2.6       | 0.95       | 740000000       | 1190000000      | unlimited       | 140      | 2022-10-12 | layer1          | -            | 30    | 0
ATOM   | Cosmos               | 2.9       | 0.85       | 482000000       | 482000000       | unlimited       | 75       | 2019-03-14 | layer1          | -            | 32    | 0
FIL    | Filecoin             | 1.7       | 0.95       | 710000000       | 1958000000      | 1960000000      | 130      | 2020-10-15 | storage         | -            | 30    | 0
RENDER | Render               | 2.2       | 1          | 518000000       | 533000000       | 644000000       | 60       | 2020-06-10 | ai storage      | Solana       | 24    | 0
TAO    | Bittensor            | 330       | 0.95       | 9900000         | 21000000        | 21000000        | 150      | 2021-01-03 | ai              | -            | 22    | 0
INJ    | Injective            | 6.5       | 1          | 100000000       | 100000000       | unlimited       | 70       | 2020-10-19 | defi layer1     | Injective    | 24    | 0
ALGO   | Algorand             | 0.16      | 0.85       | 8800000000      | 8800000000      | 10000000000     | 55       | 2019-06-19 | layer1          | -            | 26    | 0
WLD    | Worldcoin            | 0.7       | 1          | 2280000000      | 10000000000     | 10000000000     | 140      | 2023-07-24 | ai              | World Chain  | 22    | 0
MKR    | Maker                | 1550      | 0.8        | 850000          | 870000          | 1005577         | 45       | 2017-11-25 | defi rwa        | Ethereum     | 21    | 0
DAI    | Dai                  | 1         | 0.002      | 5360000000      | 5360000000      | unlimited       | 120      | 2019-11-18 | stable defi     | Ethereum     | 23    | 0
SAND   | The Sandbox          | 0.2       | 0.95       | 2600000000      | 3000000000      | 3000000000      | 35       | 2020-08-14 | gaming          | Ethereum     | 20    | 0
GALA   | Gala                 | 0.011     | 1          | 46300000000     | 46300000000     | unlimited       | 48       | 2020-09-16 | gaming          | Ethereum     | 20    | 0
ZEC    | Zcash                | 240       | 1          | 16300000        | 16300000        | 21000000        | 640      | 2016-10-28 | privacy         | -            | 28    | 0
CRV    | Curve DAO            | 0.48      | 0.95       | 1420000000      | 2310000000      | 3030000000      | 80       | 2020-08-13 | defi            | Ethereum     | 18    | 0
STX    | Stacks               | 0.42      | 0.95       | 1810000000      | 1810000000      | 1820000000      | 22       | 2019-10-31 | layer2          | -            | 16    | 0
USDY   | Ondo US Dollar Yield | 1.02      | 0          | 610000000       | 612000000       | unlimited       | 3.5      | 2023-08-01 | rwa stable      | Ethereum     | 9     | 0.000118
LUNC   | Terra Classic        | 0.000092  | 0          | 5490000000000   | 6470000000000   | unlimited       | 11       | 2019-04-24 | layer1          | -            | 14    | -0.0006
`;

function parseLine(line: string): CurrencyFacts {
  const cells = line.split('|').map((cell) => cell.trim());
  const text = (column: number): string => {
    const cell = cells[column];
    if (cell === undefined || cell === '')
      throw new Error(`currency table: no column ${column} in "${line}"`);
    return cell;
  };
  const number = (column: number): number => {
    const value = Number(text(column));
    if (!Number.isFinite(value))
      throw new Error(`currency table: "${text(column)}" is no number in "${line}"`);
    return value;
  };
  return {
    symbol: text(0),
    name: text(1),
    base: number(2),
    volatility: number(3),
    circulating: number(4),
    total: number(5),
    max: text(6) === 'unlimited' ? null : number(6),
    turnover: number(7),
    issued: text(8),
    sectors: text(9).split(' ').filter(isSector),
    chain: text(10) === '-' ? null : text(10),
    pairs: number(11),
    growth: number(12),
  };
}

/** Currencies of the reference data, most valuable first by and large. */
export const CURRENCY_FACTS: readonly CurrencyFacts[] = TABLE.trim()
  .split('\n')
  .slice(1)
  .map(parseLine);
