import type { ChainFault, Hex } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import type { EvmReader } from '../types.ts';

/** The first block at which a contract has code, by bisection; needs old state on the node. */
export async function deploymentOf({
  reader,
  token,
  signal,
}: {
  readonly reader: EvmReader;
  readonly token: Hex;
  readonly signal?: AbortSignal;
}): Promise<Result<number, ChainFault>> {
  const latest = await reader.block('latest', signal);
  if (!latest.ok) return latest;
  const now = await reader.code(token, latest.value.number, signal);
  if (!now.ok) return now;
  if (now.value === '0x') return { ok: false, reason: 'not_found', detail: 'there is no contract at this address' };
  let [low, high] = [0, latest.value.number];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const code = await reader.code(token, middle, signal);
    if (!code.ok) return code;
    if (code.value === '0x') low = middle + 1;
    else high = middle;
  }
  return { ok: true, value: low };
}
