import type { ChainFault, EvmCall, Exchange, Hex } from '../../../chains/index.ts';
import {
  type PoolShape,
  SHAPE_QUESTIONS,
  type ShapeClaim,
  shapeClaim,
  vouchedShape,
  voucherOf,
} from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import type { EvmReader } from '../types.ts';

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
