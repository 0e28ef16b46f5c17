import type { ChainFault } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import { SIGNATURES_PER_PAGE, type SignatureRow, type SolanaHistory } from './history.ts';

export interface Listed {
  /** Newest first; failed transactions are left out, they moved nothing. */
  readonly rows: readonly SignatureRow[];
  /** False when there are older ones that were not listed. */
  readonly complete: boolean;
}

/** The transactions that name an address, back to `until` or the first, at most `mostPages` pages of 1,000. */
export async function listSignatures(
  history: SolanaHistory,
  address: string,
  { until, mostPages }: { readonly until?: string; readonly mostPages: number },
  signal?: AbortSignal,
): Promise<Result<Listed, ChainFault>> {
  const rows: SignatureRow[] = [];
  let before: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const range = { ...(before === undefined ? {} : { before }), ...(until === undefined ? {} : { until }) };
    const reply = await history.signatures(address, range, signal);
    // What was listed so far is worth having.
    if (!reply.ok) return rows.length === 0 ? reply : { ok: true, value: { rows, complete: false } };
    rows.push(...reply.value.filter((row) => !row.failed));
    before = reply.value.at(-1)?.signature;
    if (reply.value.length < SIGNATURES_PER_PAGE) return { ok: true, value: { rows, complete: true } };
  }
  return { ok: true, value: { rows, complete: false } };
}
