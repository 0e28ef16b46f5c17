import type { Observation } from '../../domain/index.ts';
import { type ConsensusSet, consensusKey } from '../../domain/index.ts';

/** The total supply as one source read it from the chain. */
export interface ExactSupply {
  /** Whole tokens, decimal text. */
  readonly tokens: string;
  readonly source: string;
}

/**
 * The total supply without rounding: of the chain reads that counted in the consensus and lie inside its interval, the one
 * nearest to its value; of equals the first in the order of the voices. Null when there is none, and when the sources stand
 * against each other: exact digits then say more than is known. Pure.
 */
export function exactSupplyOf(set: ConsensusSet, observations: readonly Observation[]): ExactSupply | null {
  const found = set[consensusKey('total_supply')];
  if (found === undefined || typeof found.value !== 'number' || found.low === null) return null;
  if (found.status !== 'agreed' && found.status !== 'single_source') return null;
  const [value, low, high] = [found.value, found.low, found.high ?? found.value];
  let best: { readonly exact: ExactSupply; readonly off: number } | null = null;
  for (const voice of found.voices) {
    if (!voice.accepted || voice.tier !== 'chain') continue;
    const read = observations.find(
      (row) => row.quantity === 'total_supply' && row.responseId === voice.responseId && row.value === voice.value,
    );
    if (read?.exact === undefined) continue;
    const tokens = Number(read.exact);
    const off = Math.abs(tokens - value);
    if (tokens < low || tokens > high || (best !== null && off >= best.off)) continue;
    best = { exact: { tokens: read.exact, source: read.source }, off };
  }
  return best?.exact ?? null;
}
