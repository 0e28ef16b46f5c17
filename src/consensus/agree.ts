import {
  type Consensus,
  type ConsensusSet,
  consensusKey,
  DAY_MS,
  type Observation,
  QUANTITIES,
  type QuantityId,
  SUPPLY_OF_ALL_CHAINS,
} from '../domain/index.ts';
import type { Methodology, QuantityClass } from '../methodology/index.ts';
import { type Copying, shareWeights, withCopying } from './copying.ts';
import { dateConsensus, factConsensus, voteConsensus } from './fact.ts';
import { numericConsensus } from './numeric.ts';
import { checkChainSupply, scopesOf } from './supply.ts';
import { stable, weighObservation } from './weighed-observation.ts';

/**
 * One consensus per quantity and scope from all observations (methodology 1). Pure, and independent of the order of the
 * observations. `asOf` (RFC 3339): time at which ages are measured. Keys of the result are sorted. Observations of a
 * market or a pool are grouped under its canonical scope, whatever scope they were archived with, and those of the
 * supply of all chains of a token under their own. `copying`: lineage
 * groups that share their weight because they were found to be wrong together; default: those of the methodology.
 */
export function agree(
  observations: readonly Observation[],
  inForce: Methodology,
  asOf: string,
  copying: readonly Copying[] = inForce.consensus.copying ?? [],
): ConsensusSet {
  const methodology = withCopying(inForce, copying);
  const groups = groupsOf(observations, methodology);
  const now = Date.parse(asOf);
  const agreed = new Map<string, Consensus>();
  const settle = (key: string, parameters?: QuantityClass) => {
    const group = groups.get(key);
    if (group) agreed.set(key, settleOne(group, parameters, methodology, now, copying));
  };
  // The tolerance of prices depends on liquidity, so liquidity is computed first.
  settle('liquidity_dex_usd');
  settle('volume_24h_usd');
  const prices = priceClass(agreed, methodology);
  const keys = [...groups.keys()].sort();
  for (const key of keys) if (!agreed.has(key)) settle(key, key === 'price_usd' ? prices : undefined);
  const checked = checkIdentities(checkChainSupply(agreed, methodology), methodology);
  return Object.fromEntries(keys.map((key) => [key, checked.get(key) as Consensus]));
}

/** Observations of one quantity and scope, in stable order. */
interface Group {
  readonly scope: string;
  readonly rows: readonly Observation[];
}

/** Observations by the key of their consensus. */
function groupsOf(observations: readonly Observation[], methodology: Methodology): ReadonlyMap<string, Group> {
  const scopeOf = scopesOf(observations, methodology);
  // By quantity and by scope: making and looking up the key of each observation takes longer than all the rest.
  const byQuantity = new Map<QuantityId, Map<string, Observation[]>>();
  for (const observation of observations) {
    const scope = scopeOf(observation);
    if (scope === null) continue;
    const byScope = byQuantity.getOrInsertComputed(observation.quantity, newScopes);
    const rows = byScope.get(scope);
    if (rows === undefined) byScope.set(scope, [observation]);
    else rows.push(observation);
  }
  const groups = new Map<string, Group>();
  for (const [quantity, byScope] of byQuantity)
    for (const [scope, rows] of byScope) groups.set(consensusKey(quantity, scope), { scope, rows: rows.sort(stable) });
  return groups;
}

const newScopes = () => new Map<string, Observation[]>();

function settleOne(
  { scope, rows }: Group,
  parameters: QuantityClass | undefined,
  methodology: Methodology,
  now: number,
  copying: readonly Copying[],
): Consensus {
  const [first] = rows;
  const quantity = first?.quantity as QuantityId;
  const rules = parameters ?? classOf(quantity, methodology);
  const definition = QUANTITIES[quantity];
  const { kind } = definition;
  const loose = kind === 'text' || kind === 'list' || scope.startsWith('registry:');
  const minimumBinding = loose ? 0 : methodology.consensus.minimumBinding;
  const each = rows.map((row) => weighObservation(row, rules, now, minimumBinding, definition, methodology));
  const weighed = shareWeights(each, copying);
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

/** Class of prices: liquid if the depth that the liquidity implies is above `liquidDepthUsd`. */
function priceClass(agreed: ReadonlyMap<string, Consensus>, methodology: Methodology): QuantityClass {
  const { classes, depthShare, liquidDepthUsd } = methodology.consensus;
  const value = agreed.get('liquidity_dex_usd')?.value;
  const depth = typeof value === 'number' ? value * depthShare : 0;
  const chosen = depth > liquidDepthUsd ? classes.price_liquid : classes.price_thin;
  if (!chosen) throw new Error('the methodology has no price classes');
  return chosen;
}

interface Identity {
  readonly code: keyof Methodology['consensus']['identities'];
  readonly members: readonly QuantityId[];
  /** True when the values contradict each other; `tolerance` from the methodology. */
  readonly fails: (values: readonly number[], tolerance: number, rules: Methodology['consensus']) => boolean;
}

const above = (a: number, b: number, tolerance: number) => a > b * (1 + tolerance);

/** Identities between quantities (methodology 1.4). */
const IDENTITIES: readonly Identity[] = [
  {
    code: 'mcap_price_circulating',
    members: ['market_cap_usd', 'price_usd', 'circulating_supply'],
    fails: ([cap = 0, price = 0, supply = 0], tolerance) =>
      cap > 0 && Math.abs(Math.log((price * supply) / cap)) > Math.log1p(tolerance),
  },
  {
    code: 'circulating_within_total',
    members: ['circulating_supply', 'total_supply'],
    fails: ([inner = 0, outer = 0], tolerance) => above(inner, outer, tolerance),
  },
  {
    code: 'total_within_max',
    members: ['total_supply', 'max_supply'],
    fails: ([inner = 0, outer = 0], tolerance) => above(inner, outer, tolerance),
  },
  {
    code: 'fdv_above_mcap',
    members: ['market_cap_usd', 'fdv_usd'],
    fails: ([cap = 0, fdv = 0], tolerance) => above(cap, fdv, tolerance),
  },
  {
    code: 'volume_liquidity_multiple',
    members: ['volume_24h_dex_usd', 'liquidity_dex_usd'],
    fails: ([volume = 0, liquidity = 0], multiple, { identityVolumeUsd }) =>
      volume > identityVolumeUsd && volume > liquidity * multiple,
  },
  {
    code: 'declared_chain_supply',
    members: ['declared_supply', 'total_supply'],
    fails: ([declared = 0, total = 0], tolerance) =>
      total > 0 && declared > 0 && Math.abs(Math.log(declared / total)) > Math.log1p(tolerance),
  },
  {
    code: 'age_order_days',
    members: ['token_created_at', 'first_trade_at'],
    fails: ([created = 0, traded = 0], days) => traded < created - days * DAY_MS,
  },
];

/**
 * For each identity that does not hold, lowers the confidence of its less certain member and adds the identity's code
 * to it.
 */
export function checkIdentities(
  set: ReadonlyMap<string, Consensus>,
  methodology: Methodology,
): ReadonlyMap<string, Consensus> {
  let result = set;
  for (const identity of IDENTITIES) {
    const members = identity.members.map((quantity) => wholeOf(quantity, result));
    const values = members.map((member) => numberOf(member));
    if (values.some((value) => value === null)) continue;
    const tolerance = methodology.consensus.identities[identity.code];
    if (!identity.fails(values as number[], tolerance, methodology.consensus)) continue;
    const weaker = [...(members as Consensus[])].sort(
      (a, b) => a.confidence - b.confidence || (a.quantity < b.quantity ? -1 : 1),
    )[0];
    if (!weaker) continue;
    const { identityPenalty } = methodology.consensus;
    const parts = { ...weaker.parts, agreement: weaker.parts.agreement * identityPenalty };
    result = new Map(result).set(consensusKey(weaker.quantity, weaker.scope), {
      ...weaker,
      parts,
      confidence: weaker.confidence * identityPenalty,
      failedIdentities: [...weaker.failedIdentities, identity.code],
    });
  }
  return result;
}

/** The value of the asset; of a token on several chains the supply of all of them, as registries count what circulates. */
function wholeOf(quantity: QuantityId, set: ReadonlyMap<string, Consensus>): Consensus | undefined {
  const whole = quantity === 'total_supply' ? set.get(consensusKey(quantity, SUPPLY_OF_ALL_CHAINS)) : undefined;
  return whole ?? set.get(consensusKey(quantity));
}

function numberOf(member: Consensus | undefined): number | null {
  if (!member || member.value === null) return null;
  if (typeof member.value === 'number') return member.value;
  const at = typeof member.value === 'string' ? Date.parse(member.value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
