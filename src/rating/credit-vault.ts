import { capThresholds } from '../methodology/index.ts';
import { type Context, numberOf, rowOf } from './context.ts';
import { issuerOf } from './issuer.ts';

/**
 * A vault that holds too little of what it counts in the asset it promises: it lent or sold the rest, and is worth what its borrowers are. Receipts and
 * issued tokens of the kept registers are what their rows say, wherever their assets lie. A contract returns what its author likes, so what it says of
 * itself can make it a credit vault and never a wrapper.
 */
export function isCreditVault(context: Context): boolean {
  const held = numberOf(context, 'vault_held_share');
  if (held === null || held.value >= capThresholds(context.methodology).CREDIT_VAULT.held) return false;
  return issuerOf(context) === null && rowOf(context.input, 'protocols')?.kind !== 'receipt';
}

/** A source other than the vault states its backing. */
export function isCreditRead(context: Context): boolean {
  return (['backing_risk_adjusted', 'backing_quality_share'] as const).some((quantity) =>
    (numberOf(context, quantity)?.consensus.voices ?? []).some(
      ({ accepted, tier }) => accepted && tier !== 'self_reported',
    ),
  );
}
