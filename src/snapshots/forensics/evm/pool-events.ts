import type { Hex } from '../../../chains/index.ts';
import type { PastLog } from './transaction.ts';

/** What pools call a trade: Uniswap v2, Uniswap v3 and Algebra, PancakeSwap v3, Solidly. */
const SWAPS: ReadonlySet<Hex> = new Set<Hex>([
  '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822',
  '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67',
  '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83',
  '0xb3e2773606abfd36b5bd91394b3a54d1398336c65005baf7bf7a05efeffaf75b',
]);
/** And liquidity that is taken out: Burn of Uniswap v2, of v3 and of Solidly, and v3's Collect, which pays it. */
const REMOVALS: ReadonlySet<Hex> = new Set<Hex>([
  '0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496',
  '0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c',
  '0x5d624aa9c148153ab3446c1b154f660ee7701e549fe9b62dab7171b1c80e6fa2',
  '0x70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0',
]);

/** What a pool itself says of a transaction; null when it says neither. Pure. */
export function toldByPool(logs: readonly PastLog[], pool: string): 'removal' | 'sale' | null {
  const own = logs.filter((log) => log.address === pool).map((log) => log.topics[0] ?? '0x');
  if (own.some((topic) => REMOVALS.has(topic))) return 'removal';
  return own.some((topic) => SWAPS.has(topic)) ? 'sale' : null;
}
