import type { Hex } from 'viem';
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils';

/** Multicall3, the same address on every chain of ours (https://www.multicall3.com/deployments). */
export const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11';

const ABI = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
]);

export interface Call {
  readonly target: string;
  readonly data: Hex;
}

/** Call data of one aggregate3 in which each call may fail alone. */
export function encodeCalls(calls: readonly Call[]): Hex {
  return encodeFunctionData({
    abi: ABI,
    functionName: 'aggregate3',
    args: [calls.map((call) => ({ target: call.target as Hex, allowFailure: true, callData: call.data }))],
  });
}

/** What each call returned, in order: the bytes, or null when it reverted. Null when the reply is no answer to `count` calls. */
export function decodeCalls(returned: string, count: number): readonly (Hex | null)[] | null {
  try {
    const results = decodeFunctionResult({ abi: ABI, functionName: 'aggregate3', data: returned as Hex });
    return results.length === count ? results.map((row) => (row.success ? row.returnData : null)) : null;
  } catch {
    return null;
  }
}
