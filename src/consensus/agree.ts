import type { Observation } from '../domain/index.ts';
import {
  type Consensus,
  type ConsensusSet,
  canonicalScope,
  consensusKey,
  QUANTITIES,
  type QuantityId,
} from '../domain/index.ts';
import type { Methodology, QuantityClass } from '../methodology/index.ts';
import { dateConsensus, factConsensus } from './fact.ts';
import { checkIdentities } from './identities.ts';
import { numericConsensus } from './numeric.ts';
import { outOfRange } from './scale.ts';
import { voteConsensus } from './vote.ts';
import { stable, type WeighedObservation, weighObservation } from './weighed-observation.ts';

/**
 * One consensus per quantity and scope from all observations (methodology 1). Pure and independent of the order of the
 * observations. `asOf` (RFC 3339) is the moment ages are counted from. Keys of the result are sorted. A market or a pool
 * is one thing under its canonical scope, whatever scope its observations were archived with.
 */
export function agree(observations: readonly Observation[], methodology: Methodology, asOf: string): ConsensusSet {
  const groups = new Map<string, Observation[]>();
  for (const observation of observations) {
    const scope = canonicalScope(observation.scope);
    if (scope === null) continue;
    const key = consensusKey(observation.quantity, scope);
    const group = groups.get(key);
    if (group) group.push(observation);
    else groups.set(key, [observation]);
  }
  const now = Date.parse(asOf);
  const agreed = new Map<string, Consensus>();
  const settle = (key: string, parameters?: QuantityClass) => {
    const group = groups.get(key);
    if (group) agreed.set(key, settleOne(group.sort(stable), parameters, methodology, now));
  };
  // Prices are judged more strictly where the market is liquid, so liquidity comes first.
  settle('liquidity_dex_usd');
  settle('volume_24h_usd');
  const prices = priceClass(agreed, methodology);
  for (const key of [...groups.keys()].sort())
    if (!agreed.has(key)) settle(key, key === 'price_usd' ? prices : undefined);
  const checked = checkIdentities(agreed, methodology);
  return Object.fromEntries([...checked].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function settleOne(
  group: readonly Observation[],
  parameters: QuantityClass | undefined,
  methodology: Methodology,
  now: number,
): Consensus {
  const [first] = group;
  const quantity = first?.quantity as QuantityId;
  const scope = canonicalScope(first?.scope ?? 'asset') ?? 'asset';
  const rules = parameters ?? classOf(quantity, methodology);
  const { kind } = QUANTITIES[quantity];
  const loose = kind === 'text' || kind === 'list' || scope.startsWith('registry:');
  const weighed: readonly WeighedObservation[] = group
    .map((observation) => weighObservation(observation, rules, now, loose ? 0 : methodology.consensus.minimumBinding))
    .map((entry) =>
      entry.rejected === null && outOfRange(quantity, entry.observation.value, methodology)
        ? { ...entry, rejected: 'out_of_range' as const }
        : entry,
    );
  if (kind === 'boolean' || kind === 'enum') return voteConsensus(quantity, scope, weighed, rules, methodology);
  if (kind === 'date') return dateConsensus(quantity, scope, weighed, rules.noise, methodology);
  if (kind === 'list' || kind === 'text') return factConsensus(quantity, scope, weighed, methodology);
  return numericConsensus(quantity, scope, weighed, rules, methodology);
}

function classOf(quantity: QuantityId, methodology: Methodology): QuantityClass {
  const found = methodology.consensus.classes[methodology.consensus.classOf[quantity]];
  if (!found) throw new Error(`quantity ${quantity} has no class in the methodology`);
  return found;
}

/** Liquid: the depth that the liquidity implies is above `liquidDepthUsd`. */
function priceClass(agreed: ReadonlyMap<string, Consensus>, methodology: Methodology): QuantityClass {
  const { classes, depthShare, liquidDepthUsd } = methodology.consensus;
  const value = agreed.get('liquidity_dex_usd')?.value;
  const depth = typeof value === 'number' ? value * depthShare : 0;
  const chosen = depth > liquidDepthUsd ? classes.price_liquid : classes.price_thin;
  if (!chosen) throw new Error('the methodology has no price classes');
  return chosen;
}
