import { oncePer } from '../domain/index.ts';
import { capThresholds } from '../methodology/index.ts';
import { type Context, isGuarded, type Known, numberOf } from './context.ts';

/** Liquidity that the creator can take out. */
export interface CreatorLiquidity extends Known<number> {
  readonly support: readonly Known<number>[];
  /** True when most of it is with a wallet of which nothing is known but that it holds the liquidity. */
  readonly isUnnamed: boolean;
}

/**
 * Share of the liquidity with the creator; null when unknown. Since methodology 1.9.0, of a memecoin or an unclassified
 * token, with a plain wallet that no source names, if both together hold it all but: handing it to a second wallet costs
 * nothing.
 */
export const creatorLiquidityOf = oncePer((context: Context): CreatorLiquidity | null => {
  const creator = numberOf(context, 'lp_creator_share');
  const wallet = numberOf(context, 'lp_wallet_share');
  const known = creator && { ...creator, support: [creator], isUnnamed: false };
  const isLaunch = context.class === 'memecoin' || context.class === 'default';
  if (!isGuarded(context) || !isLaunch || wallet === null) return known;
  const both = Math.min(1, wallet.value + (creator?.value ?? 0));
  if (wallet.value <= 0 || both < capThresholds(context.methodology).LP_CREATOR.share) return known;
  const isUnnamed = wallet.value > (creator?.value ?? 0);
  return { ...wallet, value: both, support: creator ? [creator, wallet] : [wallet], isUnnamed };
});
