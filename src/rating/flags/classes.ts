import type { AssetClass, Json } from '../../domain/index.ts';
import { booleanOf, type Context, consensusOf, fieldsOf, type Known, textOf } from '../context.ts';
import { launchCounts } from '../features/market.ts';

/** The kinds of assets that flags distinguish. No other file in this folder makes such distinctions. */

/** The row of a register about the asset; null if there is none. */
export function registerRow(context: Context, register: string): Readonly<Record<string, unknown>> | null {
  const found = consensusOf(context, 'register_row', `register:${register}`);
  return found === null ? null : fieldsOf(found.value);
}

/** True for the coin of a chain: it has no contract, no issuer and, by design, no team. */
export function isNative(context: Context): boolean {
  return context.native || registerRow(context, 'natives') !== null;
}

/**
 * Tier of the named issuer of the asset, if its confidence is high enough to exempt the powers of the issuer's keys.
 */
function tierOf(context: Context): Known<string> | null {
  const tier = textOf(context, 'issuer_tier');
  const { raise } = context.methodology.flagConfidence;
  return tier !== null && tier.value !== 'none' && tier.confidence >= raise ? tier : null;
}

/** True when a named issuer, supervised or disclosed, issues the asset. */
export function hasIssuer(context: Context): boolean {
  return tierOf(context) !== null;
}

/**
 * True when the power belongs to the issuer: the register says so, or the chain shows that a disclosed issuer holds the
 * key. Such a power is part of the issuer's task and not a trap. Where the register lists the powers, a power that is
 * not listed is not exempt.
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

/** True when a register says that new units are issued only against a deposit held by immutable code. */
export function isDepositBacked(context: Context): boolean {
  const row = registerRow(context, 'protocols');
  return row !== null && row.control === 'immutable' && (row.collateral !== undefined || row.underlying !== undefined);
}

/**
 * True when facts about the launch liquidity are relevant to the token: while it is young, or mostly traded in pools.
 */
export function hasLaunchLiquidity(context: Context): boolean {
  return !isNative(context) && launchCounts(context);
}

/** True when a peg or a redemption at a stated value is promised, whatever category the asset is listed under. */
export function isPegged(context: Context): boolean {
  if (context.category === 'stablecoin') return true;
  const stated = (['peg_target_usd', 'peg_currency', 'peg_mechanism'] as const).some(
    (quantity) => consensusOf(context, quantity) !== null,
  );
  // A wrapped or staked asset follows its underlying, and a gold token its metal: neither is pegged to a currency.
  return stated && consensusOf(context, 'underlying_asset') === null;
}

/** Currency of the peg, ISO 4217; null where no source states one. */
export function pegCurrency(context: Context): string | null {
  return textOf(context, 'peg_currency')?.value ?? null;
}

/** True when only holders on a list may hold the asset, so that few holders and thin markets are intended. */
export function isPlacedPrivately(context: Context): boolean {
  if (!hasIssuer(context)) return false;
  return (
    registerRow(context, 'issuers')?.kind === 'rwa_sec' ||
    context.category === 'rwa' ||
    booleanOf(context, 'whitelist_function')?.value === true
  );
}

/** Classes of which one protocol is not all, if a row of the register leads to them: words can be applied for. */
const MORE_THAN_PROTOCOLS: ReadonlySet<AssetClass> = new Set<AssetClass>([
  'l2',
  'exchange',
  'stable_fiat',
  'stable_crypto',
  'stable_algo',
  'lst_wrapped',
  'commodity',
  'rwa_sec',
]);

/**
 * True when a register or a list of rollups shows that more than one protocol stands behind the asset, or an issuer:
 * coins of chains, rollups and exchanges, and registered claims on assets.
 */
export function isBeyondProtocol(context: Context): boolean {
  const isNamed = ['issuers', 'venues'].some((register) => registerRow(context, register) !== null);
  const isFiled = MORE_THAN_PROTOCOLS.has(context.class) && registerRow(context, 'protocols') !== null;
  return isNative(context) || isNamed || isFiled || textOf(context, 'l2_stage') !== null;
}
