import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem';
import type { Facade, FacadeRequest } from '../facade.ts';
import type { Scene } from '../scene.ts';
import { coinBalance } from './evm_backing.ts';
import { bareAt } from './evm_bare.ts';
import { blockJson, heightAt } from './evm_blocks.ts';
import { callContract, contractAt } from './evm_contracts.ts';
import { quoteLogs, sentBy } from './evm_history.ts';
import { bareBirth, birthOf, logsOf } from './evm_logs.ts';
import { positionReply } from './evm_positions.ts';
import { chainOfBase } from './evm_world.ts';

const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11';
const AGGREGATE3 = toFunctionSelector('aggregate3((address,bool,bytes)[])');

/** EVM JSON-RPC; the base names the chain (`ethereum`, `ethereum_2`, ...). */
export const evm_rpc: Facade = (request, scene) => {
  const answer = (call: unknown) => {
    const { id = null, method, params = [] } = (typeof call === 'object' && call !== null ? call : {}) as RpcCall;
    return { jsonrpc: '2.0', id, ...respond(scene, request, method ?? '', Array.isArray(params) ? params : []) };
  };
  return { json: Array.isArray(request.body) ? request.body.map(answer) : answer(request.body) };
};

interface RpcCall {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
}

type RpcReply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: string } };

function respond(scene: Scene, request: FacadeRequest, method: string, params: readonly unknown[]): RpcReply {
  const chain = chainOfBase(request.base);
  const [first, second] = params;
  const block = `0x${heightAt(scene.now).toString(16)}`;
  switch (method) {
    case 'eth_chainId':
      return { result: `0x${(chain.evmChainId ?? 0).toString(16)}` };
    case 'eth_blockNumber':
      return { result: block };
    case 'eth_getBlockByNumber':
      return { result: blockJson(chain.name, first, scene.now) };
    case 'eth_getCode':
      return { result: codeAt(scene, chain.name, String(first), second) };
    case 'eth_getStorageAt':
      return {
        result:
          contractAt(scene, chain.name, String(first))?.storage[String(second).toLowerCase()] ?? `0x${'0'.repeat(64)}`,
      };
    case 'eth_getBalance':
      return { result: `0x${coinBalance(scene, chain.name, String(first)).toString(16)}` };
    case 'eth_getLogs':
      return quoteLogs(scene, chain.name, first) ?? logsOf(scene, chain.name, first);
    case 'eth_getTransactionCount':
      return { result: sentBy(scene, String(first)) };
    case 'eth_getTransactionReceipt':
      return { result: null };
    case 'eth_call': {
      const { to, data, input } = (typeof first === 'object' && first !== null ? first : {}) as {
        to?: string;
        data?: Hex;
        input?: Hex;
      };
      const result = ethCall(scene, chain.name, (to ?? '').toLowerCase(), data ?? input ?? '0x');
      return result === null ? { error: { code: 3, message: 'execution reverted', data: '0x' } } : { result };
    }
    default:
      return { error: { code: -32601, message: `the method ${method} does not exist/is not available` } };
  }
}

/** Code of a contract, which a token has from its birth on. */
function codeAt(scene: Scene, chain: string, address: string, block: unknown): Hex {
  const asset = scene.world.byAddress(chain, address);
  const birth = asset ? birthOf(scene, asset) : bareAt(scene, chain, address) ? bareBirth(scene) : null;
  if (birth !== null && typeof block === 'string' && block.startsWith('0x') && Number(block) < birth) return '0x';
  return contractAt(scene, chain, address)?.code ?? '0x';
}

function ethCall(scene: Scene, chain: string, to: string, data: Hex): Hex | null {
  if (to !== MULTICALL3 || data.slice(0, 10) !== AGGREGATE3)
    return positionReply(scene, chain, to, data, worldCall(scene, chain)) ?? worldCall(scene, chain)(to, data);
  const { args } = decodeFunctionData({ abi: multicall3Abi, data });
  const calls = (args?.[0] ?? []) as readonly { target: string; callData: Hex }[];
  const results = calls.map((call) => {
    const result = ethCall(scene, chain, call.target.toLowerCase(), call.callData);
    return { success: result !== null, returnData: result ?? ('0x' as Hex) };
  });
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: results });
}

/** A call to a contract of the world, independent of the register of positions. */
function worldCall(scene: Scene, chain: string): (to: string, data: Hex) => Hex | null {
  return (to, data) => (to === MULTICALL3 ? multicallHelper(scene, chain, data) : callContract(scene, chain, to, data));
}

function multicallHelper(scene: Scene, chain: string, data: Hex): Hex | null {
  const selector = data.slice(0, 10);
  const number = (value: bigint) => encodeAbiParameters(parseAbiParameters('uint256'), [value]);
  if (selector === toFunctionSelector('getBlockNumber()')) return number(BigInt(Math.floor(scene.now / 12_000)));
  if (selector === toFunctionSelector('getCurrentBlockTimestamp()'))
    return number(BigInt(Math.floor(scene.now / 1000)));
  if (selector === toFunctionSelector('getEthBalance(address)'))
    return number(coinBalance(scene, chain, `0x${data.slice(-40)}`));
  return null;
}
