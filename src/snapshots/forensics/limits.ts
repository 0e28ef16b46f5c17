import type { ChainFault } from '../../chains/index.ts';
import type { Limit } from './types.ts';

/** Why a pool was not looked at: what it is (`pool_not_read`, for good), or a node that failed (another time it may work). */
export function notRead(pool: string, { reason, detail }: ChainFault): Limit {
  const isForGood = reason === 'refused' || reason === 'not_found';
  return { code: isForGood ? 'pool_not_read' : 'node_failed', detail: `pool ${pool}: ${detail}` };
}
