import type { QuantityId } from '../../domain/index.ts';
import { tellersOf } from '../../domain/index.ts';
import { pegTarget } from '../category.ts';
import {
  absent,
  answered,
  type Context,
  eitherWay,
  type FeatureReading,
  notApplicable,
  numberOf,
  observed,
  textOf,
  unknown,
} from '../context.ts';
import { bestOf } from '../silence.ts';

const PROTOCOLS = tellersOf('protocols');

/** FU and, for every category, all its rows; those a category does not use have weight 0 there. */
export function fundamentalFeatures(context: Context): readonly FeatureReading[] {
  const read = (id: string, quantity: QuantityId, sources: readonly string[], method: string) => {
    const found = bestOf(context, id, eitherWay(context, quantity));
    return found ? observed(id, found.value, [found], method) : unknown(context, id, sources);
  };
  const state = (id: string, quantity: QuantityId, method: string) => {
    const found = textOf(context, quantity);
    if (found) return observed(id, found.value, [found], method);
    if (answered(context, tellersOf('site')) > 0)
      return absent(
        id,
        'none',
        context.methodology.featureRules.siteSilentConfidence,
        'the website was read and says nothing of it',
      );
    return unknown(context, id, tellersOf('site'));
  };
  const noSource = (id: string) => unknown(context, id, []);
  return [
    read('fu_fees', 'fees_30d_usd', PROTOCOLS, 'fees users paid over 30 days'),
    read('fu_tvl', 'tvl_usd', PROTOCOLS, 'value locked, staking and borrowing left out'),
    read('fu_users', 'active_addresses_24h', [], 'addresses active in a day'),
    read('fu_trend', 'growth_90d_log', PROTOCOLS, 'ln of the main driver now over 90 days ago'),
    noSource('fu_nakamoto'),
    noSource('fu_clients'),
    noSource('fu_outage'),
    state('fu_reserve', 'reserve_attestation_state', 'who attests the reserves and how often'),
    backing(context, read('fu_collateral', 'collateral_ratio', PROTOCOLS, 'reserves over liabilities')),
    // What sources measure is the distance from one dollar.
    pegTarget(context) === 1
      ? read('fu_peg', 'peg_deviation_90d_max', tellersOf('peg'), 'largest daily distance from the peg in 90 days')
      : unknown(context, 'fu_peg', tellersOf('stablecoins')),
    state('fu_redemption', 'redemption_route_state', 'who may redeem'),
    backing(context, read('fu_backing', 'collateral_ratio', PROTOCOLS, 'backing over supply')),
    read('fu_nav_discount', 'nav_discount_30d_max', [], 'largest discount to redemption value in 30 days'),
    noSource('fu_custody'),
    noSource('fu_exit_queue'),
    noSource('fu_legal'),
    state('fu_attestation', 'reserve_attestation_state', 'who attests and how often'),
    noSource('fu_licence'),
    read('fu_traders', 'traders_24h', tellersOf('traders'), 'distinct wallets that traded in a day'),
    noSource('fu_retention'),
    read('fu_revenue', 'revenue_30d_usd', PROTOCOLS, 'fees that stay with the protocol over 30 days'),
  ].map((feature) =>
    weightHere(context, feature.id) === 0 ? notApplicable(feature.id, 'not part of this category') : feature,
  );
}

/** The project's own statement of its backing can show a shortfall and earns nothing: full backing needs another source. */
function backing(context: Context, feature: FeatureReading): FeatureReading {
  const found = numberOf(context, 'collateral_ratio');
  const heard = found?.consensus.voices.filter((voice) => voice.accepted) ?? [];
  if (found === null || found.value < 1 || heard.some((voice) => voice.tier !== 'self_reported')) return feature;
  const method = 'stated by the project alone, confirmed by nobody';
  return { ...unknown(context, feature.id, PROTOCOLS), method, isOurs: true };
}

function weightHere(context: Context, id: string): number {
  const definition = context.methodology.features.find((row) => row.id === id);
  return definition?.weight[context.category] ?? definition?.weight['*'] ?? 0;
}
