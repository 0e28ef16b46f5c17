import {
  type Consensus,
  canonicalScope,
  consensusKey,
  type Observation,
  OF_ALL_CHAINS,
  SUPPLY_OF_ALL_CHAINS,
} from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';

/** Scope by which observations are grouped; null: the observation names a market that is not known. */
export type ScopeOf = (observation: Observation) => string | null;

/**
 * Canonical scopes; and the supply that registries state for all chains of a token that they list on several is grouped
 * under a scope of its own (`SUPPLY_OF_ALL_CHAINS`), because a read of one chain neither confirms nor contradicts it.
 * CoinGecko adds up the supplies of the chains on which a token is issued
 * (https://support.coingecko.com/hc/en-us/articles/35567073957145).
 */
export function scopesOf(observations: readonly Observation[], { consensus }: Methodology): ScopeOf {
  const known = new Map<string, string | null>();
  const scopeOf: ScopeOf = ({ scope }) => known.getOrInsertComputed(scope, canonicalScope);
  if (consensus.chainDecides === undefined || !isOnSeveralChains(observations)) return scopeOf;
  const isOfOneChain = observations.some((row) => row.quantity === 'total_supply' && row.meaning !== OF_ALL_CHAINS);
  return isOfOneChain
    ? (row) =>
        row.quantity === 'total_supply' && row.meaning === OF_ALL_CHAINS && row.scope === 'asset'
          ? SUPPLY_OF_ALL_CHAINS
          : scopeOf(row)
    : scopeOf;
}

/** True if a registry lists the token on more than one chain, or the registries together do. */
function isOnSeveralChains(observations: readonly Observation[]): boolean {
  const chains = new Set<unknown>();
  for (const { quantity, value, tier } of observations) {
    if (tier === 'self_reported') continue;
    if (quantity === 'listed_chains' && typeof value === 'number' && value > 1) return true;
    if (quantity === 'registry_addresses' && Array.isArray(value))
      for (const row of value) chains.add((row as { readonly chain?: unknown } | null)?.chain);
  }
  chains.delete(undefined);
  return chains.size > 1;
}

/**
 * A supply that is smaller than what the chain states is disputed if every reading of the chain was outvoted: registries
 * lag behind a mint. Tokens at addresses without a key do not count, because registries leave them out.
 */
export function checkChainSupply(
  set: ReadonlyMap<string, Consensus>,
  { consensus: rules }: Methodology,
): ReadonlyMap<string, Consensus> {
  const total = set.get(consensusKey('total_supply'));
  if (rules.chainDecides === undefined || total === undefined || typeof total.value !== 'number') return set;
  const burned = set.get(consensusKey('burned_tokens'))?.value;
  const without = typeof burned === 'number' ? burned : 0;
  const readings = total.voices.filter(
    ({ tier, accepted, reason }) => tier === 'chain' && (accepted || LOST.has(reason)),
  );
  const most = total.value * (1 + rules.identities.declared_chain_supply);
  const isExceeded =
    readings.length > 0 && readings.every((row) => !row.accepted && Number(row.value) - without > most);
  if (!isExceeded) return set;
  const confidence = Math.min(total.confidence, rules.disputedConfidenceCap);
  return new Map(set).set(consensusKey('total_supply'), { ...total, confidence, status: 'disputed' });
}

/** Reasons of observations that took part and lost. */
const LOST: ReadonlySet<Consensus['voices'][number]['reason']> = new Set(['outlier', 'unit_mismatch']);
