import type { ChainFault, Exchange, Hex, PoolReading } from '../../../chains/index.ts';
import {
  BOOK_QUESTIONS,
  type BookClaim,
  bookCalls,
  CURVE_QUESTIONS,
  type CurveClaim,
  curveCalls,
  readBook,
  readClaim,
  readCurve,
  readCurveClaim,
} from '../../../chains/index.ts';
import type { EvmReader } from '../types.ts';
import type { Ask } from './ask-each.ts';

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
