import { BANDS, type Band } from '../../src/domain/index.ts';

/** What statements ask of a rating. */
export interface Judged {
  readonly band: Band;
  readonly score: number | null;
  readonly class: string | undefined;
  readonly flags: readonly { readonly code: string }[];
  readonly caps: readonly { readonly code: string }[];
}

/** Ratings to hold statements against, by name: of the panel's files, of the design's worked examples, and of made cases. */
export interface Rated {
  /** False for what was not rated; what is said of it is then left out. */
  readonly has: (subject: string) => boolean;
  readonly of: (subject: string) => Judged;
  readonly score: (subject: string) => number;
}

export interface Statement {
  readonly says: string;
  readonly design: string;
  /** Assets with the worst and best band they may have; the place of their values before the colon. */
  readonly bands?: readonly (readonly [subject: string, worst: Band, best: Band])[];
  /** More that must hold: what does not, in words. */
  readonly more?: (rated: Rated) => readonly (string | false)[];
}

const [USDC, USDT, BTC, ETH] = ['panel:usd-coin', 'panel:tether', 'panel:bitcoin', 'panel:ethereum'] as const;
const MEMES = ['pepe', 'dogwifcoin', 'shiba-inu', 'bonk', 'official-trump'].map((id) => `panel:${id}`);
const above = ({ has, score }: Rated, ...all: readonly string[]) => {
  const order = all.filter(has);
  return order.slice(1).map((below, at) => {
    const better = order[at] ?? '';
    return score(better) <= score(below) && `${better} ${score(better)} is not above ${below} ${score(below)}`;
  });
};
const without = ({ has, of }: Rated, subject: string, code: string) =>
  has(subject) && of(subject).flags.some((flag) => flag.code === code) && `${subject} has ${code}`;
const capped = ({ has, of }: Rated, subject: string, code: string) =>
  has(subject) && !of(subject).caps.some((cap) => cap.code === code) && `${subject} is not under ${code}`;
export const rank = (band: Band) => BANDS.indexOf(band);

/** The forty, in the order of the design page. */
export const STATEMENTS: readonly Statement[] = [
  {
    says: 'Bitcoin AA to AAA',
    design: '87.5 AA',
    bands: [
      [BTC, 'AA', 'AAA'],
      ['design:Bitcoin', 'AA', 'AAA'],
    ],
  },
  {
    says: 'Ethereum AA to AAA, within 5 points of Bitcoin',
    design: '88.7 AA',
    bands: [
      [ETH, 'AA', 'AAA'],
      ['design:Ethereum', 'AA', 'AAA'],
    ],
    more: ({ score }) => [Math.abs(score(BTC) - score(ETH)) > 5 && 'they are more than 5 points apart'],
  },
  {
    says: 'Solana BBB to A, below BTC and ETH',
    design: '81.9 A',
    bands: [
      ['panel:solana', 'BBB', 'A'],
      ['design:Solana', 'BBB', 'A'],
    ],
    more: (rated) => [...above(rated, BTC, 'panel:solana'), ...above(rated, ETH, 'panel:solana')],
  },
  {
    says: 'XRP BB to A',
    design: '73.3 BBB',
    bands: [
      ['panel:ripple', 'BB', 'A'],
      ['design:XRP', 'BB', 'A'],
    ],
  },
  {
    says: 'BNB BBB to A, never AA while company-led',
    design: '79.6 A',
    bands: [
      ['panel:binancecoin', 'BBB', 'A'],
      ['design:BNB', 'BBB', 'A'],
    ],
    more: (rated) => ['panel:binancecoin', 'design:BNB'].map((one) => capped(rated, one, 'NATIVE_AA_GATE')),
  },
  {
    says: 'TRX BB to A, below BTC, ETH, SOL',
    design: '78.4 A',
    bands: [
      ['panel:tron', 'BB', 'A'],
      ['design:TRX', 'BB', 'A'],
    ],
    more: (rated) => [BTC, ETH, 'panel:solana'].flatMap((id) => above(rated, id, 'panel:tron')),
  },
  {
    says: 'Cardano BBB to A',
    design: '77.4 A',
    bands: [
      ['panel:cardano', 'BBB', 'A'],
      ['design:Cardano', 'BBB', 'A'],
    ],
  },
  {
    says: 'Avalanche BBB to A',
    design: '77.6 A',
    bands: [
      ['panel:avalanche-2', 'BBB', 'A'],
      ['design:Avalanche', 'BBB', 'A'],
    ],
  },
  {
    says: 'Litecoin BBB to AA',
    design: '74.8 A',
    bands: [
      ['panel:litecoin', 'BBB', 'AA'],
      ['design:Litecoin', 'BBB', 'AA'],
    ],
  },
  {
    says: 'Dogecoin BB to A (a native coin, not under CLASS_MEME)',
    design: '73.3 BBB',
    bands: [
      ['panel:dogecoin', 'BB', 'A'],
      ['design:Dogecoin', 'BB', 'A'],
    ],
    more: ({ of }) => [of('panel:dogecoin').class !== 'native_l1' && 'it is not rated as a native coin'],
  },
  {
    says: 'Arbitrum (ARB) BB to A, not above BBB at stage 1',
    design: '73.9 BBB',
    bands: [
      ['panel:arbitrum', 'BB', 'BBB'],
      ['design:Arbitrum', 'BB', 'BBB'],
    ],
  },
  {
    says: 'an L2 without proof system not above BB',
    design: '64.9 cap',
    bands: [['panel:mantle', 'CCC', 'BB']],
    more: (rated) => [capped(rated, 'panel:mantle', 'L2_STAGE_0')],
  },
  {
    says: 'USDC A to AA',
    design: '88.3 AA',
    bands: [
      [USDC, 'A', 'AA'],
      ['design:USDC', 'A', 'AA'],
    ],
  },
  {
    says: 'EURC BBB to AA; no DEPEG from the euro’s rate',
    design: '88.9 AA',
    bands: [
      ['panel:euro-coin', 'BBB', 'AA'],
      ['design:EURC', 'BBB', 'AA'],
    ],
    more: (rated) => [
      without(rated, 'panel:euro-coin', 'DEPEG'),
      without(rated, 'panel:euro-coin', 'DEPEG_SEVERE'),
      without(rated, 'case:a euro coin at 1.16 dollars', 'DEPEG'),
      without(rated, 'case:a euro coin at 1.16 dollars', 'DEPEG_SEVERE'),
    ],
  },
  {
    says: 'USDT BB to BBB, at least one band below USDC',
    design: '64.6 BB',
    bands: [
      [USDT, 'BB', 'BBB'],
      ['design:USDT', 'BB', 'BBB'],
    ],
    more: ({ of }) => [rank(of(USDT).band) <= rank(of(USDC).band) && 'it is not a band below USDC'],
  },
  {
    says: 'PYUSD, RLUSD, USDP: BBB to AA',
    design: '-',
    bands: [
      ['panel:paypal-usd', 'BBB', 'AA'],
      ['panel:ripple-usd', 'BBB', 'AA'],
    ],
  },
  {
    says: 'TUSD CCC to BB, below USDT',
    design: '40.8 CCC',
    bands: [
      ['panel:true-usd', 'CCC', 'BB'],
      ['design:TUSD', 'CCC', 'BB'],
    ],
    more: (rated) => above(rated, USDT, 'panel:true-usd'),
  },
  { says: 'FDUSD B to BBB', design: '-', bands: [['panel:first-digital-usd', 'B', 'BBB']] },
  {
    says: 'USDS/DAI BB to A, below USDC',
    design: '73.9 BBB',
    bands: [
      ['panel:dai', 'BB', 'A'],
      ['design:USDS/DAI', 'BB', 'A'],
    ],
    more: (rated) => above(rated, USDC, 'panel:dai'),
  },
  {
    says: 'LUSD/BOLD BBB to AA',
    design: '81.9 A',
    bands: [
      ['panel:liquity-usd', 'BBB', 'AA'],
      ['design:LUSD/BOLD', 'BBB', 'AA'],
    ],
  },
  {
    says: 'USDe B to BBB, below DAI',
    design: '64.9 BB',
    bands: [
      ['panel:ethena-usde', 'B', 'BBB'],
      ['design:USDe', 'B', 'BBB'],
    ],
    more: (rated) => [
      ...above(rated, 'panel:dai', 'panel:ethena-usde'),
      ...above(rated, 'design:USDS/DAI', 'design:USDe'),
    ],
  },
  {
    says: 'USTC D at the first rating, no own history',
    design: 'D',
    bands: [
      ['panel:terrausd', 'D', 'D'],
      ['design:USTC', 'D', 'D'],
    ],
  },
  {
    says: 'an algorithmic coin at par, backed by its sister token: at most CCC',
    design: '43.9 cap',
    bands: [
      ['panel:terrausd@2022-04', 'D', 'CCC'],
      ['panel:iron-stablecoin@2021-06', 'D', 'CCC'],
    ],
  },
  {
    says: 'stETH A to AA, below ETH',
    design: '81.9 A',
    bands: [
      ['panel:staked-ether', 'A', 'AA'],
      ['design:stETH', 'A', 'AA'],
    ],
    more: (rated) => above(rated, ETH, 'panel:staked-ether'),
  },
  {
    says: 'WBTC BBB to A, below BTC',
    design: '73.9 BBB',
    bands: [
      ['panel:wrapped-bitcoin', 'BBB', 'A'],
      ['design:WBTC', 'BBB', 'A'],
    ],
    more: (rated) => [...above(rated, BTC, 'panel:wrapped-bitcoin'), ...above(rated, 'design:Bitcoin', 'design:WBTC')],
  },
  {
    says: 'bridge copy whose backing nobody reads, upgradeable by a plain key: at most B',
    design: '54.9 B',
    bands: [
      ['panel:case-bridge-copy', 'D', 'B'],
      ['design:a bridge copy without proof', 'D', 'B'],
    ],
  },
  {
    says: 'PAXG A to AA',
    design: '85.7 AA',
    bands: [
      ['panel:pax-gold', 'A', 'AA'],
      ['design:PAXG', 'A', 'AA'],
    ],
  },
  {
    says: 'XAUT BB to A, below PAXG',
    design: '68.4 BBB',
    bands: [
      ['panel:tether-gold', 'BB', 'A'],
      ['design:XAUT', 'BB', 'A'],
    ],
    more: (rated) => [
      ...above(rated, 'panel:pax-gold', 'panel:tether-gold'),
      ...above(rated, 'design:PAXG', 'design:XAUT'),
    ],
  },
  {
    says: 'BUIDL BBB to AA, although nothing trades',
    design: '80.0 A',
    bands: [
      ['panel:blackrock-usd-institutional-digital-liquidity-fund', 'BBB', 'AA'],
      ['design:BUIDL', 'BBB', 'AA'],
    ],
  },
  {
    says: 'UNI BBB to A, no TOP1_DOMINANT from its Timelock',
    design: '79.4 A',
    bands: [
      ['panel:uniswap', 'BBB', 'A'],
      ['design:UNI', 'BBB', 'A'],
    ],
    more: (rated) => [without(rated, 'panel:uniswap', 'TOP1_DOMINANT')],
  },
  {
    says: 'AAVE BBB to A, no DEV_INACTIVE from its old repository',
    design: '79.1 A',
    bands: [
      ['panel:aave', 'BBB', 'A'],
      ['design:AAVE', 'BBB', 'A'],
    ],
    more: (rated) => ['panel:aave', 'design:AAVE'].map((one) => without(rated, one, 'DEV_INACTIVE')),
  },
  {
    says: 'LINK BBB to A',
    design: '79.0 A',
    bands: [
      ['panel:chainlink', 'BBB', 'A'],
      ['design:LINK', 'BBB', 'A'],
    ],
  },
  {
    says: 'AXS CCC to BB',
    design: '59.9 BB',
    bands: [
      ['panel:axie-infinity', 'CCC', 'BB'],
      ['design:AXS', 'CCC', 'BB'],
    ],
  },
  {
    says: 'PEPE B to BB',
    design: '58.9 BB',
    bands: [
      ['panel:pepe', 'B', 'BB'],
      ['design:PEPE', 'B', 'BB'],
    ],
  },
  {
    says: 'WIF B to BB',
    design: '59.8 BB',
    bands: [
      ['panel:dogwifcoin', 'B', 'BB'],
      ['design:WIF', 'B', 'BB'],
    ],
  },
  {
    says: 'SHIB B to BB (before its ceiling 72.7)',
    design: '64.9 BB',
    bands: [
      ['panel:shiba-inu', 'B', 'BB'],
      ['design:SHIB', 'B', 'BB'],
    ],
  },
  {
    says: 'memecoin on day 3 CC to CCC, honeypot C (8), executed rug D',
    design: '36.3 CCC',
    bands: [
      ['panel:case-fresh-memecoin-day-3', 'CC', 'CCC'],
      ['design:fresh memecoin (day 3)', 'CC', 'CCC'],
      ['panel:case-honeypot', 'C', 'C'],
      ['panel:case-executed-rug', 'D', 'D'],
    ],
    more: ({ has, score }) => [
      has('panel:case-honeypot') && score('panel:case-honeypot') > 8 && 'a honeypot is above 8',
    ],
  },
  {
    says: 'FTT D to CC',
    design: '19.9 C',
    bands: [
      ['panel:ftx-token', 'D', 'CC'],
      ['design:FTT', 'D', 'CC'],
    ],
  },
  {
    says: 'LUNC CCC to BB; a token of a company in proceedings never above C',
    design: '-',
    bands: [
      ['panel:ftx-token', 'D', 'C'],
      ['panel:celsius-degree-token', 'D', 'C'],
      ['design:FTT', 'D', 'C'],
    ],
  },
  {
    says: 'order: min(BTC, ETH, USDC) > max(all memecoins) + 15; ETH > stETH; BTC > WBTC; USDC > USDT > TUSD > USTC; SOL > FTT + 40',
    design: 'holds',
    more: (rated) => {
      const { score } = rated;
      return [
        Math.min(...[BTC, ETH, USDC].map(score)) <= Math.max(...MEMES.map(score)) + 15 && 'a memecoin is too near',
        ...above(rated, ETH, 'panel:staked-ether'),
        ...above(rated, BTC, 'panel:coinbase-wrapped-btc'),
        ...above(rated, BTC, 'panel:wrapped-bitcoin'),
        ...above(rated, 'design:Bitcoin', 'design:WBTC'),
        ...above(rated, USDC, USDT, 'panel:true-usd', 'panel:terrausd'),
        score('panel:solana') <= score('panel:ftx-token') + 40 && 'FTT is too near to Solana',
      ];
    },
  },
];

/** What no file of the panel and no worked example gives values for. */
export const NOT_TRIED: Readonly<Record<number, string>> = {
  16: 'USDP: no file',
  39: 'LUNC: no file',
};

/** What does not hold on the whole way from source replies to the published record of the earth worlds, and why. The list may only become shorter. */
export const BROKEN_ON_EARTH: Readonly<Record<number, string>> = {};
