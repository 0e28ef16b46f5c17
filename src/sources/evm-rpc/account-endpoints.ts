import type { Hex } from 'viem';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import { addressOf, aggregateData, aggregateResults, MULTICALL3, uintOf, ZERO_ADDRESS } from '../../chains/index.ts';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import { classifyRpc, rpcCall } from '../json-rpc.ts';
import { regulatedIssuer } from '../regulated_issuers.ts';
import { type Endpoint, endpoint, type Facts, type Params } from '../source.ts';
import { readCode } from './bytecode.ts';
import { chainOfBase, fromOperator, HEX_REPLY, tokenOf } from './operators.ts';
import { SAFE_SINGLETONS } from './safe-singletons.ts';

/** What an account may do with the token. `admin` is the contract in a proxy's admin or beacon slot, `upgrade` who is behind it. */
type Role = 'owner' | 'mint' | 'freeze' | 'admin' | 'upgrade';
const STATE_OF = {
  owner: 'owner_state',
  mint: 'mint_authority_state',
  freeze: 'freeze_authority_state',
  admin: 'proxy_admin_state',
  upgrade: 'proxy_admin_state',
} as const;

/** Params `{base, token, account, role}`. An account without code is a plain key. Learns `evm_rpc.contract.<account>`. */
export const accountCodeEndpoint: Endpoint = endpoint({
  name: 'account_code',
  doc: 'eth_getCode of the owner, the proxy admin and who is behind it: plain key or contract. EIP-7702 delegations are still plain keys.',
  critical: true,
  plan: (facts) => subjects(facts),
  request: (params) => rpcCall(String(params.base), 'eth_getCode', [params.account ?? null, 'latest']),
  reply: HEX_REPLY,
  classify: (reply) => classifyRpc(reply),
  observe: (reply, params) => {
    const code = readCode(reply.result ?? '');
    return code === null || code.isContract
      ? []
      : fromOperator(params, stateDrafts(params, 'eoa', 'an account without code: one key'));
  },
  learn: (reply, params): Readonly<Record<string, Json>> => {
    const code = readCode(reply.result ?? '');
    return code?.isContract === true
      ? { [`evm_rpc.contract.${String(params.account)}`]: code.isSafeProxy ? 'safe_proxy' : 'other' }
      : {};
  },
});

const ABI = parseAbi([
  'function masterCopy() view returns (address)',
  'function getThreshold() view returns (uint256)',
  'function getMinDelay() view returns (uint256)',
  'function delay() view returns (uint256)',
  'function owner() view returns (address)',
]);
const GETTERS = ['masterCopy', 'getThreshold', 'getMinDelay', 'delay', 'owner'] as const;

/** Params `{base, token, account, role, code}`: what kind of contract it is. Learns `evm_rpc.adminOwner`. */
export const accountKindEndpoint: Endpoint = endpoint({
  name: 'account_kind',
  doc: 'One aggregate3 to the contract: Safe singleton and threshold, timelock delay, owner. Only a proven Safe (proxy code and singleton) counts as a multisig: any contract can answer getThreshold().',
  plan: (facts) =>
    subjects(facts).flatMap((params) => {
      const code = facts.learned[`evm_rpc.contract.${String(params.account)}`];
      return code === undefined ? [] : [{ ...params, code }];
    }),
  request: (params) =>
    rpcCall(String(params.base), 'eth_call', [{ to: MULTICALL3, data: aggregateData(callsOf(params)) }, 'latest']),
  reply: HEX_REPLY,
  classify: (reply) => {
    const verdict = classifyRpc(reply);
    if (verdict.outcome !== 'ok') return verdict;
    return aggregateResults(reply.result ?? '', GETTERS.length) === null
      ? { outcome: 'malformed' as const, detail: 'the reply is no answer of Multicall3' }
      : verdict;
  },
  observe: (reply, params) =>
    fromOperator(params, kindDrafts(aggregateResults(reply.result ?? '', GETTERS.length), params)),
  learn: (reply, params): Readonly<Record<string, Json>> => {
    const owner = adminOwner(aggregateResults(reply.result ?? '', GETTERS.length), params);
    return owner === null ? {} : { 'evm_rpc.adminOwner': owner };
  },
});

function callsOf(params: Params) {
  return GETTERS.map((functionName) => ({
    to: String(params.account) as Hex,
    data: encodeFunctionData({ abi: ABI, functionName }),
  }));
}

/** Who is looked at, at every operator. Which powers the owner has comes from a scanner of the source code. */
function subjects(facts: Facts): readonly Params[] {
  const asset = tokenOf(facts);
  if (asset === null) return [];
  const { learned } = facts;
  const owner = live(learned['evm_rpc.owner']);
  const admin =
    live(learned['evm_rpc.slot.admin']) ??
    live(learned['evm_rpc.slot.zeppelinAdmin']) ??
    live(learned['evm_rpc.slot.beacon']);
  const adminOwner = live(learned['evm_rpc.adminOwner']);
  const powers = learned['goplus.powers'];
  const rows: { account: string; role: Role }[] = [];
  if (owner !== null) {
    rows.push({ account: owner, role: 'owner' });
    if (has(powers, 'mint')) rows.push({ account: owner, role: 'mint' });
    if (has(powers, 'freeze')) rows.push({ account: owner, role: 'freeze' });
    if (ownerUpgrades(learned)) rows.push({ account: owner, role: 'upgrade' });
  }
  if (admin !== null) rows.push({ account: admin, role: 'admin' });
  if (adminOwner !== null) rows.push({ account: adminOwner, role: 'upgrade' });
  return asset.bases.flatMap((base) => rows.map((row) => ({ base, token: asset.token, ...row })));
}

/** UUPS: an implementation, and neither admin nor beacon; the upgrade is a function that the owner guards. */
function ownerUpgrades(learned: Facts['learned']): boolean {
  return (
    live(learned['evm_rpc.slot.implementation']) !== null &&
    learned['evm_rpc.slot.admin'] === ZERO_ADDRESS &&
    learned['evm_rpc.slot.beacon'] === ZERO_ADDRESS
  );
}

function live(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== ZERO_ADDRESS ? value : null;
}

function has(powers: Json | undefined, power: string): boolean {
  return (
    typeof powers === 'object' &&
    powers !== null &&
    !Array.isArray(powers) &&
    (powers as Readonly<Record<string, Json>>)[power] === true
  );
}

function kindDrafts(values: readonly (Hex | null)[] | null, params: Params): readonly ObservationDraft[] {
  if (values === null) return [];
  const [masterCopy, threshold, minDelay, delay] = values;
  const singleton = SAFE_SINGLETONS.get(addressOf(masterCopy) ?? '');
  const needed = uintOf(threshold);
  if (params.code === 'safe_proxy' && singleton !== undefined && needed !== null && needed > 0n) {
    return needed >= 2n
      ? stateDrafts(params, 'multisig', `Safe ${singleton}, ${needed} signatures needed`)
      : stateDrafts(params, 'eoa', `Safe ${singleton} that one signature satisfies`);
  }
  if (adminOwner(values, params) !== null) return [];
  const seconds = uintOf(minDelay) ?? uintOf(delay);
  // A delay that a contract states of itself is no proof that it keeps it, nor of who stands behind it.
  return stateDrafts(
    params,
    'contract',
    seconds === null ? 'a contract of unknown kind' : `a contract that states a delay of ${seconds} s, not proven`,
  );
}

/** The owner of a proxy's admin contract: who really upgrades. */
function adminOwner(values: readonly (Hex | null)[] | null, params: Params): string | null {
  if (params.role !== 'admin' || params.code === 'safe_proxy') return null;
  const owner = addressOf(values?.[GETTERS.indexOf('owner')]);
  return owner === ZERO_ADDRESS ? null : owner;
}

function stateDrafts(params: Params, state: 'eoa' | 'multisig' | 'contract', why: string): readonly ObservationDraft[] {
  const role = params.role;
  if (role !== 'owner' && role !== 'mint' && role !== 'freeze' && role !== 'admin' && role !== 'upgrade') return [];
  const issuer =
    role === 'mint' || role === 'freeze'
      ? regulatedIssuer(chainOfBase(String(params.base)), String(params.token))
      : null;
  if (issuer !== null) return [];
  const power = role === 'mint' || role === 'freeze' ? `owner of a contract with a ${role} function: ${why}` : why;
  return [
    { quantity: STATE_OF[role], value: state, meaning: power },
    ...(role === 'mint'
      ? [
          {
            quantity: 'mint_authority' as const,
            value: String(params.account),
            meaning: 'owner of a contract with a mint function',
          },
        ]
      : []),
    ...(role === 'freeze'
      ? [
          {
            quantity: 'freeze_authority' as const,
            value: String(params.account),
            meaning: 'owner of a contract that can block or pause',
          },
        ]
      : []),
  ];
}
