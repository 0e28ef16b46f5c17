import type { QuantityId } from '../../domain/index.ts';
import { DAY_MS, sourcesFor } from '../../domain/index.ts';
import { pointsOf } from '../../methodology/index.ts';
import { pegTarget } from '../category.ts';
import {
  absent,
  booleanOf,
  type Context,
  depthOf,
  type FeatureReading,
  isRevised,
  type Known,
  notApplicable,
  numberOf,
  observed,
  readOr,
  textOf,
  unknown,
  withAndWithoutOwnWord,
} from '../context.ts';
import { isDepositBacked } from '../flags/classes.ts';
import { bestOf } from '../missing-values.ts';

const PROTOCOLS = sourcesFor('protocols');
/** Empty: for rows of kept registers and for consensus counts, the last reading still counts when a source fails. */
const REGISTERS: readonly string[] = [];

/** FU: size, use, claims of holders, and backing of a coin that promises redemption. */
export function fundamentalFeatures(context: Context): readonly FeatureReading[] {
  const read = (id: string, quantity: QuantityId, sources: readonly string[], method: string) => {
    const found = bestOf(context, id, withAndWithoutOwnWord(context, quantity));
    return found ? observed(id, found.value, [found], method) : unknown(context, id, sources);
  };
  const state = (id: string, quantity: QuantityId, method: string) =>
    readOr(context, id, textOf(context, quantity), method, REGISTERS);
  return [
    size(context),
    read('fu_fees', 'fees_30d_usd', PROTOCOLS, 'fees users paid over 30 days'),
    booleanOf(context, 'native_contracts')?.value === false
      ? notApplicable('fu_tvl', 'a chain without contracts')
      : read('fu_tvl', 'tvl_usd', PROTOCOLS, 'value locked, staking and borrowing left out'),
    read('fu_tx', 'transactions_24h', REGISTERS, 'transactions of a day, without votes'),
    claim(context),
    state('fu_attest', 'reserve_report_state', 'who reports on the backing and how often'),
    read('fu_assets', 'backing_quality_share', REGISTERS, 'backing, each part by its quality'),
    state('fu_segreg', 'segregation_state', 'whose the backing is when the issuer fails'),
    redemption(context),
    read('fu_riskadj', 'backing_risk_adjusted', REGISTERS, 'backing after haircuts over liabilities'),
    read('fu_proof', 'backing_onchain_share', REGISTERS, 'share of the backing that can be read on a chain'),
    // Sources measure the deviation from one dollar only.
    pegTarget(context) === 1
      ? read('fu_peg', 'peg_deviation_90d_max', sourcesFor('peg'), 'largest daily distance from the peg in 90 days')
      : unknown(context, 'fu_peg', sourcesFor('stablecoins')),
    backing(context),
    read('fu_nav', 'nav_discount_30d_max', [], 'largest discount to redemption value in 30 days'),
    isDepositBacked(context)
      ? notApplicable('fu_operators', 'code that nobody can change holds it, and no operator')
      : read('fu_operators', 'operators_effective', REGISTERS, 'operators or custodians, by their shares'),
    read('fu_exit', 'exit_days', [], 'days until a holder has what it stands for'),
    state('fu_legal', 'legal_form_state', 'legal form of the claim'),
    state('fu_exchange', 'exchange_grade', 'grade of the exchange'),
    state('fu_por', 'exchange_reserves_state', 'what the exchange shows of its reserves'),
  ];
}

/** Who may redeem according to the issuer's terms, and observed redemptions. */
function redemption(context: Context): FeatureReading {
  const found = textOf(context, 'redemption_state');
  const row = readOr(context, 'fu_redeem', found, 'who may redeem at par', REGISTERS);
  const own = redeemedShare(context);
  const stated = numberOf(context, 'redeemed_7d_max');
  // Redemptions before a suspension say nothing about today.
  if ((own === null && stated === null) || found?.value === 'none') return row;
  const { least } = context.methodology.featureRules.redeemed;
  const pointsFor = (share: number) => pointsOf({ scale: 'log', anchors: least, states: {} }, share) ?? 0;
  // The points of a stated share are multiplied by its confidence.
  const atLeast = Math.max(pointsFor(own ?? 0), pointsFor(stated?.value ?? 0) * (stated?.confidence ?? 0));
  const share = Math.max(own ?? 0, stated?.value ?? 0);
  const method = `${row.method}; ${(share * 100).toFixed(1)} % of the supply left within a week at par`;
  return atLeast <= 0 ? row : { ...row, method, atLeast };
}

/**
 * Largest share of the supply that was redeemed within a few days at the peg, excluding the largest step between two
 * days; null where no days are known.
 */
function redeemedShare(context: Context): number | null {
  const target = pegTarget(context);
  const kept = context.input.history?.circulating ?? [];
  if (target === null || kept.length === 0) return null;
  const { days, peg } = context.methodology.featureRules.redeemed;
  let most = 0;
  for (const [at, from] of kept.entries()) {
    const until = Date.parse(from.at) + days * DAY_MS;
    let [before, largest] = [from, 0];
    for (const to of kept.slice(at)) {
      const isAtPeg = Math.abs(to.priceUsd / target - 1) <= peg;
      if (!isAtPeg || Date.parse(to.at) > until) break;
      largest = Math.max(largest, before.tokens - to.tokens);
      most = Math.max(most, (from.tokens - to.tokens - largest) / from.tokens);
      before = to;
    }
  }
  return most;
}

/** A price at which nothing can be sold is no measure of size: the size is limited to this multiple of the depth. */
function size(context: Context): FeatureReading {
  const cap = numberOf(context, 'market_cap_usd');
  if (cap === null) return unknown(context, 'fu_size', sourcesFor('supply'));
  const found = depthOf(context);
  const depth = found === null ? null : Math.min(found.upUsd, found.downUsd);
  const most = depth === null ? Number.POSITIVE_INFINITY : depth * context.methodology.featureRules.sizeOverDepth;
  const method = most < cap.value ? 'circulating value, held down by the depth of its markets' : 'circulating value';
  return observed('fu_size', Math.min(cap.value, most), [cap], method);
}

const BY_FEES = new Set(['fees_by_code', 'fees_by_vote']);
const BY_VOTE = new Set(['governance_of_fees', 'governance_only']);

/** Fees count only where a third party measures them. Votes of a memecoin count for nothing. */
function claim(context: Context): FeatureReading {
  const found = textOf(context, 'claim_state');
  const isMeme = context.class === 'memecoin' || context.class === 'default';
  if (found === null)
    return isMeme
      ? absent(
          'fu_claim',
          'none',
          context.methodology.featureRules.searchedConfidence,
          'no row says that anything is owed',
        )
      : unknown(context, 'fu_claim', REGISTERS);
  if (BY_FEES.has(found.value) && !hasFees(context))
    return observed('fu_claim', 'governance_of_fees', [found], `${found.value}, and nobody measures such fees`);
  return isMeme && BY_VOTE.has(found.value)
    ? observed('fu_claim', 'none', [found], 'a vote over a memecoin')
    : observed('fu_claim', found.value, [found], 'what a holder is owed');
}

/** True when a source measures fees that holders receive. */
function hasFees(context: Context): boolean {
  return (numberOf(context, 'holders_revenue_30d_usd')?.value ?? 0) > 0;
}

/** Locked value over issued value. The project's own statement can show a shortfall but earns no points. */
function backing(context: Context): FeatureReading {
  const found = backingOf(context);
  if (found === null || !(isProvenBacking(context, found) || isCostly(context, found))) {
    const method = found === null ? 'no source says' : 'stated by the project alone, confirmed by nobody';
    return { ...unknown(context, 'fu_backing', PROTOCOLS), method, isOurs: true };
  }
  return observed('fu_backing', found.value, [found], 'backing over supply');
}

/** Locked value over issued value, from any source; null if none states it. */
export function backingOf(context: Context): Known<number> | null {
  return numberOf(context, 'backing_ratio') ?? numberOf(context, 'collateral_ratio');
}

/** True if a source other than the project states it; in earlier methodologies also for any shortfall. */
export function isProvenBacking(context: Context, found: Known<number>): boolean {
  const heard = found.consensus.voices.filter((voice) => voice.accepted);
  return (!isRevised(context) && found.value < 1) || heard.some((voice) => voice.tier !== 'self_reported');
}

/** True for a shortfall that has fewer points than a missing value: the project does not gain by stating it. */
function isCostly({ methodology }: Context, { value }: Known<number>): boolean {
  const definition = methodology.features.find(({ id }) => id === 'fu_backing');
  const points = definition === undefined ? null : pointsOf(definition, value);
  return points !== null && points < methodology.aggregation.prior;
}
