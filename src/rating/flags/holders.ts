import { type Context, consensusOf, type Known, numberOf } from '../context.ts';
import { floatOf, supplyGap } from '../features/supply.ts';
import { holdersOf } from '../measures.ts';
import { type FlagRule, percent, raised } from './rule.ts';

/** Flags on holders and supply (catalogue 35-44, 52-53). */
export const HOLDER_FLAGS: readonly FlagRule[] = [
  {
    code: 'TOP1_DOMINANT',
    raise: (context, t) => {
      const found = holdersOf(context);
      if (!found || found.top1 <= (t.share ?? 1) || context.native || found.largest?.kind === 'contract_unknown')
        return null;
      return raised([found.support], `one unlabelled wallet holds ${percent(found.top1)}`, found.top1, {
        confidence: found.confidence,
      });
    },
  },
  {
    code: 'TOP10_CONCENTRATED',
    raise: (context, t) => {
      const found = holdersOf(context);
      return found && found.top10 > (t.share ?? 1) && !context.native
        ? raised([found.support], `ten wallets hold ${percent(found.top10)} after exclusions`, found.top10, {
            confidence: found.confidence,
          })
        : null;
    },
  },
  {
    code: 'CREATOR_HOLDING_HIGH',
    raise: (context, t) => {
      const share = numberOf(context, 'creator_share');
      return share && share.value > (t.share ?? 1)
        ? raised([share], `the creator and linked wallets hold ${percent(share.value)}`, share.value, {
            confidence: Math.max(0.5, share.confidence),
          })
        : null;
    },
  },
  {
    code: 'HOLDER_BASE_TINY',
    raise: (context, t) => {
      const count = numberOf(context, 'holder_count');
      return count && count.value < (t.count ?? 0)
        ? raised([count], `${Math.round(count.value)} holders`, count.value)
        : null;
    },
  },
  {
    code: 'HOLDERS_UNLABELLED',
    raise: (context, t) => {
      const found = holdersOf(context);
      return found && found.unlabelledTop20Share > (t.share ?? 1)
        ? raised(
            [found.support],
            `${percent(found.unlabelledTop20Share)} of the twenty largest are unknown`,
            found.unlabelledTop20Share,
            { confidence: Math.max(0.5, found.confidence) },
          )
        : null;
    },
  },
  {
    code: 'UNLOCK_CLIFF',
    raise: (context, t) => {
      const tokens = numberOf(context, 'unlock_30d_tokens');
      const base = numberOf(context, 'circulating_supply') ?? numberOf(context, 'total_supply');
      const share = tokens && base && base.value > 0 ? tokens.value / base.value : 0;
      return tokens && base && share > (t.share ?? 1)
        ? raised(
            [tokens, base],
            `locks on chain release ${percent(share)} of the ${base.consensus.quantity.replace('_', ' ')} within 30 days`,
            share,
          )
        : null;
    },
  },
  {
    code: 'LOW_FLOAT',
    raise: (context, t) => {
      const found = floatOf(context);
      return found && found.share < (t.share ?? 0)
        ? raised(found.support, `${percent(found.share)} of the supply circulates`, found.share)
        : null;
    },
  },
  {
    code: 'SUPPLY_MISMATCH',
    raise: (context, t) => {
      const gap = supplyGap(context);
      return gap && gap.gap > (t.gap ?? 1) && gap.families >= 2
        ? raised(gap.support, `registries and chain differ by ${percent(gap.gap)}`, gap.gap, { confidence: 0.6 })
        : null;
    },
  },
  {
    code: 'BRIDGE_DEPENDENCY',
    raise: (context, t) => {
      const copy = bridgedCopy(context);
      if (copy) return raised([copy], `it is a copy that a bridge made (${copy.value})`, 1, { confidence: 0.6 });
      const found = holdersOf(context);
      return found && found.bridged > (t.share ?? 1)
        ? raised(
            [found.support],
            `${percent(found.bridged)} of the supply is with bridges and lives on other chains`,
            found.bridged,
            { confidence: Math.max(0.5, found.confidence) },
          )
        : null;
    },
  },
  {
    code: 'SERIAL_DEPLOYER',
    raise: (context, t) => {
      const dead = numberOf(context, 'creator_dead_tokens_count');
      // One scanner lists a creator's tokens with their addresses: a list, not an opinion.
      return dead && dead.value >= (t.dead ?? Number.POSITIVE_INFINITY)
        ? raised([dead], `the creator has ${Math.round(dead.value)} dead tokens`, dead.value, {
            confidence: Math.max(0.7, dead.confidence),
          })
        : null;
    },
  },
];

/** A registry's category says so ("Bridged-Tokens", "Bridged USDC"): then all of the supply is a bridge's. */
export function bridgedCopy(context: Context): Known<string> | null {
  const consensus = consensusOf(context, 'categories');
  const names = Array.isArray(consensus?.value) ? consensus.value : [];
  const name = names.find((row): row is string => typeof row === 'string' && /^bridged\b/i.test(row));
  return consensus && name !== undefined ? { value: name, confidence: consensus.confidence, consensus } : null;
}
