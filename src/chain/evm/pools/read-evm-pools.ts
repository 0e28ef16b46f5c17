import type { Result } from '../../../domain/result.ts';
import type { ChainFault } from '../../fault.ts';
import type { PoolReading } from '../../pools/types.ts';
import type { EvmCall, EvmReader, Hex } from '../types.ts';
import type { DexRow } from './registry.ts';
import { type PoolShape, shapesOf } from './shape.ts';
import { readSolidly, solidlyCalls } from './solidly.ts';
import { pairCalls, readPair } from './uniswap-v2.ts';
import { bitmapCalls, type PoolState, readPool, readState, stateCalls, tickCalls, ticksOf } from './uniswap-v3.ts';

export interface EvmPools {
  readonly readings: readonly PoolReading[];
  /** Pools that could not be read, with why. */
  readonly failures: readonly { readonly address: string; readonly detail: string }[];
}

const ADDRESS = /^0x[0-9a-f]{40}$/;

/** Reads pools of a chain (`dexes`: the factories that are known there), all of them at one block. A call that fails as a whole is a fault; one bad pool is a failure. */
export async function readEvmPools(
  reader: EvmReader,
  dexes: readonly DexRow[],
  addresses: readonly string[],
  signal?: AbortSignal,
): Promise<Result<EvmPools, ChainFault>> {
  const wanted = [...new Set(addresses.map((address) => address.toLowerCase()))];
  const pools = wanted.filter((address): address is Hex => ADDRESS.test(address));
  // Uniswap v4 pools are numbers inside one contract, which holds all their tokens together.
  const others = wanted
    .filter((address) => !ADDRESS.test(address))
    .map((address) => ({ address, detail: 'no contract of its own' }));
  const found = await shapesOf(reader, dexes, pools, signal);
  if (!found.ok) return found;
  const { block, shapes } = found.value;
  const failures = [...others, ...found.value.failures];
  const readings: PoolReading[] = [];
  const keep = (address: string, reading: PoolReading | string) => {
    if (typeof reading === 'string') failures.push({ address, detail: reading });
    else readings.push(reading);
  };
  const ask = <Item>(items: readonly Item[], calls: (item: Item) => readonly EvmCall[]) =>
    askEach(reader, items, calls, block, signal);

  const pairs = shapes.filter((shape) => shape.form === 'uniswap_v2');
  const told = await ask(pairs, pairCalls);
  if (!told.ok) return told;
  for (const [index, shape] of pairs.entries()) keep(shape.address, readPair(shape, told.value[index] ?? [], block));

  const solidly = shapes.filter((shape) => shape.form === 'solidly');
  const answered = await ask(solidly, solidlyCalls);
  if (!answered.ok) return answered;
  for (const [index, shape] of solidly.entries())
    keep(shape.address, readSolidly(shape, answered.value[index] ?? [], block));

  const ranged = await readRanged(
    shapes.filter((shape) => shape.form === 'uniswap_v3'),
    ask,
    keep,
    block,
  );
  return ranged ?? { ok: true, value: { readings, failures } };
}

type Ask = <Item>(
  items: readonly Item[],
  calls: (item: Item) => readonly EvmCall[],
) => Promise<Result<readonly (readonly (Hex | null)[])[], ChainFault>>;

/** State, then the bitmap around the price, then the ticks it names: three questions for all pools together. */
async function readRanged(
  shapes: readonly PoolShape[],
  ask: Ask,
  keep: (address: string, reading: PoolReading | string) => void,
  block: number,
): Promise<({ readonly ok: false } & ChainFault) | null> {
  const told = await ask(shapes, stateCalls);
  if (!told.ok) return told;
  const states: PoolState[] = [];
  for (const [index, shape] of shapes.entries()) {
    const state = readState(shape, told.value[index] ?? []);
    if (typeof state === 'string') keep(shape.address, state);
    else states.push(state);
  }
  const bitmaps = await ask(states, bitmapCalls);
  if (!bitmaps.ok) return bitmaps;
  const ticked: { readonly state: PoolState; readonly ticks: readonly number[] }[] = [];
  for (const [index, state] of states.entries()) {
    const ticks = ticksOf(state, bitmaps.value[index] ?? []);
    if (typeof ticks === 'string') keep(state.shape.address, ticks);
    else ticked.push({ state, ticks });
  }
  const nets = await ask(ticked, ({ state, ticks }) => tickCalls(state, ticks));
  if (!nets.ok) return nets;
  for (const [index, { state, ticks }] of ticked.entries())
    keep(state.shape.address, readPool(state, ticks, nets.value[index] ?? [], block));
  return null;
}

async function askEach<Item>(
  reader: EvmReader,
  items: readonly Item[],
  calls: (item: Item) => readonly EvmCall[],
  block: number,
  signal: AbortSignal | undefined,
): Promise<Result<readonly (readonly (Hex | null)[])[], ChainFault>> {
  const lists = items.map(calls);
  const reply = await reader.calls(lists.flat(), block, signal);
  if (!reply.ok) return reply;
  let at = 0;
  return {
    ok: true,
    value: lists.map((list) => {
      const part = reply.value.results.slice(at, at + list.length);
      at += list.length;
      return part;
    }),
  };
}
