import type { ChainFault, Hex } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import { topHolders } from '../../holders/top.ts';
import { type Erc20, readBalances, readErc20 } from '../token.ts';
import type { EvmReader } from '../types.ts';
import { type Holdings, tableOf } from './ledger.ts';

export interface Verified {
  readonly token: Erc20;
  readonly table: ReturnType<typeof tableOf>['table'];
  /** Owners whose balance by the token's own word is another one: rebasing, a fee on transfer, or logs left out. */
  readonly mismatches: number;
  /** Owners whose balance the token told. */
  readonly checked: number;
  /** False when the list cannot be taken for complete: balances differ, cannot be checked, or are below zero. */
  readonly holds: boolean;
  readonly warnings: readonly string[];
}

const CHECKED = 100;

/** Compares holdings with the token's own words at the same block: its supply is given, its largest balances are read again. */
export async function verifyHoldings(
  reader: EvmReader,
  holdings: Holdings,
  signal?: AbortSignal,
): Promise<Result<Verified, ChainFault>> {
  const block = holdings.at.number;
  const token = await readErc20(reader, holdings.ledger.token, block, signal);
  if (!token.ok) return token;
  const { table, hasHoles } = tableOf(holdings);
  const top = topHolders(table, CHECKED);
  const read = await readBalances(
    reader,
    holdings.ledger.token,
    top.map((holder) => holder.address as Hex),
    block,
    signal,
  );
  if (!read.ok) return read;
  const told = top.filter((_holder, index) => read.value[index] !== null).length;
  const mismatches = top.filter((holder, index) => {
    const said = read.value[index];
    return said !== null && said !== holder.balance;
  }).length;
  const warnings = [
    ...(hasHoles ? ['some owner sent more than it had received: transfers are missing from the logs'] : []),
    ...(mismatches > 0
      ? [
          `${mismatches} of the ${told} largest balances are not what the transfers say: the token rebases, takes a fee, or logs are missing`,
        ]
      : []),
    ...(told < top.length ? [`the token did not tell ${top.length - told} of the ${top.length} largest balances`] : []),
  ];
  const holds = !hasHoles && mismatches === 0 && told === top.length;
  return { ok: true, value: { token: token.value, table, mismatches, checked: told, holds, warnings } };
}
