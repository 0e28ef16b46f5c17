import { oncePer } from '../domain/index.ts';
import { capThresholds } from '../methodology/index.ts';
import { type Context, isGuarded, isOfLaunch, isWary, type Known, numberOf } from './context.ts';

/** Liquidity that the creator can take out. */
export interface CreatorLiquidity extends Known<number> {
  readonly support: readonly Known<number>[];
  /** The wallets that hold most of it, where nothing else is known about them; null where the creator does. */
  readonly unnamed: 'one wallet' | 'up to three wallets' | null;
}

/**
 * Share of the liquidity with the creator; null when unknown. Since methodology 1.9.0, of a memecoin or an unclassified
 * token, with a plain wallet that no source names, if both together hold it all but: handing it to a second wallet costs
 * nothing.
 */
export const creatorLiquidityOf = oncePer((context: Context): CreatorLiquidity | null => {
  const creator = numberOf(context, 'lp_creator_share');
  const known = creator && { ...creator, support: [creator], unnamed: null };
  const wallet = isGuarded(context) ? numberOf(context, 'lp_wallet_share') : null;
  return wallet === null ? known : (withWallets(context, wallet, 'one wallet') ?? known);
});

/**
 * The same for flag and cap. Since methodology 1.10.0 also with up to three such wallets: splitting costs nothing
 * either, but so few may be the first providers of an honest launch, so that no feature counts them as the creator's.
 */
export const heldLiquidityOf = oncePer((context: Context): CreatorLiquidity | null => {
  const known = creatorLiquidityOf(context);
  const wallets = isWary(context) ? numberOf(context, 'lp_top3_wallets_share') : null;
  const isWhole = (known?.value ?? 0) >= capThresholds(context.methodology).LP_CREATOR.share;
  if (wallets === null || isWhole) return known;
  const few = withWallets(context, wallets, 'up to three wallets');
  return few?.unnamed ? few : known;
});

/** What the creator and these wallets of a launch hold, if that is all but the whole liquidity; else null. */
function withWallets(
  context: Context,
  wallets: Known<number>,
  many: CreatorLiquidity['unnamed'],
): CreatorLiquidity | null {
  const creator = numberOf(context, 'lp_creator_share');
  const value = Math.min(1, wallets.value + (creator?.value ?? 0));
  if (!isOfLaunch(context) || wallets.value <= 0 || value < capThresholds(context.methodology).LP_CREATOR.share)
    return null;
  const unnamed = wallets.value > (creator?.value ?? 0) ? many : null;
  return { ...wallets, value, support: creator ? [creator, wallets] : [wallets], unnamed };
}
