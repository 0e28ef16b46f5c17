import type { Hex } from '../../../chains/codecs/abi.ts';
import { addressAt, callData, uintAt } from '../../../chains/codecs/abi.ts';
import type { EvmCall } from '../../../chains/codecs/multicall.ts';
import {
  FEE,
  GET_RESERVES,
  GLOBAL_STATE,
  type PoolShape,
  SLOT0,
  TICK_SPACING,
} from '../../../chains/decoders/evm-pools/pool-shape.ts';
import type { ContractForm, Exchange } from '../../../chains/exchanges.ts';
import type { ChainFault } from '../../../chains/fault.ts';
import type { Result } from '../../../domain/result.ts';
import type { EvmReader } from '../types.ts';

export interface Shapes {
  readonly block: number;
  readonly shapes: readonly PoolShape[];
  /** What is neither a pool of two reserves nor one of ticks. */
  readonly others: readonly Hex[];
}

const FACTORY: Hex = '0xc45a0155';
const TOKEN0: Hex = '0x0dfe1681';
const TOKEN1: Hex = '0xd21220a7';
const GET_PAIR: Hex = '0xe6a43905';
const GET_POOL: Hex = '0x1698ee82';
const GET_POOL_BY_SPACING: Hex = '0x28af8d0b';
const POOL_BY_PAIR: Hex = '0xd9a641e1';
const STABLE: Hex = '0x22be3de1';
const GET_SOLIDLY_POOL: Hex = '0x79bc57d5';
const QUESTIONS: readonly Hex[] = [
  FACTORY,
  TOKEN0,
  TOKEN1,
  GET_RESERVES,
  SLOT0,
  FEE,
  STABLE,
  GLOBAL_STATE,
  TICK_SPACING,
];

/** Asks each address what it is; then asks known factories whether the pool is theirs, because a fake pair names any factory. */
export async function shapesOf(
  reader: EvmReader,
  dexes: readonly Exchange[],
  addresses: readonly Hex[],
  signal?: AbortSignal,
): Promise<Result<Shapes, ChainFault>> {
  const asked = addresses.flatMap((to) => QUESTIONS.map((data): EvmCall => ({ to, data })));
  const told = await reader.calls(asked, 'latest', signal);
  if (!told.ok) return told;
  const { block, results } = told.value;
  const others: Hex[] = [];
  const claims: { shape: Omit<PoolShape, 'dex' | 'notes'>; row: Exchange | null; choice: Choice }[] = [];
  for (const [index, address] of addresses.entries()) {
    const [factory, token0, token1, reserves, slot0, fee, stable, globalState, spacing] = results.slice(
      index * QUESTIONS.length,
    );
    const made = factory ? addressAt(factory, 0) : null;
    const [first, second] = [token0 ? addressAt(token0, 0) : null, token1 ? addressAt(token1, 0) : null];
    const row = dexes.find((dex) => dex.factory === made) ?? null;
    const form = formOf({ reserves, slot0, stable, globalState }, row);
    if (form === null || first === null || second === null || made === null) others.push(address);
    else
      claims.push({
        shape: {
          address,
          form,
          token0: first,
          token1: second,
          factory: made,
          stable: stable ? uintAt(stable, 0) === 1n : false,
        },
        row,
        choice: { fee: fee ? uintAt(fee, 0) : null, tickSpacing: spacing ? uintAt(spacing, 0) : null },
      });
  }
  const vouchers = claims.map(({ shape, choice }) => voucherOf(shape, choice));
  const vouched = await reader.calls(vouchers, block, signal);
  if (!vouched.ok) return vouched;
  const shapes = claims.map(({ shape, row }, index): PoolShape => {
    const known = vouched.value.results[index];
    const isTheirs = known !== null && known !== undefined && addressAt(known, 0) === shape.address;
    if (row === null) return { ...shape, dex: null, notes: ['its factory is not a known one'] };
    if (row.form !== shape.form || !isTheirs)
      return { ...shape, dex: null, notes: [`it names the factory of ${row.protocol}, which does not know it`] };
    return { ...shape, dex: row, notes: [] };
  });
  return { ok: true, value: { block, shapes, others } };
}

/** What a factory keeps its pools by, besides their tokens. */
interface Choice {
  readonly fee: bigint | null;
  readonly tickSpacing: bigint | null;
}

type Answer = Hex | null | undefined;

function formOf(
  told: { readonly reserves: Answer; readonly slot0: Answer; readonly stable: Answer; readonly globalState: Answer },
  row: Exchange | null,
): ContractForm | null {
  if (told.reserves) return told.stable ? 'solidly' : 'uniswap_v2';
  // Slipstream differs in its factory alone, as far as reading goes.
  if (told.slot0) return row?.form === 'slipstream' ? 'slipstream' : 'uniswap_v3';
  return told.globalState ? 'algebra' : null;
}

/** The question to its factory whose answer is the pool itself, if it is theirs. */
function voucherOf(shape: Omit<PoolShape, 'dex' | 'notes'>, { fee, tickSpacing }: Choice): EvmCall {
  const { factory, form, token0, token1, stable } = shape;
  const data = {
    uniswap_v2: () => callData(GET_PAIR, token0, token1),
    uniswap_v3: () => callData(GET_POOL, token0, token1, fee ?? 0n),
    slipstream: () => callData(GET_POOL_BY_SPACING, token0, token1, tickSpacing ?? 0n),
    algebra: () => callData(POOL_BY_PAIR, token0, token1),
    solidly: () => callData(GET_SOLIDLY_POOL, token0, token1, stable ? 1n : 0n),
  }[form]();
  return { to: factory, data };
}
