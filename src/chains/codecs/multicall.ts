import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils';
import type { Hex } from './abi.ts';

/** A view call: a contract and its calldata. */
export interface EvmCall {
  readonly to: Hex;
  readonly data: Hex;
}

/** Multicall3 (https://www.multicall3.com): the same address on every chain of ours. */
export const MULTICALL3: Hex = '0xca11bde05977b3631167028862be2a173976ca11';
const ABI = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
]);

/** Calldata of one aggregate3 of all calls, each allowed to fail. */
export function aggregateData(calls: readonly EvmCall[]): Hex {
  const args = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }));
  return encodeFunctionData({ abi: ABI, functionName: 'aggregate3', args: [args] });
}

/** What each call returned; null for one that failed or returned nothing. Null as a whole when the reply is no such list. */
export function aggregateResults(data: string, count: number): readonly (Hex | null)[] | null {
  try {
    const results = decodeFunctionResult({ abi: ABI, functionName: 'aggregate3', data: data as Hex });
    if (results.length !== count) return null;
    return results.map(({ success, returnData }) => (success && returnData.length > 2 ? returnData : null));
  } catch {
    return null;
  }
}
