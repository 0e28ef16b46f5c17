import type { ChainFault, Exchange, Hex, PoolReading } from '../../../chains/index.ts';
import {
  INITIALIZE,
  keyCall,
  readInitialize,
  readKey,
  readV4Pool,
  readV4State,
  ticksOf,
  type V4Key,
  type V4State,
  v4BitmapCalls,
  v4StateCalls,
  v4TickCalls,
} from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import type { EvmReader } from '../types.ts';
import type { Ask } from './ask-each.ts';

/** Pools nobody made a position in through the position manager: so many are looked for in the logs at most. */
const MOST_SEARCHES = 4;

/** Reads pools of Uniswap v4 by their numbers, all at `block`: keys, state, bitmap, ticks; four questions for all together. */
export async function readV4Pools(
  reader: EvmReader,
  row: Exchange,
  ids: readonly Hex[],
  block: number,
  ask: Ask,
  keep: (address: string, reading: PoolReading | string) => void,
  signal?: AbortSignal,
): Promise<({ readonly ok: false } & ChainFault) | null> {
  const kept = await ask(ids, (id) => [keyCall(id, row)]);
  if (!kept.ok) return kept;
  const keys: V4Key[] = [];
  let searches = 0;
  for (const [index, id] of ids.entries()) {
    let key = readKey(id, row, kept.value[index]?.[0] ?? null);
    let why = 'the position manager does not know its key, and the logs were not searched';
    if (key === null && searches < MOST_SEARCHES) {
      searches += 1;
      const found = await searchKey(reader, row, id, block, signal);
      if (!found.ok && found.reason === 'cancelled') return found;
      key = found.ok ? found.value : null;
      why = found.ok
        ? 'nobody ever made it'
        : `the position manager does not know its key, nor gave the node its logs: ${found.detail}`;
    }
    if (key === null) keep(id, why);
    else keys.push(key);
  }
  const told = await ask(keys, v4StateCalls);
  if (!told.ok) return told;
  const states: V4State[] = [];
  for (const [index, key] of keys.entries()) {
    const state = readV4State(key, told.value[index] ?? []);
    if (typeof state === 'string') keep(key.id, state);
    else states.push(state);
  }
  const bitmaps = await ask(states, v4BitmapCalls);
  if (!bitmaps.ok) return bitmaps;
  const ticked: { readonly state: V4State; readonly ticks: readonly number[] }[] = [];
  for (const [index, state] of states.entries()) {
    const ticks = ticksOf(state, bitmaps.value[index] ?? []);
    if (typeof ticks === 'string') keep(state.key.id, ticks);
    else ticked.push({ state, ticks });
  }
  const nets = await ask(ticked, ({ state, ticks }) => v4TickCalls(state, ticks));
  if (!nets.ok) return nets;
  for (const [index, { state, ticks }] of ticked.entries())
    keep(state.key.id, readV4Pool(state, ticks, nets.value[index] ?? [], block));
  return null;
}

/** The log of a pool's making; many nodes refuse to look through all blocks, which is no fault of the pool. */
async function searchKey(
  reader: EvmReader,
  row: Exchange,
  id: Hex,
  block: number,
  signal: AbortSignal | undefined,
): Promise<Result<V4Key | null, ChainFault>> {
  const query = { address: row.factory, topics: [INITIALIZE, id], fromBlock: 0, toBlock: block };
  const logs = await reader.logs(query, signal);
  if (!logs.ok) return logs;
  const [log] = logs.value;
  return { ok: true, value: log === undefined ? null : readInitialize(id, row, log.topics, log.data) };
}
