import {
  addressBytes,
  type ChainFault,
  decodeMint,
  fault,
  LIQUIDITY_LOCKERS,
  type Mint,
  SOLANA_BURN_ADDRESSES,
  TOKEN_2022_PROGRAM,
} from '../../chains/index.ts';
import { ok, type Result, sourceFor } from '../../domain/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { SOLANA_KEYS, topHolders } from '../holders/balance-table.ts';
import { byProgram, type ListHolders, listedHolders, reportedCount, tableOfListed } from '../holders/list.ts';
import { NOT_COUNTED } from '../holders/snapshot.ts';
import type { RpcNode } from '../json-rpc.ts';
import type { SolanaReader } from './reader.ts';
import { type ScanForm, scanLargest, scanTokenAccounts, type TokenScan } from './scan.ts';
import { withheldFees } from './withheld.ts';

export interface SolanaHolderTools {
  readonly upstream: Upstream;
  readonly reader: SolanaReader;
  /**
   * Nodes from which a complete list is requested, in turn, when the token has at most `most` holders, to spare public
   * nodes.
   */
  readonly nodes: readonly { readonly node: RpcNode; readonly form: ScanForm; readonly most: number }[];
  /** 32 random bits. */
  readonly random: () => number;
  readonly now: () => number;
}

/** Number of the largest owners whose programs are looked up on chain. */
const NAMED_OWNERS = 200;
const MOST_BYTES = 12 * 1024 ** 3;
const TOTAL_MS = 15 * 60_000;

/** Every token account when a node lists them, else the indexers' list, else the twenty largest accounts. */
export function solanaHolders(tools: SolanaHolderTools): ListHolders {
  return async (asset, gathered, signal) => {
    const mint = asset.address ?? '';
    const read = await tools.reader.accounts([mint], signal);
    if (!read.ok) return read;
    const account = read.value.accounts[0] ?? null;
    const decoded = account === null ? null : decodeMint(account.owner, account.data);
    if (account === null || decoded === null) return fault('not_found', 'there is no mint at this address');
    const warnings: string[] = [];
    const scanned = await wholeList(tools, mint, account.owner, decoded, reportedCount(gathered), warnings, signal);
    const found: Result<TokenScan, ChainFault> = scanned ?? (await scanLargest(tools.reader, mint, tools.now, signal));
    const { supply, decimals } = decoded;
    const node = sourceFor('solana_node');
    const base = { supply, decimals, holderCount: null, alsoLook: ALSO_LOOK, warnings };
    const listed = gathered === null ? null : listedHolders(gathered.consensus);
    if (listed !== null && listed.holders.length > 20 && (!found.ok || found.value.method !== 'full_scan')) {
      const table = tableOfListed(SOLANA_KEYS, supply, listed.holders);
      const labels = await programsOf(tools, table, signal);
      return ok({ ...base, method: 'indexer', table, labels, scan: NOT_COUNTED, sources: [listed.source, node] });
    }
    if (!found.ok) return found;
    const { method, table, accounts, slot: height, bytes, milliseconds, withheld = 0n } = found.value;
    const labels = await programsOf(tools, table, signal);
    const scan = { accounts, height, bytes, milliseconds };
    const doubtful = method === 'full_scan' && account.owner === TOKEN_2022_PROGRAM && isHeadOfOther(mint);
    if (doubtful) warnings.push('the address of the mint is made so that accounts of another kind read as its holders');
    return ok({ ...base, method, table, labels, scan, withheld, doubtful, sources: [node] });
  };
}

const ALSO_LOOK = [...SOLANA_BURN_ADDRESSES, ...LIQUIDITY_LOCKERS.keys()];

const MOST_SIGNERS = 11;

/**
 * True for an address whose first bytes are those of an initialised multisig (signatures needed, signers, 1) or of a mint with an
 * authority (1, 0, 0, 0). Accounts of Token-2022 are selected by their first 32 bytes, which should be the mint; a multisig or a mint that
 * begins so states any owner and balance in its keys. One mint in 140,000 has such an address by chance.
 */
function isHeadOfOther(mint: string): boolean {
  const [first = 0, second = 0, third = 0, fourth] = addressBytes(mint) ?? [];
  const isCount = (value: number) => value >= 1 && value <= MOST_SIGNERS;
  const isMultisig = isCount(first) && isCount(second) && third === 1;
  return isMultisig || (first === 1 && second === 0 && third === 0 && fourth === 0);
}

/** The complete list from the first node that gives it; null when none does, with the reasons among the warnings. */
async function wholeList(
  tools: SolanaHolderTools,
  mint: string,
  tokenProgram: string,
  decoded: Mint,
  expected: number | null,
  warnings: string[],
  signal: AbortSignal,
): Promise<Result<TokenScan, ChainFault> | null> {
  for (const { node, form, most } of tools.nodes) {
    if (expected !== null && expected > most) {
      warnings.push(`the list of about ${expected} holders was not asked of a public node; set a node of your own`);
      continue;
    }
    const options = {
      upstream: tools.upstream,
      node,
      mint,
      tokenProgram,
      form,
      seed: tools.random(),
      maxBytes: MOST_BYTES,
      totalMs: TOTAL_MS,
      now: tools.now,
    };
    const scan = await scanTokenAccounts(options, signal);
    if (scan.ok) return ok({ ...scan.value, withheld: await withheldFees(options, decoded, signal) });
    if (scan.reason === 'cancelled') return scan;
    warnings.push(`no whole list of holders: ${scan.detail}`);
  }
  return null;
}

/** Programs of the largest owners; owners without an account are wallets. Empty when the node does not respond. */
async function programsOf(tools: SolanaHolderTools, table: Parameters<typeof topHolders>[0], signal: AbortSignal) {
  const owners = topHolders(table, NAMED_OWNERS).map((holder) => holder.address);
  const read = await tools.reader.accounts(owners, signal);
  const programs = new Map<string, string>();
  if (read.ok) for (const account of read.value.accounts) if (account) programs.set(account.address, account.owner);
  return byProgram(programs);
}
