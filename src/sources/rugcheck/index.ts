import Type from 'typebox';
import type { ObservationDraft, QuantityId } from '../../domain/index.ts';
import { metadataDrafts, observed } from '../observations.ts';
import { mintOf } from '../plans.ts';
import { amount, date, flag, positive, text, tokensOf } from '../read.ts';
import { get } from '../requests.ts';
import { defineSource, endpoint, type ReplyMeta } from '../source.ts';
import { address, creatorTokenDrafts, holderDrafts, liquidityOf, marketDrafts, REPORT, type Report } from './report.ts';

const FAILURE = Type.Object({ error: Type.String() });

const report = endpoint({
  name: 'report',
  doc: 'GET /v1/tokens/{mint}/report: authorities, holders by token account, pools with LP locks, known accounts, insiders, creator. Fields: the API description and a recorded report. https://api.rugcheck.xyz/swagger/index.html',
  critical: true,
  plan: (facts) => {
    const mint = mintOf(facts);
    return mint === null ? [] : [{ mint }];
  },
  request: get('/v1/tokens/{mint}/report'),
  reply: Type.Union([REPORT, FAILURE]),
  okStatuses: [400, 404],
  // A recorded report with 134 pools is 1.6 MB.
  maxBytes: 16 * 1024 * 1024,
  timeoutMs: 15_000,
  about: { param: 'mint', named: (reply) => ('mint' in reply ? reply.mint : null) },
  classify: (reply) => ('mint' in reply ? { outcome: 'ok' } : refusalOf(reply.error)),
  observe: (reply, _params, meta) => ('mint' in reply ? observeReport(reply, meta) : []),
});

/** An unknown mint is a valid result; a report in progress and any other error are not. */
function refusalOf(error: string) {
  const detail = text(error, 120) ?? 'no reason given';
  return { outcome: /not found|invalid/i.test(error) ? 'not_found' : 'error_reply', detail } as const;
}

function observeReport(reply: Report, meta: ReplyMeta): readonly ObservationDraft[] {
  return [
    ...authorityDrafts(reply),
    ...extensionDrafts(reply),
    ...metaDrafts(reply),
    ...marketWideDrafts(reply),
    ...holderDrafts(reply),
    ...creatorTokenDrafts(reply, Date.parse(meta.fetchedAt)),
    ...lockerDrafts(reply, Date.parse(meta.fetchedAt)),
    ...marketDrafts(reply),
  ];
}

/** `mintAuthority: null` means renounced; a missing field means nothing. */
function authorityDrafts({ token }: Report): readonly ObservationDraft[] {
  if (!token) return [];
  const decimals = amount(token.decimals);
  const supply = amount(token.supply);
  const exact =
    supply !== null && Number.isInteger(supply) && decimals !== null ? tokensOf(BigInt(supply), decimals) : null;
  return [
    ...authority('mint_authority_state', 'mint_authority', token.mintAuthority),
    ...authority('freeze_authority_state', 'freeze_authority', token.freezeAuthority),
    ...observed('total_supply', exact || null, 'token.supply; a JSON number, exact to about 16 digits'),
    ...observed('decimals', decimals, 'token.decimals'),
  ];
}

function authority(state: QuantityId, who: QuantityId, value: string | null | undefined): readonly ObservationDraft[] {
  if (value === undefined) return [];
  const key = address(value);
  return key === null ? observed(state, 'none', 'authority is null') : observed(who, key, 'authority');
}

/** Keys of `token_extensions` are null for a missing extension; the whole object is null for a classic mint. */
function extensionDrafts(reply: Report): readonly ObservationDraft[] {
  const found = reply.token_extensions;
  const extensions = typeof found === 'object' && found !== null ? found : {};
  const present = (key: string) =>
    Object.hasOwn(extensions, key) ? extensions[key] !== null && extensions[key] !== false : null;
  const free =
    amount(reply.transferFee?.pct) === 0 &&
    Object.hasOwn(extensions, 'transferFeeConfig') &&
    extensions.transferFeeConfig === null;
  const thawed = present('defaultAccountState') === false ? false : null;
  return [
    ...observed('permanent_delegate', present('permanentDelegate'), 'token_extensions.permanentDelegate'),
    ...observed('non_transferable', present('nonTransferable'), 'token_extensions.nonTransferable'),
    ...observed('default_frozen', thawed, 'token_extensions.defaultAccountState is null'),
    // The unit of a fee above zero is not documented, so only its absence is read.
    ...observed('transfer_tax', free ? 0 : null, 'no transferFeeConfig'),
  ];
}

function metaDrafts({ tokenMeta }: Report): readonly ObservationDraft[] {
  return [
    ...observed('metadata_mutable', flag(tokenMeta?.mutable), 'tokenMeta.mutable'),
    ...metadataDrafts('rugcheck', tokenMeta),
  ];
}

function marketWideDrafts(reply: Report): readonly ObservationDraft[] {
  return [
    ...observed('price_usd', positive(reply.price), 'price, from its largest pools'),
    ...observed(
      'liquidity_dex_usd',
      liquidityOf(reply),
      'totalMarketLiquidity: both sides of all pools that the source indexes; for curves, what was paid in',
    ),
    // `date` rejects the zero time of the year 1, by which servers write a time that is not known.
    ...observed('listed_at', date(reply.detectedAt), 'detectedAt: first seen by RugCheck'),
    // `rugged: false` also occurs for creators with a history of rugs, so it is weak evidence.
    ...observed('rug_executed', flag(reply.rugged), 'rugged', { reliability: reply.rugged ? 0.8 : 0.4 }),
  ];
}

/** Locks with a smaller share of the liquidity are ignored: they set no date, and make no locker known. */
const LEAST_LOCK = 0.01;

function lockerDrafts(reply: Report, now: number): readonly ObservationDraft[] {
  const lockers = Object.values(reply.lockers ?? {});
  const leastUsd = (positive(reply.totalMarketLiquidity) ?? 0) * LEAST_LOCK;
  const large = lockers.filter((row) => (positive(row.usdcLocked) ?? 0) >= leastUsd);
  const isNamed = (row: (typeof lockers)[number]) => text(row.type, 40) !== null;
  const unlocks = large
    .map((row) => (positive(row.unlockDate) ?? 0) * 1_000)
    .filter((at) => at > now && at < Date.UTC(2200, 0, 1));
  return [
    ...observed(
      'lp_unlock_at',
      unlocks.length === 0 ? null : new Date(Math.min(...unlocks)).toISOString(),
      'earliest unlockDate ahead; 0 is never',
    ),
    ...observed(
      'lp_locker_known',
      lockers.every(isNamed) ? large.length > 0 || null : false,
      'RugCheck names the type of every locker',
    ),
  ];
}

/**
 * RugCheck, Solana only.
 *
 * Lineage: own reads of chain accounts and own labels of pools and lockers; family `rugcheck`.
 * Terms: keyless; no limit is documented, so we make at most one request a second and expect a 429. No terms for
 * redistribution were found: raw values are not passed on, and the source is named.
 * Quirks: `topHolders` are token accounts, so an owner may appear twice; the first is often a pool; `supply` is a JSON
 * number; `pctReserve` is meaningless (200 in recordings); concentrated pools have the system program as LP mint and may
 * still state `lpLockedPct`; `lpLockedPct` is 100 on worthless pools, so shares are weighted by value; `creatorTokens`,
 * `verification` and `lp.holders` may be null; rows of `creatorTokens` are read only when complete; a new token's `creator` may
 * be the launchpad's authority. Its score is never used, because established assets score as badly as scams.
 */
export const rugcheck = defineSource({
  name: 'rugcheck',
  title: 'RugCheck',
  doc: 'https://api.rugcheck.xyz/swagger/index.html',
  family: 'rugcheck',
  tier: 'aggregator',
  reliability: 0.8,
  bases: { main: 'https://api.rugcheck.xyz' },
  terms: {
    attribution: { text: 'Token reports by RugCheck', url: 'https://rugcheck.xyz' },
    redistribute: false,
    keepBodyDays: 30,
    note: 'No terms for redistribution found: the source is named, raw replies are not passed on.',
  },
  budget: { perMinute: 50, burst: 3, concurrency: 2, shareSeconds: 60 },
  timeoutMs: 12_000,
  chains: ['solana'],
  provides: { holdings: 1, names: 6, insiders: 1, holders: 3, scanners: 2, liquidity_locks: 1, creators: 1 },
  endpoints: [report],
});
