import { readFileSync } from 'node:fs';
import type { AssetClass, Feature, Json, QuantityId, Rating } from '../../src/domain/index.ts';
import type { Methodology } from '../../src/methodology/index.ts';
import { scoreModel } from '../../src/rating/arithmetic/factors.ts';
import { consensusOf } from '../../src/rating/fixtures/asset.ts';
import { assetOf } from '../../src/rating/fixtures/class-assets.ts';
import { rate } from '../../src/rating/index.ts';

/**
 * A worked example of the design: assumed values of an asset, each with a confidence, and what the design's own model makes of them. `factors`
 * are the weights, points and silences of that model, so that the arithmetic can be held against it whatever the tables in force are.
 */
export interface WorkedExample {
  readonly name: string;
  readonly class: AssetClass;
  readonly design: { readonly uncapped: number; readonly score: number; readonly band: string };
  /** Raw value and confidence by feature of the design. */
  readonly values: Readonly<Record<string, readonly [number | string, number]>>;
  readonly factors: readonly (readonly [
    code: Feature['factor'],
    weight: number,
    features: readonly (readonly [
      id: string,
      weight: number,
      points: number | null,
      confidence: number,
      rest: number,
    ])[],
  ])[];
}

export const EXAMPLES: readonly WorkedExample[] = JSON.parse(
  readFileSync(new URL('worked-examples.json', import.meta.url), 'utf8'),
);

/** The score before caps that this program's arithmetic gives by the design's own tables; unrounded. */
export function byDesign({ factors }: WorkedExample, methodology: Methodology): number {
  const features = factors.flatMap(([factor, , rows]) =>
    rows.map(
      ([id, weight, score, confidence, rest]): Feature => ({
        id,
        name: id,
        factor,
        weight,
        critical: false,
        status: score === null ? 'unknown' : 'observed',
        raw: null,
        unit: '',
        confidence,
        parts: null,
        basis: [],
        method: '',
        score,
        rest,
        silent: false,
        rationale: '',
      }),
    ),
  );
  const rows = factors.map(([code, weight]) => ({ code, name: code, weight }));
  return scoreModel(features, rows, methodology.aggregation.prior, methodology).uncapped;
}

type Rows = Readonly<Partial<Record<QuantityId, Json>>>;
const issuer = (tier: string): Rows => ({ issuer_tier: tier, issuer_powers: ['mint', 'freeze', 'upgrade', 'seize'] });
const WITHOUT_CONTRACTS: Rows = { native_contracts: false };
/** What the design takes for granted of an example and gives no value for: whose powers are lawful, what is in proceedings, what has lost its peg. */
const GIVEN: Readonly<Record<string, Rows>> = {
  Bitcoin: WITHOUT_CONTRACTS,
  Dogecoin: WITHOUT_CONTRACTS,
  Litecoin: WITHOUT_CONTRACTS,
  USDC: issuer('supervised'),
  EURC: issuer('supervised'),
  PAXG: issuer('supervised'),
  BUIDL: { ...issuer('supervised'), whitelist_function: true },
  USDT: issuer('disclosed'),
  XAUT: issuer('disclosed'),
  TUSD: issuer('none'),
  WBTC: issuer('disclosed'),
  UNI: { holders_revenue_30d_usd: 1_000_000 },
  AAVE: { holders_revenue_30d_usd: 1_000_000 },
  FTT: { insolvency_state: 'proceedings' },
  USTC: { price_usd: 0.02, peg_deviation_24h_held: 0.98, depeg_aged_sum: 0.98 },
};
/** Features that the launch classes got after the design, with the market values of the panel's files. */
const ADDED: Readonly<Record<string, WorkedExample['values']>> = {
  PEPE: { fu_size: [2_734_575_585, 0.75] },
  WIF: { fu_size: [525_689_432, 0.75] },
  SHIB: { fu_size: [5_879_013_498, 0.75] },
};
const STANDS_FOR: Readonly<Record<string, string>> = { stETH: 'Ethereum', WBTC: 'Bitcoin' };

/** The examples rated by the methodology in force from the design's values, by name; features that the program does not have are left out. */
export function rateExamples(methodology: Methodology): ReadonlyMap<string, Rating> {
  const done = new Map<string, Rating>();
  for (const { name, class: of, values } of EXAMPLES) {
    const known = methodology.features.map(({ id }) => id);
    const told = Object.entries({ ...values, ...ADDED[name] })
      .filter(([id]) => known.includes(id))
      .map(([feature, [value, confidence]]) => ({ feature, value, confidence }));
    const given = Object.entries(GIVEN[name] ?? {}).map(([quantity, value]) =>
      consensusOf(quantity as QuantityId, value, { confidence: 0.9 }),
    );
    const losses = values.si_loss?.[0] === 0 ? [consensusOf('incidents', [])] : [];
    const input = assetOf(of, told, { set: [...given, ...losses] });
    const stands = done.get(STANDS_FOR[name] ?? '');
    const score = stands?.score ?? null;
    const underlying = score === null ? null : { name: STANDS_FOR[name] ?? '', score };
    done.set(name, rate({ ...input, underlying }, methodology));
  }
  return done;
}
