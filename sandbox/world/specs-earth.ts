import { readdirSync, readFileSync } from 'node:fs';
import { findChain } from '../../src/chains/index.ts';
import { DAY_MS } from '../../src/domain/statistics.ts';
import { coinUsdAt } from './coins.ts';
import { AUDIT_FIRMS } from './firms.ts';
import type { AssetSpec, Coin, Controller, Grade, SandboxCategory, Traits } from './types.ts';

/** One asset of the panel of real assets (test/panel/facts), as far as the world is made of it. */
interface PanelFile {
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  readonly website: string | null;
  readonly chain: string | null;
  readonly address: string | null;
  readonly class: string;
  /** YYYY-MM-DD: the day its values are of. */
  readonly as_of: string;
  readonly registry_words: Readonly<Record<string, readonly string[] | string | null>>;
  readonly registers?: Readonly<Record<string, { readonly underlying?: string } | null>>;
  readonly features?: readonly { readonly feature: string; readonly value: unknown }[];
  readonly facts: readonly { readonly quantity: string; readonly scope: string; readonly value: unknown }[];
}

const FOLDER = new URL('../../test/panel/facts/', import.meta.url);
/** Value of a pool of constant product over what moves its price by 2 %. */
const CONSTANT_PRODUCT = 100;
/** Chains that the sandbox plays. */
const PLAYED: readonly string[] = ['solana', 'ethereum', 'base', 'bsc'];

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
 * Real assets with values of the day of their file: the second world of the sandbox, `earth`. Of the panel those that stand today on a chain
 * the sandbox plays; states before a failure, made-up cases and namesakes are left out. What a file does not tell follows from its size.
 */
export function earthSpecs(): readonly AssetSpec[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json') && !file.includes('@') && !/^(case|tm)-/.test(file))
    .sort()
    .map((file) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as PanelFile)
    .flatMap((file) => specOf(file) ?? [])
    .sort((a, b) => worth(b) - worth(a));
}

const daysBefore = ({ as_of }: PanelFile, date: unknown) =>
  Math.max(1, (Date.parse(as_of) - Date.parse(String(date))) / DAY_MS);

const worth = (spec: AssetSpec) => spec.priceUsd * spec.totalSupply * spec.circulatingShare;

function specOf(file: PanelFile): AssetSpec | null {
  const isCoin = file.address === 'native';
  const chain = file.chain === null ? undefined : findChain(file.chain)?.name;
  if (!isCoin && (chain === undefined || !PLAYED.includes(chain) || file.address === null)) return null;
  const facts = new Map(file.facts.filter((row) => row.scope === 'asset').map((row) => [row.quantity, row.value]));
  const number = (name: string) => (typeof facts.get(name) === 'number' ? Number(facts.get(name)) : undefined);
  const redemption = redemptionOf(file, number);
  const priceUsd = redemption?.priceUsd ?? number('price_usd');
  const circulating = number('circulating_supply') ?? number('total_supply');
  if (priceUsd === undefined || circulating === undefined || file.website === null) return null;
  const totalSupply = Math.max(circulating, number('total_supply') ?? 0);
  const volumeUsd = number('volume_24h_usd') ?? 0;
  const category = CATEGORY[file.class] ?? 'defi';
  const peg = number('peg_target_usd');
  const tvlUsd = number('tvl_usd');
  const fees = number('fees_30d_usd');
  return {
    slug: file.id,
    name: file.name,
    symbol: file.symbol,
    ...(isCoin ? { isCoin, chain: null } : { chain: chain as AssetSpec['chain'], address: file.address ?? '' }),
    category,
    kind: 'real',
    grade: gradeOf(priceUsd * circulating),
    note: `a real asset, values of ${file.as_of}`,
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
    domain: new URL(file.website).hostname.replace(/^www\./, ''),
    words: Object.fromEntries(
      Object.entries(file.registry_words).flatMap(([source, words]) => (Array.isArray(words) ? [[source, words]] : [])),
    ),
    ...(tvlUsd === undefined ? {} : { tvlUsd }),
    ...(fees === undefined ? {} : { feesPerDayUsd: fees / 30 }),
    ...(peg === undefined ? {} : { peg }),
    ...(redemption === null ? {} : redemption.spec),
    ...coverOf(file),
    ...treasuryOf(facts.get('holder_labels')),
    traits: traitsOf(file, facts),
  };
}

/** Pools twice as deep on both sides as the panel says of the weaker side within 2 %; else by the volume. */
function liquidityOf({ features }: PanelFile, volumeUsd: number): number {
  const depth = features?.find((row) => row.feature === 'mq_depth2')?.value;
  return Math.max(20_000, typeof depth === 'number' ? 2 * CONSTANT_PRODUCT * depth : 0.2 * volumeUsd);
}

/** What covers a coin that is issued against collateral, where the panel says so. Such coins have 18 places. */
function coverOf({ features }: PanelFile): Pick<AssetSpec, 'cover' | 'decimals'> {
  const cover = features?.find((row) => row.feature === 'fu_riskadj')?.value;
  return typeof cover === 'number' && cover > 0 ? { cover, decimals: 18 } : {};
}

/** The timelock that holds the treasury, where the panel names one. */
function treasuryOf(labels: unknown): Pick<AssetSpec, 'treasury'> {
  const rows = Array.isArray(labels) ? (labels as readonly { address?: string; label?: string }[]) : [];
  const named = rows.find(({ label }) => label?.includes('Timelock'))?.address;
  return named === undefined ? {} : { treasury: named };
}

/** Coins that receipts stand for, by their name in the panel. */
const COINS: Readonly<Record<string, Coin>> = { ethereum: 'ETH', bitcoin: 'BTC' };

/**
 * What a receipt stands for, at the price that the feeds and pools of the sandbox give the coin: the panel's own price over its own
 * redemption value says how it trades.
 */
function redemptionOf(file: PanelFile, number: (name: string) => number | undefined) {
  const { issuer, protocol } = file.registers ?? {};
  const value = number('redemption_value_usd');
  const price = number('price_usd');
  if (value === undefined || price === undefined) return null;
  // A custodian's row may not say what it holds: then it is the coin that the token is redeemed for one to one.
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
  const panel = JSON.parse(readFileSync(new URL(`${id}.json`, FOLDER), 'utf8')) as PanelFile;
  return Number(panel.facts.find((row) => row.quantity === 'price_usd')?.value);
}

function gradeOf(marketCapUsd: number): Grade {
  if (marketCapUsd >= 1e9) return 'strong';
  if (marketCapUsd >= 5e7) return 'healthy';
  return marketCapUsd >= 1e6 ? 'mediocre' : 'dying';
}

/** Who holds a power, as far as a contract of the sandbox can show it. */
const CONTROLLERS: Readonly<Record<string, Controller>> = {
  none: 'none',
  immutable: 'none',
  protocol_capped: 'timelock',
  dao_timelock: 'timelock',
  timelocked_multisig: 'timelock',
  timelock: 'timelock',
  regulated_issuer: 'multisig',
  multisig: 'multisig',
  contract: 'multisig',
  eoa: 'eoa',
};

function traitsOf(file: PanelFile, facts: ReadonlyMap<string, unknown>): Partial<Traits> {
  const controller = (name: string): Controller => CONTROLLERS[String(facts.get(name) ?? 'none')] ?? 'none';
  const count = (name: string) => (typeof facts.get(name) === 'number' ? Number(facts.get(name)) : 0);
  const proxy = controller('proxy_admin_state');
  // A contract that mints is as free as who owns it.
  const mintedBy =
    facts.get('mint_authority_state') === 'contract' && facts.has('owner_state')
      ? 'owner_state'
      : 'mint_authority_state';
  const hasBooks = file.facts.some((row) => row.scope.startsWith('venue:'));
  const incident =
    (facts.get('incidents') as readonly { date?: string; lossUsd?: number; returnedUsd?: number }[]) ?? [];
  const [loss] = incident;
  return {
    mintAuthority: controller(mintedBy),
    freezeAuthority: controller('freeze_authority_state'),
    owner: controller('owner_state'),
    proxyAdmin: proxy === 'none' ? null : proxy,
    verified: facts.get('source_verified') !== false,
    honeypot: facts.get('honeypot') === true,
    whitelist: facts.get('whitelist_function') === true,
    buyTax: count('buy_tax'),
    sellTax: count('sell_tax'),
    lpLockedShare: count('lp_locked_share') || 0.9,
    lpCreatorShare: count('lp_creator_share'),
    rugged: facts.get('rug_executed') === true,
    creatorShare: count('creator_share'),
    creatorTokens: 1 + count('creator_tokens_count'),
    washShare: 0,
    listed: true,
    cex: hasBooks,
    site: facts.get('site_up') !== false,
    team:
      facts.get('team_state') === 'named_verifiable'
        ? 'named'
        : facts.get('team_state') === 'anonymous'
          ? 'anonymous'
          : 'pseudonymous',
    audits: AUDIT_FIRMS.slice(0, count('audits_count')).map((firm) => firm.name),
    commits90d: count('commits_90d'),
    contributors: count('contributors_90d'),
    metadataMutable: false,
    incident:
      loss?.date === undefined || loss.lossUsd === undefined
        ? null
        : {
            daysAgo: Math.max(0, Math.round((Date.parse(file.as_of) - Date.parse(loss.date)) / DAY_MS)),
            lossUsd: loss.lossUsd,
            returnedUsd: loss.returnedUsd ?? 0,
          },
    raisedMillions: count('raise_total_usd') / 1e6,
  };
}
