import type { ChainFault } from '../../../chains/index.ts';
import { decodeMint, decodeTokenAccount, KNOWN_DECIMALS, openPool, PUMP } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import type { SolanaReader } from '../../solana/types.ts';
import type { WatchedPool } from '../types.ts';

/** A pool's vaults and who signs for them: the token accounts of its two mints among the accounts that it names. */
export async function watchPool(
  reader: Pick<SolanaReader, 'accounts'>,
  { address, dex, base }: { readonly address: string; readonly dex: string; readonly base: string },
  signal?: AbortSignal,
): Promise<Result<{ readonly pool: WatchedPool; readonly quoteVault: string }, ChainFault>> {
  const first = await reader.accounts([address], signal);
  if (!first.ok) return first;
  const [account] = first.value.accounts;
  if (!account) return { ok: false, reason: 'not_found', detail: 'the pool does not exist any more' };
  // A finished curve hands all it holds to a pool: by its balances alone that would look like a drain.
  if (account.owner === PUMP)
    return {
      ok: false,
      reason: 'refused',
      detail: 'a bonding curve holds nobody’s liquidity; it ends by moving to a pool',
    };
  const opened = openPool(account, [base]);
  if (!opened.ok) return opened;
  const { summary, needs } = opened.value;
  const quote = summary.mints.find((mint) => mint !== base);
  if (quote === undefined || !summary.mints.includes(base))
    return { ok: false, reason: 'not_found', detail: 'the pool does not trade this asset' };
  const read = await reader.accounts([...new Set([...needs, ...summary.mints])], signal);
  if (!read.ok) return read;
  const decimalsOf = (mint: string) => {
    const row = read.value.accounts.find((one) => one?.address === mint);
    return (row ? decodeMint(row.owner, row.data)?.decimals : undefined) ?? KNOWN_DECIMALS.get(mint) ?? null;
  };
  const vaults = read.value.accounts.flatMap((row) => {
    const token = row === null ? null : decodeTokenAccount(row.owner, row.data);
    return row !== null && token !== null && summary.mints.includes(token.mint)
      ? [{ account: row.address, mint: token.mint, owner: token.owner }]
      : [];
  });
  const common = { address, dex, base, baseDecimals: decimalsOf(base) };
  const quoteVault = vaults.find((vault) => vault.mint === quote)?.account;
  if (quoteVault === undefined)
    return { ok: false, reason: 'not_found', detail: 'the account of its quote tokens does not exist any more' };
  const accounts = new Set(vaults.map((vault) => vault.account));
  const owners = new Set([address, ...vaults.map((vault) => vault.owner)]);
  return {
    ok: true,
    value: { pool: { ...common, quote, quoteDecimals: decimalsOf(quote), accounts, owners }, quoteVault },
  };
}
