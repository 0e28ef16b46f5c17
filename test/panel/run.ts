import { spearman } from '../../research/discrimination.ts';
import { findChain, parseAssetId } from '../../src/chains/index.ts';
import { agree } from '../../src/consensus/index.ts';
import { BANDS, type Band } from '../../src/domain/index.ts';
import { loadMethodology, type Methodology } from '../../src/methodology/index.ts';
import { type RatingInput, rate } from '../../src/rating/index.ts';
import type { Panel, PanelAsset } from './assets.ts';
import { observationsOf } from './observations.ts';

export interface Rated {
  readonly id: string;
  readonly class: string | null;
  readonly score: number | null;
  readonly band: Band;
  readonly trust: number | null;
  /** Worst and best accepted band; null for an asset that is rated for the pairs only. */
  readonly expected: readonly [string, string] | null;
  readonly inside: boolean | null;
  readonly flags: readonly string[];
  readonly false_flags: readonly string[];
  readonly missing_flags: readonly string[];
}

export interface PanelResult {
  readonly methodology_version: string;
  /** Assets with an expected band, and how many lie in it. */
  readonly assets: number;
  readonly inside: number;
  readonly pairs: number;
  readonly pairs_right: number;
  readonly strict_pairs: number;
  readonly strict_right: number;
  /** `<asset> <flag>`. */
  readonly false_flags: readonly string[];
  readonly missing_flags: readonly string[];
  /** Pairs whose order is wrong or of which one asset is not rated, `<better>><worse>`. */
  readonly lost_pairs: readonly string[];
  /** Of score and market cap over all rated assets with one; null below three. */
  readonly spearman_market_cap: number | null;
  /** The same without assets whose best accepted band is below CCC. */
  readonly spearman_market_cap_alive: number | null;
  readonly rated: readonly Rated[];
}

/** Rates every asset of a panel by the real rating code and holds it against what is expected. Pure but for the methodology's file. */
export function runPanel(panel: Panel, methodology: Methodology = loadMethodology()): PanelResult {
  const expectations = new Map(panel.expected.map((row) => [row.id, row]));
  const ratings = rateAll(panel.assets, methodology);
  const rated = panel.assets.map(({ name }): Rated => {
    const rating = ratings.get(name);
    if (rating === undefined) throw new Error(`${name} was not rated`);
    const { band, score, trust, flags } = rating;
    const expected = expectations.get(name);
    const codes = [...new Set(flags.map((flag) => flag.code))].sort();
    return {
      id: name,
      class: expected?.class ?? null,
      score,
      band,
      trust: trust?.score ?? null,
      expected: expected ? [expected.low, expected.high] : null,
      inside: expected ? isInside(band, expected.low, expected.high) : null,
      flags: codes,
      false_flags: expected?.mustNot.filter((code) => codes.includes(code)) ?? [],
      missing_flags:
        expected?.must.filter((any) => !any.some((code) => codes.includes(code))).map((any) => any.join(' or ')) ?? [],
    };
  });
  const scores = new Map(rated.map((row) => [row.id, row.score]));
  const isRight = ({ better, worse }: Panel['pairs'][number]) => {
    const [above, below] = [scores.get(better), scores.get(worse)];
    return typeof above === 'number' && typeof below === 'number' && above > below;
  };
  const pairs = panel.pairs.filter((pair) => scores.has(pair.better) && scores.has(pair.worse));
  const strict = pairs.filter((pair) => pair.strict);
  const caps = new Map(panel.assets.map(({ name, asset }) => [name, marketCapOf(asset)]));
  const correlation = (rows: readonly Rated[]) => {
    const known = rows.filter((row) => row.score !== null && caps.get(row.id) !== null);
    return known.length < 3
      ? null
      : spearman(
          known.map((row) => row.score ?? 0),
          known.map((row) => caps.get(row.id) ?? 0),
        );
  };
  const judged = rated.filter((row) => row.inside !== null);
  const failed = (row: Rated) => row.expected !== null && rank(row.expected[1]) > rank('CCC');
  return {
    methodology_version: methodology.version,
    assets: judged.length,
    inside: judged.filter((row) => row.inside).length,
    pairs: pairs.length,
    pairs_right: pairs.filter(isRight).length,
    strict_pairs: strict.length,
    strict_right: strict.filter(isRight).length,
    false_flags: rated.flatMap((row) => row.false_flags.map((code) => `${row.id} ${code}`)),
    missing_flags: rated.flatMap((row) => row.missing_flags.map((code) => `${row.id} ${code}`)),
    lost_pairs: pairs
      .filter((pair) => !isRight(pair))
      .map((pair) => `${pair.better}>${pair.worse}`)
      .sort(),
    spearman_market_cap: correlation(rated),
    spearman_market_cap_alive: correlation(rated.filter((row) => !failed(row))),
    rated,
  };
}

const rank = (band: string) => BANDS.indexOf(band as Band);

function isInside(band: Band, low: string, high: string): boolean {
  return band !== 'NR' && rank(band) <= rank(low) && rank(band) >= rank(high);
}

function marketCapOf(asset: PanelAsset): number | null {
  const cap = asset.facts.find((fact) => fact.quantity === 'market_cap_usd' && fact.scope === 'asset')?.value;
  return typeof cap === 'number' ? cap : null;
}

/** Ratings by name. What a wrapped or staked asset stands for is rated before it. */
export function rateAll(
  assets: Panel['assets'],
  methodology: Methodology,
): ReadonlyMap<string, ReturnType<typeof rate>> {
  const done = new Map<string, ReturnType<typeof rate>>();
  const order = [...assets].sort(
    (a, b) => Number(underlyingOf(a.asset) !== null) - Number(underlyingOf(b.asset) !== null),
  );
  for (const { name, asset } of order) {
    const id = underlyingOf(asset);
    const found = assets.find((row) => row.name === id);
    const score = found === undefined ? undefined : done.get(found.name)?.score;
    const underlying = found && typeof score === 'number' ? { name: found.asset.name, score } : null;
    done.set(name, rateAsset(asset, underlying, methodology));
  }
  return done;
}

function underlyingOf({ registers }: PanelAsset): string | null {
  const row = registers?.protocol as { readonly underlying?: unknown } | null | undefined;
  return typeof row?.underlying === 'string' ? row.underlying : null;
}

function rateAsset(asset: PanelAsset, underlying: RatingInput['underlying'], methodology: Methodology) {
  const asOf = `${asset.as_of}T00:00:00.000Z`;
  const observations = observationsOf(asset, asOf);
  const chain = asset.chain === null ? null : findChain(asset.chain);
  const id = asset.address === null ? asset.id : `${asset.chain}/token:${asset.address}`;
  const domain = asset.website === null ? null : new URL(asset.website).hostname.replace(/^www\./, '');
  const place =
    chain === null || asset.address === null
      ? null
      : parseAssetId(`${chain.caip2}/${kindOf(asset)}:${addressOf(asset, chain.native.slip44)}`);
  return rate(
    {
      request: {
        type: 'posttge',
        project: asset.name,
        projectUrl: asset.website ?? 'https://no-website.invalid/',
        tokenSymbol: asset.symbol,
        category: null,
        blockchain: chain?.name ?? null,
        tokenAddress: place?.address ?? null,
      },
      identification: {
        asset: {
          id,
          chain: chain?.name ?? null,
          address: place?.address ?? null,
          symbol: asset.symbol,
          name: asset.name,
          category: null,
          website: asset.website,
        },
        stage: 'post_tge',
        registrableDomain: domain,
        keys: {
          coingeckoId: observations.some((row) => row.source === 'coingecko') ? asset.id : null,
          cmcId: null,
          coinpaprikaId: null,
          defillamaSlug: null,
          githubRepos: [],
          deployments: place === null ? [] : [{ chain: place.chain.name, address: place.address }],
          cexPairs: [],
        },
        match: 0.9,
        links: [],
        contradictions: [],
        rejected: [],
        notes: [],
      },
      consensus: agree(observations, methodology, asOf),
      sources: [...new Set(observations.map((row) => row.source))].map((name) => ({
        name,
        outcome: 'ok',
        milliseconds: 1,
        observations: 1,
        asked: 1,
        answered: 1,
        failures: [],
        detail: null,
      })),
      peers: [],
      driverDays: [],
      previous: null,
      history: null,
      underlying,
      asOf,
    } as Parameters<typeof rate>[0],
    methodology,
  );
}

const kindOf = (asset: PanelAsset) =>
  asset.address === 'native' ? 'slip44' : asset.chain?.startsWith('solana') ? 'token' : 'erc20';
const addressOf = (asset: PanelAsset, slip44: number) => (asset.address === 'native' ? String(slip44) : asset.address);
