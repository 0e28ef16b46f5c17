import { capThresholds } from '../methodology/index.ts';
import { type Context, numberOf, rowOf } from './context.ts';
import { issuerOf } from './issuer.ts';

/**
 * True for a vault that holds too small a share of the asset it promises: it lent or sold the rest, so its value
 * depends on its borrowers. Receipts and issued tokens in the kept registers are classified by their register rows,
 * wherever their assets are held. A contract can report any value its author chooses; its own report can therefore only
 * turn it into a credit vault, never into a wrapper.
 */
export function isCreditVault(context: Context): boolean {
  const held = numberOf(context, 'vault_held_share');
  if (held === null || held.value >= capThresholds(context.methodology).CREDIT_VAULT.held) return false;
  return issuerOf(context) === null && rowOf(context.input, 'protocols')?.kind !== 'receipt';
}

/** True when a source other than the vault states its backing. */
export function isCreditRead(context: Context): boolean {
  return (['backing_risk_adjusted', 'backing_quality_share'] as const).some((quantity) =>
    (numberOf(context, quantity)?.consensus.voices ?? []).some(
      ({ accepted, tier }) => accepted && tier !== 'self_reported',
    ),
  );
}
