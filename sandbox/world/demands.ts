import type { SandboxAsset } from './types.ts';

/** A flag that must be raised or cleared because of an event of an asset. */
export interface DemandedFlag {
  /** Days after the anchor of the world. */
  readonly day: number;
  readonly flag: string;
  readonly change: 'raised' | 'cleared';
}

/** Days for which a flag's condition must be false before it is cleared (methodology 6). */
const STANDING_DAYS = 7;
/** Below this share of its initial liquidity a market counts as gone. */
const GONE_SHARE = 0.01;

/** Expected notifications for a watcher of the asset, derived from its events alone. */
export function demandsOf(asset: Pick<SandboxAsset, 'traits' | 'events'>): readonly DemandedFlag[] {
  const demanded: DemandedFlag[] = [];
  let [mint, liquidity] = [asset.traits.mintAuthority, 1];
  for (const { day, traits, liquidity: factor = 1 } of asset.events ?? []) {
    const next = traits?.mintAuthority ?? mint;
    if (mint !== 'eoa' && next === 'eoa') demanded.push({ day, flag: 'MINT_AUTHORITY_EOA', change: 'raised' });
    if (mint === 'eoa' && next !== 'eoa')
      demanded.push({ day: day + STANDING_DAYS, flag: 'MINT_AUTHORITY_EOA', change: 'cleared' });
    const wasGone = liquidity < GONE_SHARE;
    liquidity *= factor;
    const isGone = liquidity < GONE_SHARE;
    if (!wasGone && isGone) demanded.push({ day, flag: 'LIQUIDITY_CRITICAL', change: 'raised' });
    if (wasGone && !isGone) demanded.push({ day: day + STANDING_DAYS, flag: 'LIQUIDITY_CRITICAL', change: 'cleared' });
    mint = next;
  }
  return demanded;
}
