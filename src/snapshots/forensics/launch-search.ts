import type { LaunchRecord } from '../../contract/index.ts';
import { type ConsensusSet, DAY_MS, type ForensicSubject } from '../../domain/index.ts';
import { type ChainSearch, fundingsOf } from './investigate.ts';
import { judgeLaunch, type LaunchFinding, type LaunchPayments, type LaunchReading } from './launch.ts';
import type { ReferencePayers } from './null-model.ts';
import type { Purchases } from './purchases.ts';
import type { Funding, Limit, Question } from './types.ts';

/** Number of pools that are tried, the oldest first, until the launch of one can be read. */
const POOLS = 2;
const BUYERS = 20;
const PAYERS = 4;

export interface LaunchFound {
  readonly record: LaunchRecord | null;
  readonly fundings: ReadonlyMap<string, Funding>;
  readonly limits: readonly Limit[];
}

/** Buyers at the launch, and their payers. */
export async function findLaunch(
  subject: ForensicSubject,
  question: Question,
  search: ChainSearch,
  referenceFor: (fundings: readonly Funding[]) => Promise<ReferencePayers>,
): Promise<LaunchFound> {
  const limits: Limit[] = [];
  const supply = supplyOf(subject.consensus);
  if (supply === null)
    return nothing([
      { code: 'pool_not_read', detail: 'the launch was not read: nobody states the total supply and decimals' },
    ]);
  const candidates = question.pools
    .filter((pool) => pool.createdAt !== null)
    .sort((a, b) => ((a.createdAt ?? '') < (b.createdAt ?? '') ? -1 : 1))
    .slice(0, POOLS);
  if (candidates.length === 0)
    return nothing([{ code: 'no_pools', detail: 'the launch was not read: no source says when a pool was made' }]);
  for (const pool of candidates) {
    const read = await search.readLaunch(pool, question.base);
    if (!read.ok) {
      limits.push({ code: 'node_failed', detail: `the launch of ${pool.address} was not read: ${read.detail}` });
      continue;
    }
    limits.push(...read.value.limits);
    const { purchases } = read.value;
    if (purchases === null) continue;
    const reading = { ...purchases, pool: pool.address, dex: pool.dex, supply };
    const paid = await paymentsOf(reading, purchases, question, search, referenceFor);
    const finding = judgeLaunch(reading, paid.payments);
    return {
      record: recordOf(reading, finding, paid.payments, paid.looked),
      fundings: paid.payments.fundings,
      limits: [...limits, ...paid.limits],
    };
  }
  return nothing(limits);
}

function nothing(limits: readonly Limit[]): LaunchFound {
  return { record: null, fundings: new Map(), limits };
}

/** First payments to the creator, to the largest buyers and their signers, and to those who paid several of them. */
async function paymentsOf(
  reading: LaunchReading,
  { feeWallets }: Purchases,
  question: Question,
  search: ChainSearch,
  referenceFor: (fundings: readonly Funding[]) => Promise<ReferencePayers>,
) {
  const isService = (address: string) =>
    question.isService(address) || address === reading.pool || feeWallets.includes(address);
  const trades = reading.trades.toSorted((a, b) => (a.amount > b.amount ? -1 : 1));
  const buyers = [...new Set(trades.map((trade) => trade.buyer))].slice(0, BUYERS);
  const signerOf = new Map(trades.map((trade) => [trade.buyer, trade.signer]));
  const signers = [...new Set(buyers.flatMap((buyer) => signerOf.get(buyer) ?? []))];
  const creator = question.creator ?? reading.opening.signer;
  const wallets = [...new Set([...(creator === null ? [] : [creator]), ...buyers, ...signers])];
  const paid = await fundingsOf(wallets, { isService }, search);
  const fundings = new Map(paid.fundings);
  const services = new Set([...paid.services, ...buyers.filter(isService)]);
  for (const signer of signers) {
    const signedFor = buyers.filter((buyer) => buyer !== signer && signerOf.get(buyer) === signer);
    const crowded = signedFor.length > 1 ? await search.isCrowded(signer) : null;
    if (crowded?.ok && crowded.value) services.add(signer);
  }
  for (const buyer of buyers) {
    const signer = signerOf.get(buyer) ?? null;
    const funding = signer === null || services.has(signer) ? undefined : fundings.get(signer);
    if (!fundings.has(buyer) && funding !== undefined) fundings.set(buyer, { ...funding, wallet: buyer });
  }
  const counts = Map.groupBy(fundings.values(), (funding) => funding.funder);
  const several = [...counts]
    .filter(([funder, rows]) => rows.length > 1 && !services.has(funder) && !fundings.has(funder) && funder !== creator)
    .slice(0, PAYERS)
    .map(([funder]) => funder);
  const before = await fundingsOf(several, { isService }, search);
  for (const [wallet, funding] of before.fundings) fundings.set(wallet, funding);
  for (const service of before.services) services.add(service);
  const reference = await referenceFor(
    [...paid.fundings.values()].filter((funding) => buyers.includes(funding.wallet)),
  );
  const payments: LaunchPayments = { creator, fundings, services, reference };
  return { payments, limits: [...paid.limits, ...before.limits], looked: buyers.length };
}

/** The agreed total supply of the present, in base units; null when it or the decimals are not known. */
function supplyOf(consensus: ConsensusSet): bigint | null {
  const [supply, decimals] = [consensus.total_supply?.value, consensus.decimals?.value];
  if (typeof supply !== 'number' || typeof decimals !== 'number' || !(supply > 0) || decimals < 0 || decimals > 36)
    return null;
  const whole = BigInt(Math.round(supply * 1_000));
  return (whole * 10n ** BigInt(decimals)) / 1_000n;
}

function recordOf(
  { pool, dex, opening, trades }: LaunchReading,
  finding: LaunchFinding,
  { creator, fundings, services, reference }: LaunchPayments,
  looked: number,
): LaunchRecord {
  const shareOf = (wallet: string) => finding.bought.get(wallet) ?? 0;
  const sum = (wallets: readonly string[]) => wallets.reduce((total, wallet) => total + shareOf(wallet), 0);
  const [largest] = finding.bundles;
  const block = trades.find(({ transaction }) => transaction !== opening.transaction) ?? opening;
  const buyers = [...finding.bought.keys()];
  return {
    pool,
    dex,
    creator,
    opening: { transaction: opening.transaction, height: opening.height, at: opening.at, signer: opening.signer },
    first_block: block.height,
    first_block_at: block.at,
    buyers: buyers.length,
    payers_looked_for: looked,
    payers_known: buyers.filter((buyer) => fundings.has(buyer)).length,
    bought_pct: percent(sum(buyers)),
    bundled_pct: percent(largest?.share ?? 0),
    dev_pct: percent(creator === null ? 0 : shareOf(creator)),
    insiders_pct: percent(sum(finding.insiders)),
    snipers_pct: percent(sum(finding.snipers)),
    bundles: finding.bundles.map(({ members, share, confidence, links, funder, chance }) => ({
      share_pct: percent(share),
      confidence,
      links: [...links],
      funder,
      p_value: chance === null ? null : significant(chance),
      members: members.map((member) => {
        const trade = trades.find(({ buyer }) => buyer === member);
        const funding = fundings.get(member) ?? null;
        return {
          address: member,
          share_pct: percent(shareOf(member)),
          transaction: trade?.transaction ?? '',
          position: trade?.position ?? null,
          funder: funding?.funder ?? null,
          funder_is_service: funding !== null && services.has(funding.funder),
          funded_at: funding?.at ?? null,
        };
      }),
    })),
    snipers: finding.snipers.map((address) => ({ address, share_pct: percent(shareOf(address)) })),
    insiders: finding.insiders.map((address) => ({ address, share_pct: percent(shareOf(address)) })),
    by_chance: finding.byChance.map(({ funder, wallets, chance }) => ({
      funder,
      wallets,
      p_value: significant(chance),
    })),
    null_model: { basis: reference.basis, wallets: reference.wallets },
  };
}

function percent(share: number): number {
  return Math.round(Math.min(1, share) * 1_000_000) / 10_000;
}

/** A probability with three significant digits. */
export function significant(chance: number): number {
  return Number(chance.toPrecision(3));
}

/** A first payment that a search found, for comparison with groups of other assets. */
export interface SeenPayment {
  readonly chain: string;
  readonly wallet: string;
  readonly funder: string;
  readonly at: string | null;
}

/** Longest time between the first payments of a group and those of the wallets with which it is compared. */
export const SAME_TIME_MS = 90 * DAY_MS;
