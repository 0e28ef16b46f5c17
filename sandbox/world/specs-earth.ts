import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { findChain } from '../../src/chains/index.ts';
import { DAY_MS } from '../../src/domain/statistics.ts';
import { coinUsdAt } from './coins.ts';
import { coverOf, economyOf, type PanelFile, traitsOf, treasuryOf } from './earth-file.ts';
import { DOLLARS_FOR } from './specs-currency.ts';
import type { AssetSpec, Coin, Grade, SandboxCategory } from './types.ts';

/** The panel, and further assets that assertions of the methodology refer to. */
const FOLDERS = ['../../test/panel/facts/', '../../test/assertions/facts/'].map(
  (path) => new URL(path, import.meta.url),
);
/** Ratio of the value of a constant-product pool to the amount that moves its price by 2 %. */
const CONSTANT_PRODUCT = 100;
/** Chains that the sandbox plays. */
const PLAYED: readonly string[] = ['solana', 'ethereum', 'base', 'bsc', 'arbitrum', 'optimism', 'polygon'];
/** Location of a copy, on a played chain, of an asset of another chain: as the register of protocols names it. */
const COPIES: Readonly<Record<string, { readonly chain: 'ethereum'; readonly address: string }>> = {
  'cosmos:columbus-5/uusd': { chain: 'ethereum', address: '0xa693b19d2931d498c5b318df961919bb4aee87a5' },
};
/**
 * Units in circulation where a file states neither supply nor worth: the last that a list of coins stated before the day of the file. HUSD:
 * CoinGecko, 2022-08-27.
 */
const LAST_SUPPLY: Readonly<Record<string, number>> = { husd: 81_224_427 };
/** Venues that are pools: an asset traded only there is on no exchange. */
const POOLS: readonly string[] = [
  'balancer',
  'curve',
  'fluid',
  'pancakeswap_new',
  'quickswap',
  'raydium2',
  'uniswap_v3',
];
/** Failures that rows of today's registers state: with them nothing of the time before can be played. */
const KNOWN_TO_ROWS: readonly string[] = ['celsius-degree-token', 'ftx-token'];

/** US dollars for a euro and for an ounce of gold on the day of the files, 2025-11-03, rounded. */
const THAT_DAY = { EUR: 1.152, XAU: 4_000 } as const;
/**
 * Mechanism of the peg, as DefiLlama's list of stablecoins has it: by the class of the file, which follows that list.
 */
const MECHANISMS: Readonly<Record<string, NonNullable<AssetSpec['pegMechanism']>>> = {
  stable_crypto: 'crypto-backed',
  stable_algo: 'algorithmic',
};

const CATEGORY: Readonly<Record<string, SandboxCategory>> = {
  native_l1: 'l1',
  l2: 'l1',
  stable_fiat: 'stablecoin',
  stable_crypto: 'stablecoin',
  stable_algo: 'stablecoin',
  lst_wrapped: 'lst',
  commodity: 'rwa',
  rwa_sec: 'rwa',
  gaming: 'gaming',
  memecoin: 'memecoin',
  default: 'memecoin',
};

/**
 * Real assets with values of the day of their file: the second world of the sandbox, `earth`, with the constructed
 * cases of the assertions. Those on a played chain today; namesakes are left out, and assets without a price or supply
 * in their file (IRON after its collapse, Swaprum). Values missing in a file are derived from its size.
 */
export function earthSpecs(): readonly AssetSpec[] {
  return specsOfFiles((name) => !name.includes('@') && !name.startsWith('tm-'));
}

/** Real assets as of some days before they lost their peg: the third world, `earth-before`. */
export function earthBeforeSpecs(): readonly AssetSpec[] {
  return specsOfFiles((name) => name.includes('@') && !KNOWN_TO_ROWS.includes(name.split('@')[0] ?? ''));
}

function specsOfFiles(isWanted: (name: string) => boolean): readonly AssetSpec[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.json') && isWanted(file.slice(0, -'.json'.length)))
      .sort()
      .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as PanelFile),
  )
    .flatMap((file) => specOf(file) ?? [])
    .sort((a, b) => worth(b) - worth(a));
}

const daysBefore = ({ as_of }: PanelFile, date: unknown) =>
  Math.max(1, (Date.parse(as_of) - Date.parse(String(date))) / DAY_MS);

const worth = (spec: AssetSpec) => spec.priceUsd * spec.totalSupply * spec.circulatingShare;

function specOf(file: PanelFile): AssetSpec | null {
  const isCoin = file.address === 'native';
  const isCase = file.id.startsWith('case-');
  const copy = COPIES[`${file.chain}/${file.address}`];
  const chain = copy?.chain ?? (file.chain === null ? undefined : findChain(file.chain)?.name);
  const address = copy?.address ?? file.address;
  if (!isCoin && (chain === undefined || !PLAYED.includes(chain) || (address === null && !isCase))) return null;
  const facts = new Map(file.facts.filter((row) => row.scope === 'asset').map((row) => [row.quantity, row.value]));
  const number = (name: string) => (typeof facts.get(name) === 'number' ? Number(facts.get(name)) : undefined);
  const redemption = redemptionOf(file, number);
  const economy = isCoin || file.class === 'l2' ? economyOf(file) : null;
  const pegCurrency = facts.get('peg_currency');
  const isForeign = pegCurrency === 'EUR' || pegCurrency === 'XAU';
  const stated = number('price_usd');
  // A coin of another currency trades at the sandbox's rate of the currency.
  const priceUsd =
    redemption?.priceUsd ??
    (isForeign && stated !== undefined ? (stated / THAT_DAY[pegCurrency]) * DOLLARS_FOR[pegCurrency] : stated);
  const circulating =
    number('circulating_supply') ??
    number('total_supply') ??
    worthOver(number('market_cap_usd'), priceUsd) ??
    LAST_SUPPLY[file.id];
  if (priceUsd === undefined || circulating === undefined || (file.website === null && !isCase)) return null;
  const totalSupply = Math.max(circulating, number('total_supply') ?? 0);
  const volumeUsd = number('volume_24h_usd') ?? 0;
  const category = CATEGORY[file.class] ?? 'defi';
  const peg = number('peg_target_usd');
  const tvlUsd = number('tvl_usd');
  const fees = number('fees_30d_usd');
  const isOfPools = file.facts.every(
    ({ scope }) => !scope.startsWith('venue:') || POOLS.includes(scope.split(':')[1] ?? ''),
  );
  return {
    slug: file.id.replace('@', '-'),
    name: file.name,
    symbol: file.symbol,
    ...(isCoin ? { isCoin, chain: null } : { chain: chain as AssetSpec['chain'] }),
    ...(isCoin || address === null ? {} : { address }),
    category,
    kind: isCase ? 'case' : 'real',
    grade: gradeOf(priceUsd * circulating),
    note: isCase ? 'a made case' : `a real asset, values of ${file.as_of}`,
    priceUsd,
    totalSupply,
    circulatingShare: circulating / totalSupply,
    liquidityUsd: isCoin ? 0 : (number('liquidity_dex_usd') ?? liquidityOf(file, volumeUsd)),
    volumeUsd,
    holders: number('holder_count') ?? 10_000,
    ageDays: daysBefore(file, facts.get('first_trade_at')),
    ...(facts.has('domain_registered_at')
      ? { domainAgeDays: daysBefore(file, facts.get('domain_registered_at')) }
      : {}),
    domain: file.website === null ? `${file.id}.example` : new URL(file.website).hostname.replace(/^www\./, ''),
    words: Object.fromEntries(
      Object.entries(file.registry_words).flatMap(([source, words]) => (Array.isArray(words) ? [[source, words]] : [])),
    ),
    ...(tvlUsd === undefined ? {} : { tvlUsd }),
    ...(fees === undefined ? {} : { feesPerDayUsd: fees / 30 }),
    ...(economy === null ? {} : { economy }),
    ...(peg === undefined ? {} : { peg: 1 }),
    ...(isForeign ? { pegCurrency } : {}),
    ...(file.class in MECHANISMS ? { pegMechanism: MECHANISMS[file.class] } : {}),
    ...(redemption === null ? {} : redemption.spec),
    ...coverOf(file),
    ...treasuryOf(facts.get('holder_labels')),
    traits: traitsOf(file, facts, !isOfPools),
  };
}

const worthOver = (capUsd: number | undefined, priceUsd: number | undefined) =>
  capUsd === undefined || priceUsd === undefined ? undefined : capUsd / priceUsd;

/** Pools with the panel's depth of the weaker side within 2 %, or of its pools together; else by the volume. */
function liquidityOf({ facts, features }: PanelFile, volumeUsd: number): number {
  const stated = features?.find((row) => row.feature === 'mq_depth2')?.value;
  const ofPools = facts
    .filter(
      ({ quantity, scope }) => quantity === 'venue_depth_down_2pct_usd' && POOLS.includes(scope.split(':')[1] ?? ''),
    )
    .reduce((sum, { value }) => sum + Number(value), 0);
  const depth = typeof stated === 'number' ? stated : ofPools;
  return Math.max(20_000, depth > 0 ? 2 * CONSTANT_PRODUCT * depth : 0.2 * volumeUsd);
}

/** Coins that receipts represent, by their name in the panel. */
const COINS: Readonly<Record<string, Coin>> = { ethereum: 'ETH', bitcoin: 'BTC' };

/**
 * The coin that a receipt represents, at the price of the sandbox's feeds and pools: the panel's own price over its own
 * redemption value gives the discount.
 */
function redemptionOf(file: PanelFile, number: (name: string) => number | undefined) {
  const { issuer, protocol } = file.registers ?? {};
  const value = number('redemption_value_usd');
  const price = number('price_usd');
  if (value === undefined || price === undefined) return null;
  // Where a custodian's row does not name its holding, it is the coin that the token is redeemed for one to one.
  const name =
    protocol?.underlying ??
    issuer?.underlying ??
    Object.keys(COINS).find((coin) => Math.abs(value / panelPrice(coin) - 1) < 0.001) ??
    '';
  const coin = COINS[name];
  if (coin === undefined) return null;
  const coinUsd = panelPrice(name);
  const rate = value / coinUsd;
  const trades = price / value;
  const backing = number('collateral_ratio');
  return {
    priceUsd: coinUsdAt(0, 0, coin) * rate * trades,
    spec: { redemption: { coin, rate, trades }, ...(backing === undefined ? {} : { backing }) },
  };
}

/** US dollars of a coin by its own file of the panel. */
function panelPrice(id: string): number {
  const at = FOLDERS.map((folder) => new URL(`${id}.json`, folder)).find((file) => existsSync(file));
  const panel = JSON.parse(readFileSync(at ?? '', 'utf8')) as PanelFile;
  return Number(panel.facts.find((row) => row.quantity === 'price_usd')?.value);
}

function gradeOf(marketCapUsd: number): Grade {
  if (marketCapUsd >= 1e9) return 'strong';
  if (marketCapUsd >= 5e7) return 'healthy';
  return marketCapUsd >= 1e6 ? 'mediocre' : 'dying';
}
