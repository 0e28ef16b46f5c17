import type { ClusterRecord, HoldersSnapshot } from '../../contract/index.ts';
import { type ConsensusSet, type ForensicSubject, HOUR_MS } from '../../domain/index.ts';
import { mergeBooks } from '../../metrics/index.ts';
import { listedHolders } from '../holders/list.ts';
import { provenanceOf } from './bounded-upstream.ts';
import { fundingsOf, isServiceLabel, labelsOf } from './investigate.ts';
import { significant } from './launch-search.ts';
import { chancesOfPayers, equalPayments, FALSE_CLUSTERS, type ReferencePayers } from './null-model.ts';
import { openSearch, referenceOf, type SearchTools } from './search.ts';
import type { Funding, Limit } from './types.ts';

export interface HoldingOwner {
  readonly address: string;
  /** 0-100 of total supply. */
  readonly sharePct: number;
}

export interface FundedCluster {
  /** The first payer of several members; null without one (they funded one another, or equal payments join them). */
  readonly funder: string | null;
  readonly members: readonly {
    readonly address: string;
    readonly sharePct: number;
    readonly funding: Funding | null;
  }[];
  readonly sharePct: number;
  /** 0-1: confidence that one person controls all members. */
  readonly confidence: number;
  readonly reasons: readonly string[];
  /** Probability that a random group of the same size has such a payer; null without a common payer. */
  readonly chance: number | null;
}

/** A payer of several owners, which may be a coincidence. */
export interface ChanceGroup {
  readonly funder: string;
  readonly members: readonly string[];
  readonly sharePct: number;
  readonly chance: number;
}

/**
 * Confidence: one funder of several wallets is weak evidence; payments within an hour, or one holder paying another,
 * are strong evidence.
 */
const COMMON = 0.6;
const SAME_HOUR = 0.15;
const DIRECT = 0.8;
const MANY = 0.05;

/**
 * Groups owners by their first payer, where this is no coincidence: of random groups of the same size (`reference`), at
 * most one in twenty shows a cluster. A funder in `services` (an exchange, a bridge, a wallet with very many payments)
 * links no wallets. An owner that is itself the funder belongs to its cluster, whatever the probability. Clusters of
 * one owner are left out. Pure; the result does not depend on the order of the owners.
 */
export function clusterByFunder(
  owners: readonly HoldingOwner[],
  fundings: ReadonlyMap<string, Funding>,
  services: ReadonlySet<string>,
  reference: ReferencePayers,
): { readonly clusters: readonly FundedCluster[]; readonly byChance: readonly ChanceGroup[] } {
  const parent = new Map<string, string>();
  const rootOf = (node: string): string => {
    const up = parent.get(node) ?? node;
    return up === node ? node : rootOf(up);
  };
  const join = (a: string, b: string) => {
    const [first, second] = [rootOf(a), rootOf(b)].sort();
    if (first !== undefined && second !== undefined && first !== second) parent.set(second, first);
  };
  const shares = new Map(owners.map((owner) => [owner.address, owner.sharePct]));
  const paid = [...shares.keys()].sort().flatMap((address) => {
    const funding = fundings.get(address);
    if (funding === undefined || services.has(address)) return [];
    return services.has(funding.funder) || funding.funder === address ? [] : [funding];
  });
  const chances = chancesOfPayers(
    paid.map((funding) => funding.funder),
    reference,
  );
  const isTogether = (funder: string) => shares.has(funder) || (chances.get(funder) ?? 1) <= FALSE_CLUSTERS;
  for (const { wallet, funder } of paid) if (isTogether(funder)) join(wallet, funder);
  for (const group of equalPayments(paid))
    for (const { wallet } of group) if (group[0] !== undefined) join(wallet, group[0].wallet);
  const groups = new Map<string, string[]>();
  for (const address of [...shares.keys()].sort()) {
    const root = rootOf(address);
    groups.set(root, [...(groups.get(root) ?? []), address]);
  }
  const byChance = [...Map.groupBy(paid, (funding) => funding.funder)]
    .filter(([funder, rows]) => rows.length > 1 && !isTogether(funder))
    .map(([funder, rows]) => ({
      funder,
      members: rows.map((row) => row.wallet),
      sharePct: rows.reduce((sum, row) => sum + (shares.get(row.wallet) ?? 0), 0),
      chance: chances.get(funder) ?? 1,
    }));
  return {
    clusters: [...groups.values()]
      .filter((members) => members.length > 1)
      .map((members) => describe(members, shares, fundings, chances))
      .sort((a, b) => b.sharePct - a.sharePct || (addressOf(a) < addressOf(b) ? -1 : 1)),
    byChance: byChance.sort((a, b) => (a.funder < b.funder ? -1 : 1)),
  };
}

function describe(
  addresses: readonly string[],
  shares: ReadonlyMap<string, number>,
  fundings: ReadonlyMap<string, Funding>,
  chances: ReadonlyMap<string, number>,
): FundedCluster {
  const members = addresses
    .map((address) => ({ address, sharePct: shares.get(address) ?? 0, funding: fundings.get(address) ?? null }))
    .sort((a, b) => b.sharePct - a.sharePct || (a.address < b.address ? -1 : 1));
  const inside = new Set(addresses);
  const paid = members.flatMap(({ funding }) => (funding ? [funding] : []));
  const funders = new Map<string, Funding[]>();
  for (const funding of paid) funders.set(funding.funder, [...(funders.get(funding.funder) ?? []), funding]);
  const [most] = [...funders].sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1));
  const times = (most?.[1] ?? []).map((funding) => Date.parse(funding.at ?? ''));
  const isSameHour =
    times.length > 1 && times.every(Number.isFinite) && Math.max(...times) - Math.min(...times) <= HOUR_MS;
  const isDirect = paid.some((funding) => inside.has(funding.funder));
  const reasons = [
    ...(most && most[1].length > 1 ? [`${most[1].length} of them were first paid by ${most[0]}`] : []),
    ...(isDirect ? ['one of them first paid another'] : []),
    ...(isSameHour ? ['the first payments lie within one hour'] : []),
    ...(equalPayments(paid).length > 0 ? ['three or more were first paid the same odd amount within an hour'] : []),
  ];
  const base = isDirect ? DIRECT : COMMON;
  const confidence = base + (isSameHour ? SAME_HOUR : 0) + (members.length > 3 ? MANY : 0);
  return {
    funder: most && most[1].length > 1 ? most[0] : null,
    members,
    sharePct: Math.min(
      100,
      members.reduce((sum, member) => sum + member.sharePct, 0),
    ),
    confidence: Math.round(Math.min(0.95, confidence) * 100) / 100,
    reasons,
    chance: most && most[1].length > 1 && !inside.has(most[0]) ? (chances.get(most[0]) ?? null) : null,
  };
}

function addressOf(cluster: FundedCluster): string {
  return cluster.members[0]?.address ?? '';
}

const OWNERS = { solana: 30, evm: 20 } as const;

/**
 * Groups an asset's largest holders by the first payers of their wallets. `snapshot`: its newest stored holders, if
 * any.
 */
export async function searchClusters(
  tools: SearchTools,
  subject: ForensicSubject,
  snapshot: HoldersSnapshot | null,
  signal: AbortSignal,
): Promise<ClusterRecord> {
  const chain = subject.asset.chain ?? '';
  const isSolana = chain === 'solana';
  const search = openSearch(tools, chain, signal);
  const listed = ownersOf(subject, snapshot);
  const owners = listed.owners.slice(0, isSolana ? OWNERS.solana : OWNERS.evm);
  const question = { isService: (address: string) => listed.labels.labelsOf(address).some(isServiceLabel) };
  const wallets = owners.map((owner) => owner.address);
  const paid = await fundingsOf(wallets, question, search.chain.search);
  const reference = await referenceOf(tools, subject.asset, [...paid.fundings.values()]);
  const { clusters, byChance } = clusterByFunder(owners, paid.fundings, paid.services, reference);
  const known = owners.filter((owner) => paid.fundings.has(owner.address));
  const receipts = search.receipts();
  const work = search.work();
  return {
    asset: subject.asset,
    method: 'first_payment',
    clusters: clusters.map((cluster) => ({
      funder: cluster.funder,
      share_pct: rounded(cluster.sharePct),
      confidence: cluster.confidence,
      reasons: cluster.reasons,
      p_value: cluster.chance === null ? null : significant(cluster.chance),
      members: cluster.members.map(({ address, sharePct, funding }) => ({
        address,
        share_pct: rounded(sharePct),
        funder: funding?.funder ?? null,
        transaction: funding?.transaction ?? null,
        at: funding?.at ?? null,
      })),
    })),
    by_chance: byChance.map(({ funder, members, sharePct, chance }) => ({
      funder,
      members: [...members],
      share_pct: rounded(sharePct),
      p_value: significant(chance),
    })),
    null_model: { basis: reference.basis, wallets: reference.wallets },
    clustered_share_pct: rounded(clusters.reduce((sum, cluster) => sum + cluster.sharePct, 0)),
    owners: {
      listed: listed.owners.length,
      looked_at: owners.length,
      first_payment_known: known.length,
      share_looked_at_pct: rounded(owners.reduce((sum, owner) => sum + owner.sharePct, 0)),
      paid_by_services: known.filter((owner) => paid.services.has(paid.fundings.get(owner.address)?.funder ?? ''))
        .length,
      source: listed.source,
      as_of: listed.asOf,
    },
    services: [...paid.services].sort(),
    insider_network: insidersOf(subject.consensus),
    limits: limitsOf(paid.limits, owners.length, work.ended),
    work,
    ...provenanceOf(receipts, listed.source === null ? [] : [listed.source], tools.attributionOf),
    as_of: new Date(tools.now()).toISOString(),
  };
}

/** Holders that have no label of a service, the largest first. */
function ownersOf(subject: ForensicSubject, snapshot: HoldersSnapshot | null) {
  const ownLabels = labelsOf(subject);
  if (snapshot !== null) {
    const byAddress = new Map(snapshot.top_holders.map((holder) => [holder.address, holder.labels]));
    const labels = mergeBooks([ownLabels, { labelsOf: (address) => byAddress.get(address) ?? [] }]);
    const owners = snapshot.top_holders
      .filter((holder) => holder.set_aside === null && !labels.labelsOf(holder.address).some(isServiceLabel))
      .map((holder): HoldingOwner => ({ address: holder.address, sharePct: holder.share_pct }));
    return { owners, labels, source: 'holders_snapshot', asOf: snapshot.as_of };
  }
  const listed = listedHolders(subject.consensus);
  const owners = (listed?.holders ?? [])
    .filter((holder) => !ownLabels.labelsOf(holder.owner).some(isServiceLabel))
    .map((holder): HoldingOwner => ({ address: holder.owner, sharePct: holder.sharePct }))
    .sort((a, b) => b.sharePct - a.sharePct || (a.address < b.address ? -1 : 1));
  return { owners, labels: ownLabels, source: listed?.source ?? null, asOf: null };
}

/** Result of RugCheck's graph of transfers among early buyers: a share, without its wallets. */
function insidersOf(consensus: ConsensusSet) {
  const found = consensus.insider_share;
  if (found === undefined || found.status === 'missing' || typeof found.value !== 'number') return null;
  const sources = found.voices.filter((voice) => voice.accepted).map((voice) => voice.source);
  return {
    share_pct: rounded(found.value * 100),
    sources: [...new Set(sources)].sort(),
    confidence: Math.round(found.confidence * 100) / 100,
  };
}

function limitsOf(found: readonly Limit[], owners: number, ended: string): readonly Limit[] {
  return [
    ...(owners === 0
      ? [
          {
            code: 'no_holders' as const,
            detail: 'nobody lists the holders, or all of them are pools, exchanges and programs',
          },
        ]
      : []),
    ...(ended === 'complete'
      ? []
      : [{ code: 'budget_spent' as const, detail: `the ${ended} of one search were used up before its end` }]),
    ...found,
    METHOD,
  ];
}

const METHOD: Limit = {
  code: 'method',
  detail:
    'wallets are put together when one wallet that is no service paid more of them first than random groups of as many wallets show; one person can use many payers, and friends one: a cluster is a hint, no proof',
};

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
