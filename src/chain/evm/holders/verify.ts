import type { Result } from '../../../domain/result.ts';
import type { ChainFault } from '../../fault.ts';
import { topHolders } from '../../holders/top.ts';
import { type Erc20, readBalances, readErc20 } from '../token.ts';
import type { EvmReader, Hex } from '../types.ts';
import { type Ledger, tableOf } from './ledger.ts';

export interface Verified {
  readonly token: Erc20;
  readonly table: ReturnType<typeof tableOf>['table'];
  /** Owners whose balance by the token's own word is another one: rebasing, a fee on transfer, or logs left out. */
  readonly mismatches: number;
  readonly checked: number;
  readonly warnings: readonly string[];
}

const CHECKED = 100;

/** Compares a ledger with the token's own words at the same block: its supply is given, its largest balances are read again. */
export async function verifyLedger(
  reader: EvmReader,
  ledger: Ledger,
  signal?: AbortSignal,
): Promise<Result<Verified, ChainFault>> {
  const block = ledger.newest?.number ?? ledger.from;
  const token = await readErc20(reader, ledger.token, block, signal);
  if (!token.ok) return token;
  const { table, hasHoles } = tableOf(ledger);
  const top = topHolders(table, CHECKED);
  const read = await readBalances(
    reader,
    ledger.token,
    top.map((holder) => holder.address as Hex),
    block,
    signal,
  );
  if (!read.ok) return read;
  const mismatches = top.filter(
    (holder, index) => read.value[index] !== null && read.value[index] !== holder.balance,
  ).length;
  const warnings = [
    ...(hasHoles ? ['some owner sent more than it had received: transfers are missing from the logs'] : []),
    ...(mismatches > 0
      ? [
          `${mismatches} of the ${top.length} largest balances are not what the transfers say: the token rebases, takes a fee, or logs are missing`,
        ]
      : []),
  ];
  return { ok: true, value: { token: token.value, table, mismatches, checked: top.length, warnings } };
}
