import { type Context, consensusOf, textOf } from './context.ts';

/** An issuer named by a kept register, and the powers over other people's tokens that it lawfully holds. */
export interface Issuer {
  readonly tier: 'supervised' | 'disclosed' | 'none';
  readonly powers: readonly string[];
}

/** The issuer of the asset; null where no register names one. */
export function issuerOf(context: Context): Issuer | null {
  const tier = textOf(context, 'issuer_tier')?.value;
  if (tier !== 'supervised' && tier !== 'disclosed' && tier !== 'none') return null;
  const powers: unknown = consensusOf(context, 'issuer_powers')?.value;
  return { tier, powers: Array.isArray(powers) ? powers.map(String) : [] };
}

/**
 * Tier of the issuer that is responsible for a power; null when no register row names one or no tier applies to the
 * power's holder.
 */
export function tierOfPower(context: Context, power: string): 'supervised' | 'disclosed' | null {
  const issuer = issuerOf(context);
  return issuer === null || issuer.tier === 'none' || !issuer.powers.includes(power) ? null : issuer.tier;
}
