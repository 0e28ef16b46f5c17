import type { Exchange, PoolReading } from '../../chains/index.ts';
import {
  archivePool,
  type EvmCall,
  type Hex,
  intAt,
  MULTICALL3,
  pairCalls,
  readPair,
  readPool,
  readSolidly,
  readState,
  SHAPE_CALLS,
  type ShapeClaim,
  SLOT0_AT,
  shapeClaim,
  solidlyCalls,
  stateCalls,
  tickCalls,
  uintAt,
  vouchedShape,
  voucherOf,
} from '../../chains/index.ts';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import { poolScope } from '../../domain/index.ts';
import { multicallEndpoint, type Returned } from '../json-rpc.ts';
import { learnedPools } from '../plans.ts';
import { fieldsOf, listIn, readRaw, textsIn } from '../read.ts';
import type { Facts, Params } from '../source.ts';
import { chainOfBase, evmChainOf, tokenAtEach } from './operators.ts';

const LEARNED = 'evm_rpc.pools.';
const ADDRESS = /^0x[0-9a-f]{40}$/;
/** getBlockNumber() of Multicall3, because `eth_call` does not state the block of its result. */
const BLOCK_NUMBER: EvmCall = { to: MULTICALL3, data: '0x42cbb15c' };
/** Ticks read on each side of the price: 1.0001^560 is 5.8 %. */
const TICKS_EACH_SIDE = 560;
/** Maximum number of tick calls in one request. A pool with too many ticks to fit keeps the estimated depth. */
const MOST_TICKS = 600;
/** Pools that are read: those with two reserves, and those with ticks at multiples of the spacing. */
const FORMS: ReadonlySet<unknown> = new Set(['uniswap_v2', 'solidly', 'uniswap_v3', 'slipstream']);

/**
 * Params `{base, token, pools}`. Observes nothing. Finds which pools hold the token, and the kind and exchange that each claims. Learns
 * these claims under `evm_rpc.pools.<first pool>`; `pool_states` plans its calls from them.
 */
export const poolShapesEndpoint = multicallEndpoint({
  name: 'pool_shapes',
  doc: 'One aggregate3 to the largest pools that an index names: factory, tokens, kind, price. Getters of Uniswap v2 and v3 and Solidly; checked on contracts that were run.',
  critical: true,
  plan: (facts) =>
    atFirst(
      facts,
      learnedPools(facts).map((list) => list.filter((pool) => ADDRESS.test(pool))),
    ),
  calls: (params) => addressesOf(params.pools).flatMap((to) => SHAPE_CALLS.map((data) => ({ to, data }))),
  read: (answers) => answers,
  learn: (answers, params): Readonly<Record<string, Json>> => {
    const claims = addressesOf(params.pools).flatMap((address, index) => {
      const own = answers.slice(index * SHAPE_CALLS.length, (index + 1) * SHAPE_CALLS.length);
      const claim = shapeClaim(address, own, exchangesOf(params));
      return claim !== null && isWanted(claim, params) ? [claimJson(claim, own[SLOT0_AT] ?? null)] : [];
    });
    const [first] = claims;
    return first === undefined ? {} : { [`${LEARNED}${first.address}`]: claims };
  },
});

/** Params `{base, token, pools}`, each pool with its claim: the factory's confirmation and the pool's state, all in one block. */
export const poolStatesEndpoint = multicallEndpoint({
  name: 'pool_states',
  doc: 'One aggregate3 to pools, their factories and tokens: reserves, or price, liquidity and every tick within 5 % of the price. Exact as far as it was read. Decoders: src/chains/decoders/evm-pools.',
  critical: true,
  plan: (facts) =>
    atFirst(
      facts,
      Object.entries(facts.learned).flatMap(([name, pools]) => (name.startsWith(LEARNED) ? [listIn(pools)] : [])),
    ),
  calls: (params) => [BLOCK_NUMBER, ...poolReadsOf(params).flatMap(({ calls }) => calls)],
  read: (answers) => answers,
  observe: (answers, params) => {
    const block = Number(uintAt(answers[0] ?? '0x', 0) ?? 0n);
    let at = 1;
    return poolReadsOf(params).flatMap(({ claim, calls, read }) => {
      const own = answers.slice(at, at + calls.length);
      at += calls.length;
      return draftsOf(claim, read(own, block), block);
    });
  },
});

/** Params at the first operator for each non-empty list of pools. */
function atFirst(facts: Facts, lists: readonly (readonly Json[])[]): readonly Params[] {
  return tokenAtEach(facts)
    .slice(0, 1)
    .flatMap((params) => lists.filter(({ length }) => length > 0).map((pools) => ({ ...params, pools: [...pools] })));
}

interface PoolRead {
  readonly claim: ShapeClaim;
  readonly calls: readonly EvmCall[];
  readonly read: (answers: Returned, block: number) => PoolReading | string;
}

/** The calls for each pool, the first one to its factory. They depend on the params only, so that an archived reply can be read again. */
function poolReadsOf(params: Params): readonly PoolRead[] {
  let ticksLeft = MOST_TICKS;
  return listIn(params.pools).flatMap((row): readonly PoolRead[] => {
    const found = readClaim(row, params);
    if (found === null) return [];
    const { claim, tick } = found;
    const { form } = claim.shape;
    const claimed = { ...claim.shape, dex: claim.row, notes: [] };
    if (form === 'uniswap_v2' || form === 'solidly') {
      const read = form === 'solidly' ? readSolidly : readPair;
      const calls = form === 'solidly' ? solidlyCalls(claimed) : pairCalls(claimed);
      return [poolRead(claim, calls, (answers, block, shape) => read(shape, answers, block))];
    }
    const spacing = Number(claim.tickSpacing ?? 0n);
    if (tick === null || !(spacing > 0)) return [];
    const ticks = ticksAround(tick, spacing);
    if (ticks.length > ticksLeft) return [];
    ticksLeft -= ticks.length;
    const state = stateCalls(claimed);
    return [
      poolRead(claim, [...state, ...tickCalls({ shape: claimed }, ticks)], (answers, block, shape) => {
        const read = readState(shape, answers.slice(0, state.length));
        if (typeof read === 'string') return read;
        if (read.tickSpacing !== spacing) return 'its tick spacing has changed';
        const span = { lowest: ticks[0] ?? tick, highest: (ticks.at(-1) ?? tick) + spacing - 1 };
        return readPool(read, ticks, answers.slice(state.length), block, span);
      }),
    ];
  });
}

function poolRead(
  claim: ShapeClaim,
  calls: readonly EvmCall[],
  read: (answers: Returned, block: number, shape: ReturnType<typeof vouchedShape>) => PoolReading | string,
): PoolRead {
  return {
    claim,
    calls: [voucherOf(claim), ...calls],
    read: ([voucher, ...answers], block) => {
      const shape = vouchedShape(claim, voucher);
      return shape.dex === null ? 'no known factory or registry confirms it' : read(answers, block, shape);
    },
  };
}

function draftsOf({ shape }: ShapeClaim, reading: PoolReading | string, block: number): readonly ObservationDraft[] {
  const value = typeof reading === 'string' ? null : archivePool(reading);
  if (value === null) return [];
  const scope = poolScope(shape.address);
  return [{ quantity: 'pool_state', scope, value, meaning: `read from the chain at block ${block}` }];
}

/** Only pools that name the token and the factory of a known exchange, because anyone can deploy a contract that returns false values. */
function isWanted({ shape, row }: ShapeClaim, params: Params): boolean {
  return (
    row !== null &&
    row.form === shape.form &&
    FORMS.has(shape.form) &&
    shape.token0 !== shape.token1 &&
    (shape.token0 === params.token || shape.token1 === params.token)
  );
}

function claimJson({ shape, fee, tickSpacing }: ShapeClaim, slot0: Hex | null) {
  const tick = slot0 === null ? null : intAt(slot0, 1, 24);
  return {
    ...shape,
    fee: fee === null ? null : String(fee),
    tickSpacing: tickSpacing === null ? null : String(tickSpacing),
    tick: tick === null ? null : Number(tick),
  };
}

function readClaim(value: Json, params: Params): { readonly claim: ShapeClaim; readonly tick: number | null } | null {
  const row = fieldsOf(value);
  const [address, token0, token1, factory] = [row.address, row.token0, row.token1, row.factory].map((one) =>
    typeof one === 'string' && ADDRESS.test(one) ? (one as Hex) : null,
  );
  const form = row.form;
  if (!address || !token0 || !token1 || !factory || !FORMS.has(form)) return null;
  const claim: ShapeClaim = {
    shape: {
      address,
      form: form as ShapeClaim['shape']['form'],
      token0,
      token1,
      factory,
      stable: row.stable === true,
    },
    row: exchangesOf(params).find((dex) => dex.factory === factory) ?? null,
    fee: readRaw(row.fee),
    tickSpacing: readRaw(row.tickSpacing),
  };
  if (!isWanted(claim, params)) return null;
  return { claim, tick: typeof row.tick === 'number' && Number.isInteger(row.tick) ? row.tick : null };
}

/** Every tick in the range read that may have liquidity. */
function ticksAround(tick: number, spacing: number): readonly number[] {
  const first = Math.floor((tick - TICKS_EACH_SIDE) / spacing);
  const last = Math.ceil((tick + TICKS_EACH_SIDE) / spacing);
  return Array.from({ length: last - first + 1 }, (_, step) => (first + step) * spacing);
}

function exchangesOf(params: Params): readonly Exchange[] {
  return evmChainOf(chainOfBase(params))?.exchanges ?? [];
}

function addressesOf(value: Json | undefined): readonly Hex[] {
  return textsIn(value).filter((one): one is Hex => ADDRESS.test(one));
}
