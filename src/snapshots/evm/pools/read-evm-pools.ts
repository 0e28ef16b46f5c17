import type { ChainFault, Exchange, Hex, PoolReading, PoolShape } from '../../../chains/index.ts';
import {
  bitmapCalls,
  type PoolState,
  pairCalls,
  readPair,
  readPool,
  readSolidly,
  readState,
  solidlyCalls,
  stateCalls,
  tickCalls,
  ticksOf,
} from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import type { EvmReader } from '../types.ts';
import { type Ask, askingAt } from './ask-each.ts';
import { readOtherPools } from './read-other-pools.ts';
import { readV4Pools } from './read-v4-pools.ts';
import { shapesOf } from './shape.ts';

export interface EvmPools {
  readonly readings: readonly PoolReading[];
  /** Pools that could not be read, with why. */
  readonly failures: readonly { readonly address: string; readonly detail: string }[];
}

const ADDRESS = /^0x[0-9a-f]{40}$/;
const NUMBER = /^0x[0-9a-f]{64}$/;
type Keep = (address: string, reading: PoolReading | string) => void;

/** Reads pools of a chain (`dexes`: the factories that are known there), all of them at one block; of those with more than two coins the pair of `asset`. A call that fails as a whole is a fault; one bad pool is a failure. */
export async function readEvmPools(
  reader: EvmReader,
  dexes: readonly Exchange[],
  addresses: readonly string[],
  asset: string | null = null,
  signal?: AbortSignal,
): Promise<Result<EvmPools, ChainFault>> {
  const wanted = [...new Set(addresses.map((address) => address.toLowerCase()))];
  const contracts = wanted.filter((address): address is Hex => ADDRESS.test(address));
  const numbers = wanted.filter((address): address is Hex => NUMBER.test(address));
  const readings: PoolReading[] = [];
  const failures: { address: string; detail: string }[] = [];
  const keep: Keep = (address, reading) => {
    if (typeof reading === 'string') failures.push({ address, detail: reading });
    else readings.push(reading);
  };
  for (const address of wanted)
    if (!ADDRESS.test(address) && !NUMBER.test(address)) keep(address, 'neither a contract nor a number of a pool');
  const found = await shapesOf(reader, dexes, contracts, signal);
  if (!found.ok) return found;
  const { block, shapes, others } = found.value;
  const ask = askingAt(reader, block, signal);
  const fault =
    (await readPairs(shapes, ask, keep, block)) ??
    (await readRanged(shapes, ask, keep, block)) ??
    (await readOtherPools(reader, dexes, others, asset, block, ask, keep, signal)) ??
    (await readNumbers(reader, dexes, numbers, ask, keep, block, signal));
  return fault ?? { ok: true, value: { readings, failures } };
}

type Fault = ({ readonly ok: false } & ChainFault) | null;

async function readPairs(shapes: readonly PoolShape[], ask: Ask, keep: Keep, block: number): Promise<Fault> {
  const pairs = shapes.filter((shape) => shape.form === 'uniswap_v2');
  const told = await ask(pairs, pairCalls);
  if (!told.ok) return told;
  for (const [index, shape] of pairs.entries()) keep(shape.address, readPair(shape, told.value[index] ?? [], block));
  const solidly = shapes.filter((shape) => shape.form === 'solidly');
  const answered = await ask(solidly, solidlyCalls);
  if (!answered.ok) return answered;
  for (const [index, shape] of solidly.entries())
    keep(shape.address, readSolidly(shape, answered.value[index] ?? [], block));
  return null;
}

/** State, then the bitmap around the price, then the ticks it names: three questions for all pools together. */
async function readRanged(all: readonly PoolShape[], ask: Ask, keep: Keep, block: number): Promise<Fault> {
  const shapes = all.filter(({ form }) => form === 'uniswap_v3' || form === 'slipstream' || form === 'algebra');
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

async function readNumbers(
  reader: EvmReader,
  dexes: readonly Exchange[],
  numbers: readonly Hex[],
  ask: Ask,
  keep: Keep,
  block: number,
  signal: AbortSignal | undefined,
): Promise<Fault> {
  if (numbers.length === 0) return null;
  const row = dexes.find((dex) => dex.form === 'uniswap_v4');
  if (row !== undefined) return readV4Pools(reader, row, numbers, block, ask, keep, signal);
  for (const id of numbers) keep(id, 'no exchange of this chain that is known here names its pools by numbers');
  return null;
}
