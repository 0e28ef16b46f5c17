import type { QuantityId } from '../domain/index.ts';
import { type Consensus, consensusKey, DAY_MS } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';

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

/** For every identity that fails, lowers the confidence of the less certain member and adds the code of the identity to it. */
export function checkIdentities(
  set: ReadonlyMap<string, Consensus>,
  methodology: Methodology,
): ReadonlyMap<string, Consensus> {
  const result = new Map(set);
  for (const identity of IDENTITIES) {
    const members = identity.members.map((quantity) => result.get(consensusKey(quantity)));
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
    result.set(consensusKey(weaker.quantity), {
      ...weaker,
      parts,
      confidence: weaker.confidence * identityPenalty,
      failedIdentities: [...weaker.failedIdentities, identity.code],
    });
  }
  return result;
}

function numberOf(member: Consensus | undefined): number | null {
  if (!member || member.value === null) return null;
  if (typeof member.value === 'number') return member.value;
  const at = typeof member.value === 'string' ? Date.parse(member.value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
