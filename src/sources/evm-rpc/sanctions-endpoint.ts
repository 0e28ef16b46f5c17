import type { Hex } from 'viem';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import { EVM_CHAINS, ZERO_ADDRESS } from '../../chains/index.ts';
import { classifyRpc, rpcCall } from '../json-rpc.ts';
import { type Endpoint, endpoint } from '../source.ts';
import { chainOfBase, fromOperator, HEX_REPLY, tokenOf } from './operators.ts';

const ABI = parseAbi(['function isSanctioned(address account) view returns (bool)']);
const YES = 1n;

/** Params `{base, account}`: whether the token's contract, its owner or its creator is on a sanctions list. Says nothing of those that are not. */
export const sanctionsEndpoint: Endpoint = endpoint({
  name: 'sanctions',
  doc: 'eth_call of isSanctioned(address) at the public sanctions oracle, for the token, its owner and its creator. https://go.chainalysis.com/chainalysis-oracle-docs.html',
  plan: (facts) => {
    const asset = tokenOf(facts);
    if (asset === null || oracleOf(asset.chain) === null) return [];
    const people = [facts.learned['evm_rpc.owner'], facts.learned['goplus.creator']].filter(
      (account): account is string => typeof account === 'string' && account !== ZERO_ADDRESS,
    );
    const accounts = new Set([asset.token, ...people]);
    // One operator will do: the list is one, and the questions are many.
    return asset.bases.slice(0, 1).flatMap((base) => [...accounts].map((account) => ({ base, account })));
  },
  request: (params) => {
    const base = String(params.base);
    const to = oracleOf(chainOfBase(base));
    const data = encodeFunctionData({ abi: ABI, functionName: 'isSanctioned', args: [String(params.account) as Hex] });
    return rpcCall(base, 'eth_call', [{ to, data }, 'latest']);
  },
  reply: HEX_REPLY,
  classify: (reply) => {
    const verdict = classifyRpc(reply);
    return verdict.outcome === 'ok' && !isWord(reply.result)
      ? { outcome: 'empty' as const, detail: 'there is no sanctions oracle on this chain' }
      : verdict;
  },
  observe: (reply, params) =>
    isWord(reply.result) && BigInt(reply.result) === YES
      ? fromOperator(params, [
          {
            quantity: 'sanctioned',
            value: true,
            meaning: `${String(params.account)} is on the list of the public oracle`,
          },
        ])
      : [],
});

function oracleOf(chain: string): string | null {
  return EVM_CHAINS.find((row) => row.name === chain)?.sanctionsOracle ?? null;
}

function isWord(value: string | undefined): value is Hex {
  return value !== undefined && /^0x[0-9a-fA-F]{64}$/.test(value);
}
