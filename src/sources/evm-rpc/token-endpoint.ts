import type { Hex } from 'viem';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import {
  abiText,
  addressOf,
  aggregateData,
  aggregateResults,
  EVM_BURN_ADDRESSES,
  flagOf,
  MULTICALL3,
  uintOf,
  ZERO_ADDRESS,
} from '../../chains/index.ts';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import { exactTokensOf } from '../amounts.ts';
import { classifyRpc, rpcCall } from '../json-rpc.ts';
import { text } from '../read.ts';
import { regulatedIssuer } from '../regulated_issuers.ts';
import { type Endpoint, endpoint, type Params } from '../source.ts';
import { chainOfBase, fromOperator, HEX_REPLY, tokenOf } from './operators.ts';

const ABI = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function owner() view returns (address)',
  'function getOwner() view returns (address)',
  'function paused() view returns (bool)',
  'function balanceOf(address) view returns (uint256)',
]);
const GETTERS = ['name', 'symbol', 'decimals', 'totalSupply', 'owner', 'getOwner', 'paused'] as const;

/** Bytes of a name or a symbol; a longer one is no name. */
const LONGEST_NAME = 4_096;

/** Params `{base, token}`. Learns `evm_rpc.owner`. */
export const tokenEndpoint: Endpoint = endpoint({
  name: 'token',
  doc: 'One eth_call to Multicall3 aggregate3 with failures allowed: name, symbol, decimals, totalSupply, owner, getOwner, paused, balances of burn addresses. EIP-20; checked on a local chain.',
  critical: true,
  plan: (facts) => {
    const asset = tokenOf(facts);
    return asset === null ? [] : asset.bases.map((base) => ({ base, token: asset.token }));
  },
  request: (params) =>
    rpcCall(String(params.base), 'eth_call', [{ to: MULTICALL3, data: aggregateData(callsOf(params)) }, 'latest']),
  reply: HEX_REPLY,
  classify: (reply, _meta, params) => {
    const verdict = classifyRpc(reply);
    if (verdict.outcome !== 'ok') return verdict;
    const read = readToken(reply.result ?? '', params);
    if (read === null) return { outcome: 'malformed' as const, detail: 'the reply is no answer of Multicall3' };
    return read.supply === null && read.decimals === null
      ? { outcome: 'not_found' as const, detail: 'there is no ERC-20 token at this address' }
      : verdict;
  },
  observe: (reply, params) => {
    const read = readToken(reply.result ?? '', params);
    return read === null ? [] : fromOperator(params, [...tokenDrafts(read), ...issuerDrafts(params)]);
  },
  learn: (reply, params): Readonly<Record<string, Json>> => {
    const owner = readToken(reply.result ?? '', params)?.owner ?? null;
    return owner === null ? {} : { 'evm_rpc.owner': owner };
  },
});

function callsOf(params: Params) {
  const to = String(params.token) as Hex;
  return [
    ...GETTERS.map((functionName) => ({ to, data: encodeFunctionData({ abi: ABI, functionName }) })),
    ...EVM_BURN_ADDRESSES.map((address) => ({
      to,
      data: encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [address as Hex] }),
    })),
  ];
}

interface TokenRead {
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
  readonly supply: bigint | null;
  /** Null when neither `owner()` nor `getOwner()` is there: the token may still be governed by roles. */
  readonly owner: string | null;
  readonly paused: boolean | null;
  readonly burned: readonly { readonly address: string; readonly raw: bigint }[];
}

function readToken(returned: string, params: Params): TokenRead | null {
  const values = aggregateResults(returned, callsOf(params).length);
  if (values === null) return null;
  const [name, symbol, decimals, supply, owner, getOwner, paused, ...burns] = values;
  const places = uintOf(decimals);
  return {
    name: text(abiText(name, LONGEST_NAME), 100),
    symbol: text(abiText(symbol, LONGEST_NAME), 40),
    decimals: places !== null && places <= 255n ? Number(places) : null,
    supply: uintOf(supply),
    owner: addressOf(owner) ?? addressOf(getOwner),
    paused: flagOf(paused),
    burned: EVM_BURN_ADDRESSES.flatMap((address, at) => {
      const raw = uintOf(burns[at]);
      return raw === null || raw === 0n ? [] : [{ address, raw }];
    }),
  };
}

function tokenDrafts(read: TokenRead): readonly ObservationDraft[] {
  const supply = read.supply === null || read.decimals === null ? null : exactTokensOf(read.supply, read.decimals);
  const registry = 'registry:evm_rpc';
  return [
    { quantity: 'token_standard', value: 'erc20', meaning: 'answers the ERC-20 getters' },
    ...(read.decimals === null ? [] : [{ quantity: 'decimals' as const, value: read.decimals, meaning: 'decimals()' }]),
    ...(supply === null
      ? []
      : [
          {
            quantity: 'total_supply' as const,
            value: Number(supply),
            exact: supply,
            meaning: 'totalSupply(); tokens sent to burn addresses are still in it',
          },
        ]),
    ...(read.name === null
      ? []
      : [{ quantity: 'registry_name' as const, value: read.name, scope: registry, meaning: 'name(), outside text' }]),
    ...(read.symbol === null
      ? []
      : [
          {
            quantity: 'registry_symbol' as const,
            value: read.symbol,
            scope: registry,
            meaning: 'symbol(), outside text',
          },
        ]),
    ...ownerDrafts(read.owner),
    ...pauseDrafts(read),
    ...(read.burned.length === 0
      ? []
      : [
          {
            quantity: 'holder_labels' as const,
            value: read.burned.map((row) => ({ address: row.address, kind: 'burn', label: 'burn address' })),
            meaning: 'burn addresses with a balance',
          },
        ]),
  ];
}

function ownerDrafts(owner: string | null): readonly ObservationDraft[] {
  if (owner === null) return [];
  if (owner === ZERO_ADDRESS)
    return [{ quantity: 'owner_state', value: 'none', meaning: 'owner() is the zero address' }];
  return [{ quantity: 'owner_address', value: owner, meaning: 'owner() or getOwner()' }];
}

/** A pause switch that nobody holds any more and that is off cannot be used; without the getter nothing is known. */
function pauseDrafts(read: TokenRead): readonly ObservationDraft[] {
  if (read.paused === null || (!read.paused && read.owner === ZERO_ADDRESS)) return [];
  return [
    {
      quantity: 'transfer_pausable',
      value: true,
      meaning: read.paused ? 'paused() is true now' : 'the contract has a paused() switch',
    },
  ];
}

/** A disclosed issuer's keys are known from its own publication, not from the chain: another family and tier say so. */
function issuerDrafts(params: Params): readonly ObservationDraft[] {
  const issuer = regulatedIssuer(chainOfBase(String(params.base)), String(params.token));
  if (issuer === null) return [];
  const common = {
    value: 'regulated_issuer',
    family: 'issuer_disclosure',
    tier: 'registry',
    meaning: `${issuer.issuer}, ${issuer.source}`,
  } as const;
  return [
    { quantity: 'mint_authority_state', ...common },
    { quantity: 'freeze_authority_state', ...common },
  ];
}
