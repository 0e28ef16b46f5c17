import type { ApiContext, ChainServices } from '../../src/api/context.ts';
import { testDatabase } from '../../src/store/fixtures/database.ts';
import { type ApiFace, openApiFace } from './api-face.ts';
import { type MemoryReader, memoryExports, memoryIndex, memoryReader } from './memory-chain.ts';

export interface ChainWorld extends ApiFace {
  readonly reader: MemoryReader;
  readonly clock: { now: number };
}

/** The HTTP face over chain data in memory and a clock that is set by hand. */
export async function chainWorld(
  start: string,
  changes: Partial<ApiContext> = {},
  services: Partial<ChainServices> = {},
): Promise<ChainWorld> {
  const clock = { now: Date.parse(start) };
  const database = await testDatabase();
  const reader = memoryReader(() => clock.now);
  const chain = {
    reader,
    exports: memoryExports({}),
    index: memoryIndex(reader, () => clock.now),
    indexerStatus: async () => ({ lag: [], closed: [] }),
    ...services,
  };
  const face = await openApiFace(database.store.db, clock, 'chain:read', { chain, ...changes });
  return {
    ...face,
    reader,
    clock,
    async close() {
      await face.close();
      await database.close();
    },
  };
}
