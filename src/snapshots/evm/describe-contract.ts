import type { ChainFault, Hex } from '../../chains/index.ts';
import { EVM_CHAINS, wholeTokens } from '../../chains/index.ts';
import type { Result } from '../../domain/index.ts';
import { describeReading } from '../pools/describe-reading.ts';
import { readEvmPools } from './pools/read-evm-pools.ts';
import { readErc20 } from './token.ts';
import type { EvmReader } from './types.ts';

/**
 * Says what is at an address of an EVM chain: a pool of a kind that is known here (or the number of one), else an ERC-20
 * token. `not_found` when it is neither, with why.
 */
export async function describeContract(
  reader: EvmReader,
  chain: string,
  address: Hex,
  signal?: AbortSignal,
): Promise<Result<Readonly<Record<string, unknown>>, ChainFault>> {
  const exchanges = EVM_CHAINS.find((row) => row.name === chain)?.exchanges ?? [];
  const pools = await readEvmPools(reader, exchanges, [address], null, signal);
  if (!pools.ok) return pools;
  const [reading] = pools.value.readings;
  if (reading !== undefined) return { ok: true, value: describeReading(reading) };
  const why = pools.value.failures[0]?.detail ?? 'nothing is known of it';
  const token = await readErc20(reader, address, 'latest', signal);
  if (!token.ok) return token.reason === 'not_found' ? { ok: false, reason: 'not_found', detail: why } : token;
  const { name, symbol, decimals, supply, block } = token.value;
  return {
    ok: true,
    value: {
      kind: 'token',
      address,
      standard: 'erc20',
      name,
      symbol,
      decimals,
      supply_raw: supply.toString(),
      supply: wholeTokens(supply, decimals),
      height: block,
    },
  };
}
