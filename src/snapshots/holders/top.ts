import { type BalanceChunk, type BalanceTable, balanceAt, balanceNear } from './balance-table.ts';

export interface TopHolder {
  readonly address: string;
  readonly balance: bigint;
}

/** The `most` largest holders, largest first; equal balances by address ascending, so that the list is always the same. */
export function topHolders(table: BalanceTable, most: number): readonly TopHolder[] {
  // A floor that rises keeps nearly all of ten million owners from being looked at twice.
  let floor = -1;
  let kept: { readonly chunk: BalanceChunk; readonly index: number; readonly near: number }[] = [];
  const shrink = () => {
    kept.sort((a, b) => b.near - a.near);
    const last = kept[most - 1];
    if (last === undefined) return;
    floor = last.near;
    // Equals of the last one stay: the address decides among them.
    kept = kept.filter((row) => row.near >= floor);
  };
  let limit = Math.max(2 * most, 256);
  for (const chunk of table.chunks) {
    for (let index = 0; index < chunk.count; index += 1) {
      const near = balanceNear(chunk, index, table.form.words);
      if (near < floor) continue;
      kept.push({ chunk, index, near });
      if (kept.length >= limit) {
        shrink();
        limit = Math.max(limit, 2 * kept.length);
      }
    }
  }
  shrink();
  const { form } = table;
  return kept
    .map(({ chunk, index }) => ({
      key: chunk.keys.subarray(index * form.keyBytes, (index + 1) * form.keyBytes),
      balance: balanceAt(chunk, index, form.words),
    }))
    .sort((a, b) => (a.balance > b.balance ? -1 : a.balance < b.balance ? 1 : form.compare(a.key, b.key)))
    .slice(0, most)
    .map(({ key, balance }) => ({ address: form.addressOf(key), balance }));
}
