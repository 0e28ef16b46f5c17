import { type Context, consensusOf, holdersOf, type Known, numberOf } from '../context.ts';
import { floatOf, supplyGap } from '../features/supply.ts';
import { circulatingOf } from '../whole-supply.ts';
import { hasIssuer, hasLaunchLiquidity, isNative, isPlacedPrivately } from './classes.ts';
import { type FlagRule, isCorroborated, percent, raised, reportersOf, rule } from './rule.ts';

/** Flags on holders and supply (catalogue 35-44, 52-53). */
export const HOLDER_FLAGS: readonly FlagRule[] = [
  rule('TOP1_DOMINANT', (context, t) => {
    const found = holdersOf(context);
    if (
      !found ||
      found.largestShare <= t.share ||
      isNative(context) ||
      isPlacedPrivately(context) ||
      found.largest?.kind === 'contract_unknown'
    )
      return null;
    return raised([found.support], `one unlabelled wallet holds ${percent(found.largestShare)}`, found.largestShare, {
      confidence: found.confidence,
    });
  }),
  rule('TOP10_CONCENTRATED', (context, t) => {
    const found = holdersOf(context);
    return found && found.top10 > t.share && !isNative(context) && !isPlacedPrivately(context)
      ? raised([found.support], `ten wallets hold ${percent(found.top10)} after exclusions`, found.top10, {
          confidence: found.confidence,
        })
      : null;
  }),
  rule('CREATOR_HOLDING_HIGH', (context, t) => {
    const share = numberOf(context, 'creator_share');
    // An issuer that issues against deposits holds the undistributed units.
    return share && share.value > t.share && !hasIssuer(context)
      ? raised([share], `the creator and linked wallets hold ${percent(share.value)}`, share.value, {
          confidence: Math.max(t.confidence, share.confidence),
          // Not confirmed until enough lineage groups state it or the chain shows it.
          unconfirmed: !isCorroborated(context, share.consensus, (value) => Number(value) > t.share),
        })
      : null;
  }),
  rule('HOLDER_BASE_TINY', (context, t) => {
    const count = numberOf(context, 'holder_count');
    return count && count.value < t.count && !isPlacedPrivately(context)
      ? raised([count], `${Math.round(count.value)} holders`, count.value)
      : null;
  }),
  rule('BUNDLED_LAUNCH', (context, t) => {
    const share = numberOf(context, 'bundled_launch_share');
    // Buyers in the first block can move the price while the token depends on its launch liquidity. Years of trading on
    // exchanges refute the suspicion.
    return share && share.value >= t.share && hasLaunchLiquidity(context)
      ? raised([share], `one hand bought ${percent(share.value)} of the supply in the first block`, share.value)
      : null;
  }),
  rule('HOLDERS_UNLABELLED', (context, t) => {
    const found = holdersOf(context);
    return found && found.unlabelledTop20Share > t.share
      ? raised(
          [found.support],
          `${percent(found.unlabelledTop20Share)} of the twenty largest are unknown`,
          found.unlabelledTop20Share,
          { confidence: Math.max(t.confidence, found.confidence) },
        )
      : null;
  }),
  rule('UNLOCK_CLIFF', (context, t) => {
    const tokens = numberOf(context, 'unlock_30d_tokens');
    const total = numberOf(context, 'total_supply');
    const base = circulatingOf(context) ?? (total && { value: total.value, support: [total] });
    const share = tokens && base && base.value > 0 ? tokens.value / base.value : 0;
    const [first] = base?.support ?? [];
    if (!tokens || !base || !first || share <= t.share) return null;
    const isBound = base.support.some(({ consensus }) => consensus.quantity === 'locked_tokens');
    const what = isBound ? 'tokens that are not locked' : first.consensus.quantity.replace('_', ' ');
    return raised(
      [tokens, ...base.support],
      `locks on chain release ${percent(share)} of the ${what} within 30 days`,
      share,
    );
  }),
  rule('LOW_FLOAT', (context, t) => {
    const found = floatOf(context);
    return found && found.share < t.share
      ? raised(found.support, `${percent(found.share)} of the supply circulates`, found.share)
      : null;
  }),
  rule('SUPPLY_MISMATCH', (context, t) => {
    const gap = supplyGap(context);
    const { witnesses } = context.methodology.flagConfidence;
    return gap && gap.gap > t.gap && gap.families >= witnesses
      ? raised(gap.support, `registries and chain differ by ${percent(gap.gap)}`, gap.gap, { confidence: t.confidence })
      : null;
  }),
  rule('BRIDGE_DEPENDENCY', (context, t) => {
    const copy = bridgedCopy(context);
    if (copy)
      return raised([copy], `it is a copy that a bridge made (${copy.value})`, 1, { confidence: t.copyConfidence });
    const found = holdersOf(context);
    return found && found.bridged > t.share
      ? raised(
          [found.support],
          `${percent(found.bridged)} of the supply is with bridges and lives on other chains`,
          found.bridged,
          { confidence: Math.max(t.confidence, found.confidence) },
        )
      : null;
  }),
  rule('SERIAL_DEPLOYER', (context, t) => {
    const dead = numberOf(context, 'creator_dead_tokens_count');
    // One scanner lists the creator's tokens with their addresses, which is a list and not an opinion. The flag
    // predicts what the creator will do with this token; years of trading on exchanges refute it.
    return dead && dead.value >= t.dead && hasLaunchLiquidity(context)
      ? raised(
          [dead],
          `the creator has ${Math.round(dead.value)} dead tokens (${reportersOf(dead.consensus)})`,
          dead.value,
          {
            confidence: Math.max(t.confidence, dead.confidence),
          },
        )
      : null;
  }),
];

/**
 * True when a registry's category marks a bridged copy ("Bridged-Tokens", "Bridged USDC"): a bridge then holds the
 * whole supply.
 */
export function bridgedCopy(context: Context): Known<string> | null {
  const consensus = consensusOf(context, 'categories');
  const names = Array.isArray(consensus?.value) ? consensus.value : [];
  const name = names.find((row): row is string => typeof row === 'string' && /^bridged\b/i.test(row));
  return consensus && name !== undefined ? { value: name, confidence: consensus.confidence, consensus } : null;
}
