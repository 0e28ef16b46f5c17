import { assetId, type Chain } from '../chains/index.ts';
import type { Asset, ConsensusSet, QuantityId, Result } from '../domain/index.ts';
import { tellersOf } from '../domain/index.ts';
import { type GatherTools, gather } from './gather.ts';
import type { CollectReason } from './types.ts';

/** Who knows what a token is called; the chain's own words come first. */
const NAMING_SOURCES: readonly string[] = tellersOf('names');
/** Names are outside text; longer ones are cut. */
const LONGEST_NAME = 120;
const LONGEST_SYMBOL = 40;

/** The asset at an address: that it is a token, and what it is called. */
export async function describeAsset(
  chain: Chain,
  address: string,
  tools: GatherTools,
  signal: AbortSignal,
): Promise<Result<Asset, { readonly reason: CollectReason; readonly detail: string }>> {
  const blank = {
    id: assetId(chain, address),
    chain: chain.name,
    address,
    symbol: null,
    name: address,
    category: null,
    website: null,
  };
  if (address === 'native') return { ok: true, value: { ...blank, symbol: chain.native.symbol, name: chain.title } };
  const gathered = await gather(blank, new Set(NAMING_SOURCES), tools, signal);
  if (gathered === null) return { ok: false, reason: 'no_source_reachable', detail: 'no source answered' };
  const { consensus } = gathered;
  const known = ['decimals', 'total_supply', 'token_standard'].some((quantity) => isSaid(consensus, quantity));
  if (!known && nameIn(consensus, 'registry_name') === null)
    return { ok: false, reason: 'not_a_token', detail: `there is no token at this address of ${chain.title}` };
  const symbol = nameIn(consensus, 'registry_symbol');
  const name = nameIn(consensus, 'registry_name');
  return {
    ok: true,
    value: {
      ...blank,
      symbol: symbol === null ? null : [...symbol].slice(0, LONGEST_SYMBOL).join(''),
      name: name === null ? address : [...name].slice(0, LONGEST_NAME).join(''),
    },
  };
}

function isSaid(consensus: ConsensusSet, quantity: string): boolean {
  const found = consensus[quantity];
  return found !== undefined && found.status !== 'missing' && found.value !== null;
}

function nameIn(consensus: ConsensusSet, quantity: QuantityId): string | null {
  const said = Object.values(consensus)
    .filter((row) => row.quantity === quantity && typeof row.value === 'string' && row.value.trim() !== '')
    .map((row) => ({ rank: rankOf(row.voices[0]?.source), value: String(row.value) }))
    .sort((a, b) => a.rank - b.rank || (a.value < b.value ? -1 : 1));
  return said[0]?.value ?? null;
}

function rankOf(source: string | undefined): number {
  const rank = NAMING_SOURCES.indexOf(source ?? '');
  return rank === -1 ? NAMING_SOURCES.length : rank;
}
