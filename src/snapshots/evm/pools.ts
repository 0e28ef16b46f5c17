import {
  BOOK_QUESTIONS,
  type BookClaim,
  bitmapCalls,
  bookCalls,
  type ChainFault,
  CURVE_QUESTIONS,
  type CurveClaim,
  curveCalls,
  type EvmCall,
  type Exchange,
  type Hex,
  INITIALIZE,
  keyCall,
  type PoolReading,
  type PoolShape,
  type PoolState,
  pairCalls,
  readBook,
  readClaim,
  readCurve,
  readCurveClaim,
  readInitialize,
  readKey,
  readPair,
  readPool,
  readSolidly,
  readState,
  readV4Pool,
  readV4State,
  SHAPE_QUESTIONS,
  type ShapeClaim,
  shapeClaim,
  solidlyCalls,
  stateCalls,
  tickCalls,
  ticksOf,
  type V4Key,
  type V4State,
  v4BitmapCalls,
  v4StateCalls,
  v4TickCalls,
  vouchedShape,
  voucherOf,
} from '../../chains/index.ts';
import type { Result } from '../../domain/index.ts';
import type { EvmReader } from './reader.ts';

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

/** Asks the same of many things together; answers come per thing, in order. */
export type Ask = <Item>(
  items: readonly Item[],
  calls: (item: Item) => readonly EvmCall[],
) => Promise<Result<readonly (readonly (Hex | null)[])[], ChainFault>>;

/** All calls of all items in as few requests as they fit, at one block. */
export function askingAt(reader: EvmReader, block: number, signal?: AbortSignal): Ask {
  return async (items, calls) => {
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
  };
}

export interface Shapes {
  readonly block: number;
  readonly shapes: readonly PoolShape[];
  /** What is neither a pool of two reserves nor one of ticks. */
  readonly others: readonly Hex[];
}

/** Asks each address what it is; then asks known factories whether the pool is theirs, because a fake pair names any factory. */
export async function shapesOf(
  reader: EvmReader,
  dexes: readonly Exchange[],
  addresses: readonly Hex[],
  signal?: AbortSignal,
): Promise<Result<Shapes, ChainFault>> {
  const asked = addresses.flatMap((to) => SHAPE_QUESTIONS.map((data): EvmCall => ({ to, data })));
  const told = await reader.calls(asked, 'latest', signal);
  if (!told.ok) return told;
  const { block, results } = told.value;
  const others: Hex[] = [];
  const claims: ShapeClaim[] = [];
  for (const [index, address] of addresses.entries()) {
    const at = index * SHAPE_QUESTIONS.length;
    const claim = shapeClaim(address, results.slice(at, at + SHAPE_QUESTIONS.length), dexes);
    if (claim === null) others.push(address);
    else claims.push(claim);
  }
  const vouched = await reader.calls(claims.map(voucherOf), block, signal);
  if (!vouched.ok) return vouched;
  const shapes = claims.map((claim, index) => vouchedShape(claim, vouched.value.results[index]));
  return { ok: true, value: { block, shapes, others } };
}

/** Reads what is no pool of two reserves or of ticks: pairs of the Liquidity Book and stable pools of Curve, all at `block`. */
export async function readOtherPools(
  reader: EvmReader,
  dexes: readonly Exchange[],
  addresses: readonly Hex[],
  asset: string | null,
  block: number,
  ask: Ask,
  keep: (address: string, reading: PoolReading | string) => void,
  signal?: AbortSignal,
): Promise<({ readonly ok: false } & ChainFault) | null> {
  if (addresses.length === 0) return null;
  const told = await ask(addresses, (to) => [...BOOK_QUESTIONS, ...CURVE_QUESTIONS].map((data) => ({ to, data })));
  if (!told.ok) return told;
  const books: BookClaim[] = [];
  const curves: CurveClaim[] = [];
  for (const [index, address] of addresses.entries()) {
    const answers = told.value[index] ?? [];
    const book = readClaim(address, answers);
    const curve = book === null ? readCurveClaim(address, answers.slice(BOOK_QUESTIONS.length), asset) : null;
    if (book !== null) books.push(book);
    else if (curve !== null) curves.push(curve);
    else keep(address, 'no pool of a kind that can be read');
  }
  const rows = dexes.filter((dex) => dex.form === 'curve');
  const answered = await ask(curves, (claim) => curveCalls(claim, rows));
  if (!answered.ok) return answered;
  for (const [index, claim] of curves.entries())
    keep(claim.address, readCurve(claim, rows, answered.value[index] ?? [], block));
  if (books.length === 0) return null;
  const now = await reader.block(block, signal);
  if (!now.ok) return now;
  const binned = await ask(books, bookCalls);
  if (!binned.ok) return binned;
  for (const [index, claim] of books.entries()) {
    const row = dexes.find((dex) => dex.form === 'liquidity_book' && dex.factory === claim.factory) ?? null;
    keep(claim.address, readBook(claim, row, binned.value[index] ?? [], block, now.value.timestamp));
  }
  return null;
}

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
