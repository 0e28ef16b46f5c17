import Type from 'typebox';
import { category, quantity, strict, texts, unit } from './terms.ts';

const number = Type.Number();

/** Value of projects before their token, by their last public round (methodology 5). */
const rounds = Type.Object(
  {
    /** Share of the project that a round is assumed to sell where only its amount is public. */
    soldShare: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
    /** Added to the standard deviation then. */
    amountOnlySd: Type.Number({ minimum: 0 }),
    sdFloor: Type.Number({ exclusiveMinimum: 0 }),
    /** Standard deviations that a score `scoreSpread` points above `scoreCentre` adds to the fair value. */
    scoreEffect: number,
    scoreCentre: number,
    scoreSpread: Type.Number({ exclusiveMinimum: 0 }),
    minimumRounds: Type.Integer(),
    /** Days: an older round of a peer tells nothing of today's prices. */
    maximumAgeDays: number,
    /** No round ever was as large: rather a wrong unit. US dollars. */
    largestUsd: Type.Number({ exclusiveMinimum: 0 }),
  },
  strict,
);

/** How the ratio of market value to fair value is computed (methodology 5). */
export const vfr = Type.Object(
  {
    minimumPeers: Type.Integer(),
    /** Values and drivers of peers from this on are errors of unit. */
    largestUsd: Type.Number({ exclusiveMinimum: 0 }),
    pseudoCount: number,
    sdFloor: number,
    sdMaximum: number,
    driverCorrelation: unit,
    minimumDriverConfidence: unit,
    minimumTrust: number,
    minimumR2: unit,
    ridgeLambda: number,
    /** Half the width of the interval in standard deviations, and the share of peers it must hold. */
    intervalZ: number,
    intervalShare: unit,
    /** Residuals and logs of peers count at most so many robust standard deviations from their middle. */
    winsorDeviations: Type.Number({ exclusiveMinimum: 0 }),
    /** Medians over so many days; `sums` are sums over many days already and stay as they are. */
    smoothing: Type.Object({ days: Type.Integer({ minimum: 1 }), sums: Type.Array(quantity) }, strict),
    /** Drivers of every category that say little: their confidence is multiplied by `share`, and none stands alone. */
    weak: Type.Object({ quantities: Type.Array(quantity), share: unit }, strict),
    rounds,
    zones: Type.Object({ deep: number, mild: number, fairRatio: number }, strict),
    peg: Type.Object(
      {
        stablecoinFair: number,
        lstFair: number,
        mild: number,
        /** What registries file dollar stablecoins under, in lower case. */
        dollarWords: texts,
        /** Parts of what they file those under that gather their yield in their price: worth more than a dollar, by how much is not said. */
        accruingWords: texts,
      },
      strict,
    ),
    drivers: Type.Record(category, Type.Array(quantity), strict),
  },
  strict,
);
