import type { Drain, Funding, Hop } from './types.ts';

/** Why a wallet that took part in a drain belongs to the creator, as far as the chain shows. */
export interface CreatorLink {
  readonly wallet: string;
  readonly role: 'actor' | 'liquidity_owner' | 'recipient' | 'hop';
  readonly how: 'is_creator' | 'funded_by_creator' | 'funded_creator' | 'common_funder' | 'paid_creator';
  readonly transaction: string | null;
  /** 0-1. */
  readonly confidence: number;
}

const CONFIDENCE: Readonly<Record<CreatorLink['how'], number>> = {
  is_creator: 0.98,
  funded_by_creator: 0.85,
  funded_creator: 0.8,
  paid_creator: 0.75,
  common_funder: 0.6,
};

/** Links of everybody who took part to the creator; a funder in `services` links nobody. Pure. */
export function creatorLinks(
  creator: string | null,
  drains: readonly Drain[],
  hops: readonly Hop[],
  fundings: ReadonlyMap<string, Funding>,
  services: ReadonlySet<string>,
): readonly CreatorLink[] {
  if (creator === null) return [];
  const links: CreatorLink[] = [];
  for (const [wallet, role] of rolesOf(drains, hops)) {
    const add = (how: CreatorLink['how'], transaction: string | null) =>
      links.push({ wallet, role, how, transaction, confidence: CONFIDENCE[how] });
    if (wallet === creator) {
      add('is_creator', null);
      continue;
    }
    const own: Funding | undefined = fundings.get(wallet);
    const creators: Funding | undefined = fundings.get(creator);
    if (own?.funder === creator) add('funded_by_creator', own.transaction);
    if (creators?.funder === wallet && !services.has(wallet)) add('funded_creator', creators.transaction);
    if (own && creators && own.funder === creators.funder && !services.has(own.funder) && own.funder !== wallet)
      add('common_funder', own.transaction);
    const paid = hops.find((hop) => hop.from === wallet && hop.to === creator);
    if (paid) add('paid_creator', paid.transaction);
  }
  return links.sort((a, b) => b.confidence - a.confidence || (a.wallet < b.wallet ? -1 : 1));
}

/** Each wallet once, by the first role it has. */
function rolesOf(drains: readonly Drain[], hops: readonly Hop[]): ReadonlyMap<string, CreatorLink['role']> {
  const roles = new Map<string, CreatorLink['role']>();
  const give = (wallet: string | null, role: CreatorLink['role']) => {
    if (wallet !== null && !roles.has(wallet)) roles.set(wallet, role);
  };
  for (const drain of drains) give(drain.actor, 'actor');
  for (const drain of drains) give(drain.liquidityOwner, 'liquidity_owner');
  for (const { recipients } of drains) for (const { address } of recipients) give(address, 'recipient');
  for (const hop of hops) give(hop.to, 'hop');
  return roles;
}
