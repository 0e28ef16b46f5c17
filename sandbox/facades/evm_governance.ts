import { CHAINS } from '../../src/chains/index.ts';
import { assetName, rowsOf } from '../../src/registers/index.ts';
import type { Scene } from '../scene.ts';

const TWO_DAYS = 172_800n;

/**
 * Replies of the timelock that holds a treasury, and of its governor, as the register of protocols names them; null for
 * any other address.
 */
export function governanceAt(scene: Scene, chain: string, address: string): ((name: string) => unknown) | null {
  const caip2 = CHAINS.find((row) => row.name === chain)?.caip2 ?? '';
  for (const asset of scene.world.tokens) {
    if (asset.treasury === undefined || asset.chain !== chain) continue;
    const contracts = rowsOf([assetName(caip2, asset.address)]).shipped.protocol?.contracts;
    const rows = Array.isArray(contracts) ? (contracts as readonly { role?: string; address?: string }[]) : [];
    const governor = rows.find(({ role }) => role === 'governor')?.address ?? null;
    if (address === asset.treasury) return (name) => (name === 'delay' ? TWO_DAYS : name === 'admin' ? governor : null);
    if (address === governor)
      return (name) => (name === 'timelock' ? asset.treasury : name === 'uni' ? asset.address : null);
  }
  return null;
}
