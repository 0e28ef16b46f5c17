import { HOUR_MS } from '../../domain/index.ts';
import type { Funding } from './types.ts';

export interface HoldingOwner {
  readonly address: string;
  /** 0-100 of total supply. */
  readonly sharePct: number;
}

export interface FundedCluster {
  /** Who gave the first money; null when the members funded one another only. */
  readonly funder: string | null;
  readonly members: readonly {
    readonly address: string;
    readonly sharePct: number;
    readonly funding: Funding | null;
  }[];
  readonly sharePct: number;
  /** 0-1: how sure it is that one person is behind them. */
  readonly confidence: number;
  readonly reasons: readonly string[];
}

/** One funder of several wallets is a hint; several within the hour, or one holder paying another, is a strong one. */
const COMMON = 0.6;
const SAME_HOUR = 0.15;
const DIRECT = 0.8;
const MANY = 0.05;

/**
 * Owners put together by who first paid them. A funder in `services` (an exchange, a bridge, a wallet of very many payments)
 * links nobody. An owner that is itself the funder belongs to its cluster. Clusters of one owner are left out. Pure; the same
 * owners in any order give the same clusters.
 */
export function clusterByFunder(
  owners: readonly HoldingOwner[],
  fundings: ReadonlyMap<string, Funding>,
  services: ReadonlySet<string>,
): readonly FundedCluster[] {
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
  for (const address of shares.keys()) {
    const funder = fundings.get(address)?.funder;
    if (funder !== undefined && funder !== address && !services.has(funder) && !services.has(address))
      join(address, funder);
  }
  const groups = new Map<string, string[]>();
  for (const address of [...shares.keys()].sort()) {
    const root = rootOf(address);
    groups.set(root, [...(groups.get(root) ?? []), address]);
  }
  return [...groups.values()]
    .filter((members) => members.length > 1)
    .map((members) => describe(members, shares, fundings))
    .sort((a, b) => b.sharePct - a.sharePct || (addressOf(a) < addressOf(b) ? -1 : 1));
}

function describe(
  addresses: readonly string[],
  shares: ReadonlyMap<string, number>,
  fundings: ReadonlyMap<string, Funding>,
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
  ];
  const base = isDirect ? DIRECT : COMMON;
  const confidence = base + (isSameHour ? SAME_HOUR : 0) + (members.length > 3 ? MANY : 0);
  return {
    funder: most && (most[1].length > 1 || !inside.has(most[0])) ? most[0] : null,
    members,
    sharePct: Math.min(
      100,
      members.reduce((sum, member) => sum + member.sharePct, 0),
    ),
    confidence: Math.round(Math.min(0.95, confidence) * 100) / 100,
    reasons,
  };
}

function addressOf(cluster: FundedCluster): string {
  return cluster.members[0]?.address ?? '';
}
