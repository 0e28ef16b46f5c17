import {
  BOOK_CALLS,
  type BookClaim,
  bitmapCalls,
  bookCalls,
  type ChainFault,
  CURVE_CALLS,
  type CurveClaim,
  curveCalls,
  type EvmCall,
  type Exchange,
  type Hex,
  INITIALIZE,
  keyCall,
  type PoolReading,
  type PoolShape,
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
  SHAPE_CALLS,
  type ShapeClaim,
  shapeClaim,
  solidlyCalls,
  stateCalls,
  tickCalls,
  ticksOf,
  type V4Key,
  v4BitmapCalls,
  v4StateCalls,
  v4TickCalls,
  vouchedShape,
  voucherOf,
} from '../../chains/index.ts';
import { ok, type Result } from '../../domain/index.ts';
import type { EvmReader } from './reader.ts';

export interface EvmPools {
  readonly readings: readonly PoolReading[];
  /** Pools that could not be read, with the reason. */
  readonly failures: readonly { readonly address: string; readonly detail: string }[];
}

const ADDRESS = /^0x[0-9a-f]{40}$/;
const NUMBER = /^0x[0-9a-f]{64}$/;

/** One read of pools, all at one block. */
interface Pass {
  readonly reader: EvmReader;
  readonly dexes: readonly Exchange[];
  readonly block: number;
  readonly signal: AbortSignal | undefined;
  /** Stores a reading, or the reason why there is none. */
  readonly keep: (address: string, reading: PoolReading | string) => void;
}

type Fault = Extract<Result<never, ChainFault>, { readonly ok: false }> | null;

/**
 * Reads pools of a chain (`dexes`: its known factories), all at one block; of pools with more than two coins the pair
 * with `asset`. A call that fails as a whole is a fault; a single pool that cannot be read is a failure.
 */
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
  const keep: Pass['keep'] = (address, reading) => {
    if (typeof reading === 'string') failures.push({ address, detail: reading });
    else readings.push(reading);
  };
  for (const address of wanted)
    if (!ADDRESS.test(address) && !NUMBER.test(address)) keep(address, 'neither a contract nor a number of a pool');
  const found = await shapesOf(reader, dexes, contracts, signal);
  if (!found.ok) return found;
  const { block, shapes, others } = found.value;
  const pass = { reader, dexes, block, signal, keep };
  const failed =
    (await readPairs(pass, shapes)) ??
    (await readRanged(pass, shapes)) ??
    (await readOthers(pass, others, asset)) ??
    (await readNumbers(pass, numbers));
  return failed ?? ok({ readings, failures });
}

/**
 * One step for many pools, in as few calls as possible: the values that `read` returns for the results of each item, in
 * order. Items for which it returns text are stored as failures and left out.
 */
async function step<Item, Read extends object>(
  { reader, block, signal, keep }: Pass,
  items: readonly Item[],
  addressOf: (item: Item) => string,
  calls: (item: Item) => readonly EvmCall[],
  read: (item: Item, answers: readonly (Hex | null)[]) => Read | string,
): Promise<Result<readonly Read[], ChainFault>> {
  const lists = items.map(calls);
  const reply = await reader.calls(lists.flat(), block, signal);
  if (!reply.ok) return reply;
  const found: Read[] = [];
  let at = 0;
  for (const [index, item] of items.entries()) {
    const count = lists[index]?.length ?? 0;
    const value = read(item, reply.value.results.slice(at, at + count));
    at += count;
    if (typeof value === 'string') keep(addressOf(item), value);
    else found.push(value);
  }
  return ok(found);
}

/** The last step: its values are the readings. */
async function finish<Item>(
  pass: Pass,
  items: readonly Item[],
  addressOf: (item: Item) => string,
  calls: (item: Item) => readonly EvmCall[],
  read: (item: Item, answers: readonly (Hex | null)[]) => PoolReading | string,
): Promise<Fault> {
  const readings = await step(pass, items, addressOf, calls, read);
  if (!readings.ok) return readings;
  for (const reading of readings.value) pass.keep(reading.address, reading);
  return null;
}

interface Shapes {
  readonly block: number;
  readonly shapes: readonly PoolShape[];
  /** Contracts that are neither a pool of two reserves nor one of ticks. */
  readonly others: readonly Hex[];
}

/** Reads the kind of each address, and whether its factory confirms it, because a fake pair can name any factory. */
async function shapesOf(
  reader: EvmReader,
  dexes: readonly Exchange[],
  addresses: readonly Hex[],
  signal?: AbortSignal,
): Promise<Result<Shapes, ChainFault>> {
  const asked = addresses.flatMap((to) => SHAPE_CALLS.map((data): EvmCall => ({ to, data })));
  const told = await reader.calls(asked, 'latest', signal);
  if (!told.ok) return told;
  const { block, results } = told.value;
  const others: Hex[] = [];
  const claims: ShapeClaim[] = [];
  for (const [index, address] of addresses.entries()) {
    const at = index * SHAPE_CALLS.length;
    const claim = shapeClaim(address, results.slice(at, at + SHAPE_CALLS.length), dexes);
    if (claim === null) others.push(address);
    else claims.push(claim);
  }
  const vouched = await reader.calls(claims.map(voucherOf), block, signal);
  if (!vouched.ok) return vouched;
  return ok({ block, shapes: claims.map((claim, index) => vouchedShape(claim, vouched.value.results[index])), others });
}

async function readPairs(pass: Pass, shapes: readonly PoolShape[]): Promise<Fault> {
  const of = (form: PoolShape['form']) => shapes.filter((shape) => shape.form === form);
  const addressOf = (shape: PoolShape) => shape.address;
  const { block } = pass;
  return (
    (await finish(pass, of('uniswap_v2'), addressOf, pairCalls, (shape, told) => readPair(shape, told, block))) ??
    finish(pass, of('solidly'), addressOf, solidlyCalls, (shape, told) => readSolidly(shape, told, block))
  );
}

/** How pools with ticks of one form are read. */
interface Ticked<Pool, State> {
  readonly addressOf: (pool: Pool) => string;
  readonly poolOf: (state: State) => Pool;
  readonly stateCalls: (pool: Pool) => readonly EvmCall[];
  readonly readState: (pool: Pool, answers: readonly (Hex | null)[]) => State | string;
  readonly bitmapCalls: (state: State) => readonly EvmCall[];
  readonly tickCalls: (state: State, ticks: readonly number[]) => readonly EvmCall[];
  readonly readPool: (
    state: State,
    ticks: readonly number[],
    answers: readonly (Hex | null)[],
    block: number,
  ) => PoolReading | string;
}

/** Reads the state, then the bitmap around the price, then the ticks in it: three steps for all pools together. */
async function readTicked<Pool, State extends Parameters<typeof ticksOf>[0]>(
  pass: Pass,
  pools: readonly Pool[],
  form: Ticked<Pool, State>,
): Promise<Fault> {
  const states = await step(pass, pools, form.addressOf, form.stateCalls, form.readState);
  if (!states.ok) return states;
  const addressOf = (state: State) => form.addressOf(form.poolOf(state));
  const ticked = await step(pass, states.value, addressOf, form.bitmapCalls, (state, answers) => {
    const ticks = ticksOf(state, answers);
    return typeof ticks === 'string' ? ticks : { state, ticks };
  });
  if (!ticked.ok) return ticked;
  return finish(
    pass,
    ticked.value,
    ({ state }) => addressOf(state),
    ({ state, ticks }) => form.tickCalls(state, ticks),
    ({ state, ticks }, answers) => form.readPool(state, ticks, answers, pass.block),
  );
}

function readRanged(pass: Pass, shapes: readonly PoolShape[]): Promise<Fault> {
  const ranged = shapes.filter(({ form }) => form === 'uniswap_v3' || form === 'slipstream' || form === 'algebra');
  return readTicked(pass, ranged, {
    addressOf: (shape) => shape.address,
    poolOf: (state) => state.shape,
    stateCalls,
    readState,
    bitmapCalls,
    tickCalls,
    readPool,
  });
}

/** Reads other pools: pairs of the Liquidity Book and stable pools of Curve. */
async function readOthers(pass: Pass, addresses: readonly Hex[], asset: string | null): Promise<Fault> {
  if (addresses.length === 0) return null;
  const { reader, dexes, block, signal } = pass;
  const books: BookClaim[] = [];
  const curves: CurveClaim[] = [];
  const claimed = await step(
    pass,
    addresses,
    (address) => address,
    (to) => [...BOOK_CALLS, ...CURVE_CALLS].map((data) => ({ to, data })),
    (address, answers) => {
      const book = readClaim(address, answers);
      const curve = book === null ? readCurveClaim(address, answers.slice(BOOK_CALLS.length), asset) : null;
      if (book !== null) books.push(book);
      else if (curve !== null) curves.push(curve);
      return book ?? curve ?? 'no pool of a kind that can be read';
    },
  );
  if (!claimed.ok) return claimed;
  const addressOf = (claim: BookClaim | CurveClaim) => claim.address;
  const rows = dexes.filter((dex) => dex.form === 'curve');
  const failed = await finish(
    pass,
    curves,
    addressOf,
    (claim) => curveCalls(claim, rows),
    (claim, answers) => readCurve(claim, rows, answers, block),
  );
  if (failed !== null || books.length === 0) return failed;
  const now = await reader.block(block, signal);
  if (!now.ok) return now;
  return finish(pass, books, addressOf, bookCalls, (claim, answers) => {
    const row = dexes.find((dex) => dex.form === 'liquidity_book' && dex.factory === claim.factory) ?? null;
    return readBook(claim, row, answers, block, now.value.timestamp);
  });
}

/**
 * Limit of pools whose keys are searched for in the logs: those without a position made through the position manager.
 */
const MOST_SEARCHES = 4;

/** Reads pools of Uniswap v4 by their ids: first their keys, then like other pools with ticks. */
async function readNumbers(pass: Pass, ids: readonly Hex[]): Promise<Fault> {
  if (ids.length === 0) return null;
  const { reader, dexes, block, signal, keep } = pass;
  const row = dexes.find((dex) => dex.form === 'uniswap_v4');
  if (row === undefined) {
    for (const id of ids) keep(id, 'no exchange of this chain that is known here names its pools by numbers');
    return null;
  }
  const kept = await reader.calls(
    ids.map((id) => keyCall(id, row)),
    block,
    signal,
  );
  if (!kept.ok) return kept;
  const keys: V4Key[] = [];
  let searches = 0;
  for (const [index, id] of ids.entries()) {
    let key = readKey(id, row, kept.value.results[index] ?? null);
    let why = 'the position manager does not know its key, and the logs were not searched';
    if (key === null && searches < MOST_SEARCHES) {
      searches += 1;
      const found = await searchKey(pass, row, id);
      if (!found.ok && found.reason === 'cancelled') return found;
      key = found.ok ? found.value : null;
      why = found.ok
        ? 'nobody ever made it'
        : `the position manager does not know its key, nor gave the node its logs: ${found.detail}`;
    }
    if (key === null) keep(id, why);
    else keys.push(key);
  }
  return readTicked(pass, keys, {
    addressOf: (key) => key.id,
    poolOf: (state) => state.key,
    stateCalls: v4StateCalls,
    readState: readV4State,
    bitmapCalls: v4BitmapCalls,
    tickCalls: v4TickCalls,
    readPool: readV4Pool,
  });
}

/**
 * The key from the log of a pool's creation; many nodes refuse to search all blocks, which is not a fault of the pool.
 */
async function searchKey(
  { reader, block, signal }: Pass,
  row: Exchange,
  id: Hex,
): Promise<Result<V4Key | null, ChainFault>> {
  const query = { address: row.factory, topics: [INITIALIZE, id], fromBlock: 0, toBlock: block };
  const logs = await reader.logs(query, signal);
  if (!logs.ok) return logs;
  const [log] = logs.value;
  return ok(log === undefined ? null : readInitialize(id, row, log.topics, log.data));
}
