import type { Json } from '../../domain/index.ts';
import { booleanOf, type Context, consensusOf, fieldsOf, type Known, textOf } from '../context.ts';
import { launchCounts } from '../features/market.ts';

/** The kinds of assets that flags distinguish. Each distinction is made here, and nowhere else in this folder. */

/** The row of a register about the asset; null if there is none. */
export function registerRow(context: Context, register: string): Readonly<Record<string, unknown>> | null {
  const found = consensusOf(context, 'register_row', `register:${register}`);
  return found === null ? null : fieldsOf(found.value);
}

/** The coin of a chain: it has no contract, no issuer and by its design no team. */
export function isNative(context: Context): boolean {
  return context.native || registerRow(context, 'natives') !== null;
}

/** The tier of the named issuer of the asset, if it is known well enough to exempt the powers of its keys. */
function tierOf(context: Context): Known<string> | null {
  const tier = textOf(context, 'issuer_tier');
  const { raise } = context.methodology.flagConfidence;
  return tier !== null && tier.value !== 'none' && tier.confidence >= raise ? tier : null;
}

/** A named issuer, supervised or disclosed, issues the asset. */
export function hasIssuer(context: Context): boolean {
  return tierOf(context) !== null;
}

/**
 * That power is the issuer's own: the register says so, or on chain the key is known to be a disclosed issuer's. A key that does what its owner must be able to
 * do is not a trap. Where the register knows the powers, one that it does not name is not excused.
 */
export function isIssuersPower(context: Context, power: 'mint' | 'freeze' | 'upgrade' | 'seize' | 'pause'): boolean {
  const powers: Json = consensusOf(context, 'issuer_powers')?.value ?? null;
  if (hasIssuer(context) && Array.isArray(powers)) return powers.includes(power);
  if (power === 'upgrade') return false;
  const { raise } = context.methodology.flagConfidence;
  return [textOf(context, 'mint_authority_state'), textOf(context, 'freeze_authority_state')].some(
    (state) => state?.value === 'regulated_issuer' && state.confidence >= raise,
  );
}

/** New units come only against a deposit that immutable code holds: a register says so of the protocol. */
export function isDepositBacked(context: Context): boolean {
  const row = registerRow(context, 'protocols');
  return row !== null && row.control === 'immutable' && (row.collateral !== undefined || row.underlying !== undefined);
}

/** Facts of the launch's liquidity say something of the token: while it is young, or mostly traded in pools. */
export function hasLaunchLiquidity(context: Context): boolean {
  return !isNative(context) && launchCounts(context);
}

/** A peg or a redemption at a stated value is promised, whatever the asset is filed as. */
export function isPegged(context: Context): boolean {
  if (context.category === 'stablecoin') return true;
  const stated = (['peg_target_usd', 'peg_currency', 'peg_mechanism'] as const).some(
    (quantity) => consensusOf(context, quantity) !== null,
  );
  // A wrapped or staked asset follows its underlying, and gold its metal: neither keeps to a currency.
  return stated && consensusOf(context, 'underlying_asset') === null;
}

/** Currency of the peg, ISO 4217; null where no source states one. */
export function pegCurrency(context: Context): string | null {
  return textOf(context, 'peg_currency')?.value ?? null;
}

/** Only holders on a list may have it, so that few holders and thin markets are how it is meant. */
export function isPlacedPrivately(context: Context): boolean {
  if (!hasIssuer(context)) return false;
  return (
    registerRow(context, 'issuers')?.kind === 'rwa_sec' ||
    context.category === 'rwa' ||
    booleanOf(context, 'whitelist_function')?.value === true
  );
}
