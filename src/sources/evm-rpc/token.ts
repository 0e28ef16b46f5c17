import Type from 'typebox';
import {
  abiText,
  addressOf,
  flagOf,
  isBurnAddress,
  EVM_KEYLESS_ADDRESSES as KEYLESS,
  uintOf,
} from '../../chains/index.ts';
import type { ObservationDraft } from '../../domain/index.ts';
import { HEX, multicallEndpoint, Refusal, type Returned, rpcEndpoint } from '../json-rpc.ts';
import { observed } from '../observations.ts';
import { exactTokensOf, text } from '../read.ts';
import { holderOfPower } from '../regulated-issuers.ts';
import { fact, type Params } from '../source.ts';
import { callOf, chainOfBase, evmChainOf, tokenAtEach, tokenOf } from './operators.ts';

const GETTERS = ['name()', 'symbol()', 'decimals()', 'totalSupply()', 'owner()', 'getOwner()', 'paused()'];

/** Bytes of a name or a symbol; a longer one is invalid. */
const LONGEST_NAME = 4_096;

/** Params `{base, token}`. Learns `evm_rpc.owner`. */
export const tokenEndpoint = multicallEndpoint({
  name: 'token',
  doc: 'One eth_call to Multicall3 aggregate3 with failures allowed: name, symbol, decimals, totalSupply, owner, getOwner, paused, balances of burn addresses. EIP-20; checked on a local chain.',
  critical: true,
  plan: tokenAtEach,
  calls: ({ token }) => [
    ...GETTERS.map((getter) => callOf(token, getter)),
    ...KEYLESS.map((address) => callOf(token, 'balanceOf(address)', address)),
  ],
  read: (values) => {
    const read = readToken(values);
    return read.supply === null && read.decimals === null
      ? new Refusal('not_found', 'there is no ERC-20 token at this address')
      : read;
  },
  observe: (read, params) => [...tokenDrafts(read), ...issuerDrafts(params)],
  learn: ({ owner }) => fact('evm_rpc.owner', owner),
});

interface TokenRead {
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
  readonly supply: bigint | null;
  /** Null when the contract has neither `owner()` nor `getOwner()`; the token may still be governed by roles. */
  readonly owner: string | null;
  readonly paused: boolean | null;
  /** Burn addresses that have a balance. */
  readonly burned: readonly string[];
  /** Sum of the balances of burn addresses; null when one of them could not be read. */
  readonly burnedTokens: bigint | null;
}

function readToken([name, symbol, decimals, supply, owner, getOwner, paused, ...burns]: Returned): TokenRead {
  const places = uintOf(decimals);
  const balances = KEYLESS.map((_, at) => uintOf(burns[at]));
  return {
    name: text(abiText(name, LONGEST_NAME), 100),
    symbol: text(abiText(symbol, LONGEST_NAME), 40),
    decimals: places !== null && places <= 255n ? Number(places) : null,
    supply: uintOf(supply),
    owner: addressOf(owner) ?? addressOf(getOwner),
    paused: flagOf(paused),
    burned: KEYLESS.filter((_, at) => (balances[at] ?? 0n) !== 0n),
    burnedTokens: balances.every((balance) => balance !== null) ? balances.reduce((sum, one) => sum + one, 0n) : null,
  };
}

function tokenDrafts(read: TokenRead): readonly ObservationDraft[] {
  const supply = read.supply === null || read.decimals === null ? null : exactTokensOf(read.supply, read.decimals);
  const burned =
    read.burnedTokens === null || read.decimals === null ? null : exactTokensOf(read.burnedTokens, read.decimals);
  const scope = 'registry:evm_rpc';
  const labels = read.burned.map((address) => ({ address, kind: 'burn', label: 'burn address' }));
  return [
    ...observed('token_standard', 'erc20', 'responds to the ERC-20 getters'),
    ...observed('decimals', read.decimals, 'decimals()'),
    ...observed(
      'total_supply',
      supply && Number(supply),
      'totalSupply(); tokens sent to burn addresses are still included',
      {
        ...(supply !== null && { exact: supply }),
      },
    ),
    ...observed('burned_tokens', burned && Number(burned), 'balances of addresses without a known key'),
    ...observed('registry_name', read.name, 'name(), outside text', { scope }),
    ...observed('registry_symbol', read.symbol, 'symbol(), outside text', { scope }),
    ...(read.owner !== null && isBurnAddress(read.owner)
      ? observed('owner_state', 'none', 'owner() is an address without a known key')
      : observed('owner_address', read.owner, 'owner() or getOwner()')),
    ...pauseDrafts(read),
    ...observed('holder_labels', labels.length === 0 ? null : labels, 'burn addresses with a balance'),
  ];
}

/** A pause switch that is off and whose owner is a burn address cannot be used. Without the getter, nothing is observed. */
function pauseDrafts({ paused, owner }: TokenRead): readonly ObservationDraft[] {
  const isUsable = paused === true || (paused === false && (owner === null || !isBurnAddress(owner)));
  return observed(
    'transfer_pausable',
    isUsable ? true : null,
    paused ? 'paused() is true now' : 'the contract has a paused() switch',
  );
}

/** The issuer that holds an authority is known from the register of issuers, not from the chain, so lineage group and tier are the register's. */
function issuerDrafts(params: Params): readonly ObservationDraft[] {
  return (['mint', 'freeze'] as const).flatMap((power) => {
    const issuer = holderOfPower(chainOfBase(params), String(params.token), power);
    if (issuer === null) return [];
    const quantity = `${power}_authority_state` as const;
    const meaning = `${issuer.issuer}, ${issuer.source}`;
    return [{ quantity, value: 'regulated_issuer', family: 'issuer_disclosure', tier: 'registry', meaning }];
  });
}

/** Params `{base, account}`: whether the token's contract, its owner or its creator is on a sanctions list. Only listed accounts are observed. */
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
    // One operator is enough: both would return the same list, and each account is a request.
    return asset.bases.slice(0, 1).flatMap((base) => [...accounts].map((account) => ({ base, account })));
  },
  call: (params) => [
    'eth_call',
    [{ ...callOf(oracleOf(chainOfBase(params)), 'isSanctioned(address)', params.account) }, 'latest'],
  ],
  result: HEX,
  read: (result) =>
    isWord(result) ? BigInt(result) === 1n : new Refusal('empty', 'there is no sanctions oracle on this chain'),
  observe: (isListed, { account }) =>
    observed('sanctioned', isListed || null, `${String(account)} is on the list of the public oracle`),
});

function oracleOf(chain: string): string | null {
  return evmChainOf(chain)?.sanctionsOracle ?? null;
}

function isWord(value: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(value);
}

/** A timestamp beyond the year 9999 is invalid. */
const LAST_SECOND = 253_402_300_799;

/** Params `{base}`: the time of the newest block. Its age shows whether the chain has halted. */
export const headEndpoint = rpcEndpoint({
  name: 'head',
  doc: 'eth_getBlockByNumber of `latest`, without transactions: its timestamp. https://ethereum.org/en/developers/docs/apis/json-rpc/#eth_getblockbynumber',
  plan: ({ chain }) => (chain?.kind === 'evm' ? [{ base: chain.name }, { base: `${chain.name}_2` }] : []),
  call: () => ['eth_getBlockByNumber', ['latest', false]],
  result: Type.Union([Type.Null(), Type.Object({ timestamp: Type.String({ pattern: '^0x[0-9a-fA-F]{1,16}$' }) })]),
  read: (block) => (block === null ? new Refusal('empty') : Number(block.timestamp)),
  observe: (seconds) =>
    observed(
      'chain_head_at',
      seconds > 0 && seconds <= LAST_SECOND ? new Date(seconds * 1000).toISOString() : null,
      'newest block',
    ),
});
