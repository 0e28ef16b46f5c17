import Type from 'typebox';
import type { Hex } from 'viem';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import {
  abiText,
  addressOf,
  EVM_BURN_ADDRESSES,
  EVM_CHAINS,
  flagOf,
  isBurnAddress,
  uintOf,
} from '../../chains/index.ts';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import { HEX, multicallEndpoint, rpcEndpoint } from '../json-rpc.ts';
import { observed } from '../observations.ts';
import { exactTokensOf, text } from '../read.ts';
import { holderOfPower } from '../regulated-issuers.ts';
import type { Params } from '../source.ts';
import { chainOfBase, tokenAtEach, tokenOf } from './operators.ts';

const ABI = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function owner() view returns (address)',
  'function getOwner() view returns (address)',
  'function paused() view returns (bool)',
  'function balanceOf(address) view returns (uint256)',
  'function isSanctioned(address account) view returns (bool)',
]);
const GETTERS = ['name', 'symbol', 'decimals', 'totalSupply', 'owner', 'getOwner', 'paused'] as const;

/** Bytes of a name or a symbol; a longer one is no name. */
const LONGEST_NAME = 4_096;

/** Params `{base, token}`. Learns `evm_rpc.owner`. */
export const tokenEndpoint = multicallEndpoint({
  name: 'token',
  doc: 'One eth_call to Multicall3 aggregate3 with failures allowed: name, symbol, decimals, totalSupply, owner, getOwner, paused, balances of burn addresses. EIP-20; checked on a local chain.',
  critical: true,
  plan: tokenAtEach,
  calls: callsOf,
  refuse: (values) => {
    const { supply, decimals } = readToken(values);
    return supply === null && decimals === null
      ? { outcome: 'not_found', detail: 'there is no ERC-20 token at this address' }
      : null;
  },
  observe: (values, params) => [...tokenDrafts(readToken(values)), ...issuerDrafts(params)],
  learn: (values): Readonly<Record<string, Json>> => {
    const { owner } = readToken(values);
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

function readToken(values: readonly (Hex | null)[]): TokenRead {
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
  const scope = 'registry:evm_rpc';
  return [
    ...observed('token_standard', 'erc20', 'answers the ERC-20 getters'),
    ...observed('decimals', read.decimals, 'decimals()'),
    ...(supply === null
      ? []
      : observed('total_supply', Number(supply), 'totalSupply(); tokens sent to burn addresses are still in it', {
          exact: supply,
        })),
    ...observed('registry_name', read.name, 'name(), outside text', { scope }),
    ...observed('registry_symbol', read.symbol, 'symbol(), outside text', { scope }),
    ...(read.owner !== null && isBurnAddress(read.owner)
      ? observed('owner_state', 'none', 'owner() is an address that nobody has a key for')
      : observed('owner_address', read.owner, 'owner() or getOwner()')),
    ...pauseDrafts(read),
    ...observed(
      'holder_labels',
      read.burned.length === 0
        ? null
        : read.burned.map((row) => ({ address: row.address, kind: 'burn', label: 'burn address' })),
      'burn addresses with a balance',
    ),
  ];
}

/** A pause switch that nobody holds any more and that is off cannot be used; without the getter nothing is known. */
function pauseDrafts({ paused, owner }: TokenRead): readonly ObservationDraft[] {
  const isUsable = paused === true || (paused === false && (owner === null || !isBurnAddress(owner)));
  return observed(
    'transfer_pausable',
    isUsable ? true : null,
    paused ? 'paused() is true now' : 'the contract has a paused() switch',
  );
}

/** Keys of a named issuer are known from the register of issuers, not from the chain: another family and tier say so. */
function issuerDrafts(params: Params): readonly ObservationDraft[] {
  return (['mint', 'freeze'] as const).flatMap((power) => {
    const issuer = holderOfPower(chainOfBase(String(params.base)), String(params.token), power);
    if (issuer === null) return [];
    const quantity = `${power}_authority_state` as const;
    const meaning = `${issuer.issuer}, ${issuer.source}`;
    return [{ quantity, value: 'regulated_issuer', family: 'issuer_disclosure', tier: 'registry', meaning }];
  });
}

/** Params `{base, account}`: whether the token's contract, its owner or its creator is on a sanctions list. Observes only those that are. */
export const sanctionsEndpoint = rpcEndpoint({
  name: 'sanctions',
  doc: 'eth_call of isSanctioned(address) at the public sanctions oracle, for the token, its owner and its creator. https://go.chainalysis.com/chainalysis-oracle-docs.html',
  plan: (facts) => {
    const asset = tokenOf(facts);
    if (asset === null || oracleOf(asset.chain) === null) return [];
    const people = [facts.learned['evm_rpc.owner'], facts.learned['goplus.creator']].filter(
      (account): account is string => typeof account === 'string' && !isBurnAddress(account),
    );
    const accounts = new Set([asset.token, ...people]);
    // One operator is enough: there is one list, and the requests are many.
    return asset.bases.slice(0, 1).flatMap((base) => [...accounts].map((account) => ({ base, account })));
  },
  call: (params) => {
    const to = oracleOf(chainOfBase(String(params.base)));
    const data = encodeFunctionData({ abi: ABI, functionName: 'isSanctioned', args: [String(params.account) as Hex] });
    return ['eth_call', [{ to, data }, 'latest']];
  },
  result: HEX,
  refuse: (result) =>
    isWord(result) ? null : { outcome: 'empty', detail: 'there is no sanctions oracle on this chain' },
  observe: (result, params) =>
    observed(
      'sanctioned',
      isWord(result) && BigInt(result) === 1n ? true : null,
      `${String(params.account)} is on the list of the public oracle`,
    ),
});

function oracleOf(chain: string): string | null {
  return EVM_CHAINS.find((row) => row.name === chain)?.sanctionsOracle ?? null;
}

function isWord(value: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(value);
}

/** A timestamp beyond the year 9999 is none. */
const LAST_SECOND = 253_402_300_799;

/** Params `{base}`: when the newest block was made. A chain that stands still shows by its age. */
export const headEndpoint = rpcEndpoint({
  name: 'head',
  doc: 'eth_getBlockByNumber of `latest`, without transactions: its timestamp. https://ethereum.org/en/developers/docs/apis/json-rpc/#eth_getblockbynumber',
  plan: ({ chain }) => (chain?.kind === 'evm' ? [{ base: chain.name }, { base: `${chain.name}_2` }] : []),
  call: () => ['eth_getBlockByNumber', ['latest', false]],
  result: Type.Union([Type.Null(), Type.Object({ timestamp: Type.String({ pattern: '^0x[0-9a-fA-F]{1,16}$' }) })]),
  refuse: (block) => (block === null ? { outcome: 'empty' } : null),
  observe: (block) => {
    const seconds = Number(block?.timestamp);
    return observed(
      'chain_head_at',
      seconds > 0 && seconds <= LAST_SECOND ? new Date(seconds * 1000).toISOString() : null,
      'newest block',
    );
  },
});
