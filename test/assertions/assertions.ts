import { BANDS, type Band, type Rating } from '../../src/domain/index.ts';
import type { Methodology } from '../../src/methodology/index.ts';
import { said } from '../../src/rating/fixtures/asset.ts';
import { assetOf } from '../../src/rating/fixtures/class-assets.ts';
import { rate } from '../../src/rating/index.ts';
import { type Panel, readFacts, readPanel } from '../panel/assets.ts';
import { rateAll } from '../panel/run.ts';
import { rateExamples } from './examples.ts';

/** One of the forty statements of the design about well-known assets, with what it computed and what the program does. */
export interface Assertion {
  readonly number: number;
  readonly says: string;
  /** What the design's model gives; `-` where it computed nothing. */
  readonly design: string;
  /** `<asset> <score> <band>` of each asset the statement is about, with where its values are from. */
  readonly found: readonly string[];
  /** What does not hold, in words; none where all of it does. */
  readonly broken: readonly string[];
}

/** What statements ask of a rating. */
export interface Judged {
  readonly band: Band;
  readonly score: number | null;
  readonly class: string | undefined;
  readonly flags: readonly { readonly code: string }[];
  readonly caps: readonly { readonly code: string }[];
}

/** Ratings to hold statements against, by name: of the panel's files, of the design's worked examples, and of made cases. */
interface Rated {
  /** False for what was not rated; what is said of it is then left out. */
  readonly has: (subject: string) => boolean;
  readonly of: (subject: string) => Judged;
  readonly score: (subject: string) => number;
}

interface Statement {
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
const rank = (band: Band) => BANDS.indexOf(band);

/** The forty, in the order of the design page. */
const STATEMENTS: readonly Statement[] = [
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

/** The panel, with the assets that statements speak of and the panel does not have: those are in no pair and in no expected range. */
export async function readAssets(): Promise<Panel> {
  const panel = await readPanel(`${import.meta.dirname}/../panel`);
  return { ...panel, assets: [...panel.assets, ...(await readFacts(`${import.meta.dirname}/facts`))] };
}

function madeCases(methodology: Methodology): ReadonlyMap<string, Rating> {
  const euro = assetOf('stable_fiat', [], {
    set: [
      said('price_usd', 1.16),
      said('peg_target_usd', 0),
      said('peg_currency', 'EUR'),
      said('categories', ['EUR Stablecoin']),
    ],
  });
  return new Map([['a euro coin at 1.16 dollars', rate(euro, methodology)]]);
}

/** The forty statements held against the program. Pure but for the files of the panel and the examples. */
export function holdAssertions(panel: Panel, methodology: Methodology): readonly Assertion[] {
  const places: Readonly<Record<string, ReadonlyMap<string, Rating>>> = {
    panel: rateAll(panel.assets, methodology),
    design: rateExamples(methodology),
    case: madeCases(methodology),
  };
  const of = (subject: string): Rating => {
    const [place = '', name = ''] = subject.split(/:(.*)/s);
    const found = places[place]?.get(name);
    if (found === undefined) throw new Error(`nothing is rated as ${subject}`);
    return found;
  };
  return STATEMENTS.map((statement, index) =>
    held(statement, index + 1, { has: () => true, of, score: (subject) => of(subject).score ?? 0 }),
  );
}

/** Assets of the panel that each statement is about, by its number: those whose bands it names. */
export const SUBJECTS: ReadonlyMap<number, readonly string[]> = new Map(
  STATEMENTS.map(({ bands = [] }, index) => [
    index + 1,
    bands.flatMap(([subject]) => (subject.startsWith('panel:') ? [subject.slice('panel:'.length)] : [])),
  ]),
);

/**
 * The statements held against ratings of another way to the same assets, by their names in the panel. Examples and made cases have no such way, and an
 * asset that is not among them is left out: a statement of which nothing is left has no `found`.
 */
export function holdPublished(published: ReadonlyMap<string, Judged>): readonly Assertion[] {
  const nameOf = (subject: string) => (subject.startsWith('panel:') ? subject.slice('panel:'.length) : '');
  const of = (subject: string): Judged => {
    const found = published.get(nameOf(subject));
    if (found === undefined) throw new Error(`${subject} was not published`);
    return found;
  };
  const rated: Rated = {
    has: (subject) => published.has(nameOf(subject)),
    of,
    score: (subject) => of(subject).score ?? 0,
  };
  return STATEMENTS.map((statement, index) => held(statement, index + 1, rated));
}

function held({ says, design, bands = [], more }: Statement, number: number, rated: Rated): Assertion {
  const known = bands.filter(([subject]) => rated.has(subject));
  const outside = known.flatMap(([subject, worst, best]) => {
    const { band } = rated.of(subject);
    const isInside = band !== 'NR' && rank(band) <= rank(worst) && rank(band) >= rank(best);
    return isInside ? [] : [`${subject} is ${band}, not ${worst} to ${best}`];
  });
  return {
    number,
    says,
    design,
    found: known.map(([subject]) => `${subject} ${rated.of(subject).score} ${rated.of(subject).band}`),
    broken: [...outside, ...(more?.(rated) ?? []).filter((row) => row !== false)],
  };
}
