import { addressOf, isBurnAddress, uintOf, ZERO_ADDRESS } from '../../chains/index.ts';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import { HEX, multicallEndpoint, Refusal, type Returned, rpcEndpoint } from '../json-rpc.ts';
import { observed } from '../observations.ts';
import { fieldsOf } from '../read.ts';
import { holderOfPower } from '../regulated-issuers.ts';
import { type Facts, fact, type Params } from '../source.ts';
import { callOf, chainOfBase, tokenAtEach, tokenOf } from './operators.ts';

export interface CodeFacts {
  /** False for an account with a key, including one with an EIP-7702 delegation. */
  readonly isContract: boolean;
  /** EIP-1167 clone: the fixed address that it forwards to. */
  readonly cloneOf: string | null;
  /** True for the code of a Safe proxy, which forwards to the singleton in slot 0. */
  readonly isSafeProxy: boolean;
  /** True if the opcode occurs outside push data. False proves that the contract cannot execute it. */
  readonly canDelegate: boolean;
  readonly canSelfDestruct: boolean;
}

const CLONE = /^363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/;
const DELEGATION = /^ef0100[0-9a-f]{40}$/;
/**
 * Executable part of every Safe proxy from 1.1.1 to 1.5.0; compiler metadata follows after INVALID (fe).
 * Checked against deployed proxies of 1.1.1, 1.3.0 and 1.4.1. A contract that only imitates the getters of a Safe does not match.
 */
const SAFE_PROXY =
  '608060405273ffffffffffffffffffffffffffffffffffffffff600054167fa619486e0000000000000000000000000000000000000000000000000000000060003514156050578060005260206000f35b3660008037600080366000845af43d6000803e60008114156070573d6000fd5b3d6000f3fe';
const SAFE_PROXY_LONGEST = 2 * 200;
const DELEGATECALL = 0xf4;
const CALLCODE = 0xf2;
const SELFDESTRUCT = 0xff;

/** Reads runtime code as returned by `eth_getCode`; null if it is not hex. A linear scan for opcodes skips push data. */
export function readCode(code: string): CodeFacts | null {
  if (!/^0x([0-9a-fA-F]{2})*$/.test(code)) return null;
  const hex = code.slice(2).toLowerCase();
  if (hex === '' || DELEGATION.test(hex))
    return { isContract: false, cloneOf: null, isSafeProxy: false, canDelegate: false, canSelfDestruct: false };
  const clone = CLONE.exec(hex);
  const opcodes = opcodesOf(hex);
  return {
    isContract: true,
    cloneOf: clone ? `0x${clone[1]}` : null,
    isSafeProxy: hex.startsWith(SAFE_PROXY) && hex.length <= SAFE_PROXY_LONGEST,
    canDelegate: opcodes.has(DELEGATECALL) || opcodes.has(CALLCODE),
    canSelfDestruct: opcodes.has(SELFDESTRUCT),
  };
}

function opcodesOf(hex: string): ReadonlySet<number> {
  const seen = new Set<number>();
  const bytes = Uint8Array.fromHex(hex);
  for (let at = 0; at < bytes.length; at += 1) {
    const opcode = bytes[at] ?? 0;
    seen.add(opcode);
    if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f;
  }
  return seen;
}

/** Canonical Safe singletons by version (safe-global/safe-deployments, src/assets), lower-case. */
export const SAFE_SINGLETONS: ReadonlyMap<string, string> = new Map([
  ['0x34cfac646f301356faa8b21e94227e3583fe3f5f', '1.1.1'],
  ['0x6851d6fdfafd08c0295c392436245e5bc78b0185', '1.2.0'],
  ['0xd9db270c1b5e3bd161e8c8503c55ceabee709552', '1.3.0'],
  ['0x69f4d1788e39c87893c980c06edf4b7f686e2938', '1.3.0'],
  ['0x3e5c63644e683549055b9be8653de26e0b4cd36e', '1.3.0 L2'],
  ['0xfb1bffc9d739b8d520daf37df666da4c687191ea', '1.3.0 L2'],
  ['0x41675c099f32341bf84bfc5382af534df5c7461a', '1.4.1'],
  ['0x29fcb43b46531bca003ddc8fcb67ffe91900c762', '1.4.1 L2'],
  ['0xff51a5898e281db6dfc7855790607438df2ca44b', '1.5.0'],
  ['0xedd160febbd92e350d4d398fb636302fccd67c7e', '1.5.0 L2'],
]);

/** Params `{base, token}`. Learns `evm_rpc.delegates.<base>`: true if the contract may be a proxy, so that its storage slots are read. */
export const codeEndpoint = rpcEndpoint({
  name: 'code',
  doc: 'eth_getCode of the token: EIP-1167 clone, and whether the code contains DELEGATECALL or SELFDESTRUCT. A contract without DELEGATECALL cannot be a proxy.',
  critical: true,
  plan: tokenAtEach,
  call: (params) => ['eth_getCode', [params.token ?? null, 'latest']],
  result: HEX,
  read: (hex) => {
    const code = readCode(hex);
    if (code === null) return new Refusal('malformed', 'expected hex code');
    return code.isContract ? code : new Refusal('not_found', 'there is no contract at this address');
  },
  observe: codeDrafts,
  learn: ({ canDelegate, cloneOf }, { base }) =>
    fact(`evm_rpc.delegates.${String(base)}`, canDelegate && cloneOf === null ? true : null),
});

function codeDrafts(code: CodeFacts): readonly ObservationDraft[] {
  if (code.cloneOf !== null)
    return [
      ...observed('is_proxy', false, 'EIP-1167 clone: forwards to one address permanently'),
      ...observed('proxy_admin_state', 'immutable', 'EIP-1167 clone'),
      ...observed('proxy_implementation', code.cloneOf, 'EIP-1167 clone'),
    ];
  const canDestruct = code.canSelfDestruct || code.canDelegate;
  return [
    ...observed('is_proxy', code.canDelegate ? null : false, 'the code has no DELEGATECALL'),
    ...observed('self_destruct', canDestruct ? null : false, 'the code has no SELFDESTRUCT'),
  ];
}

/** Slots of EIP-1967 (keccak of the label minus 1), and the older OpenZeppelin slots (keccak of the label), which USDC still uses. */
const SLOTS = {
  implementation: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  admin: '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  zeppelinImplementation: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
  zeppelinAdmin: '0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b',
} as const;
type Slot = keyof typeof SLOTS;

/** Params `{base, token, slot}`, one request for each slot (some keyless nodes reject batches). Learns `evm_rpc.slot.<slot>`. */
export const proxySlotsEndpoint = rpcEndpoint({
  name: 'proxy_slots',
  doc: 'eth_getStorageAt of the proxy slots: EIP-1967 implementation, admin, beacon, and the older OpenZeppelin pair. https://eips.ethereum.org/EIPS/eip-1967',
  critical: true,
  plan: (facts) =>
    tokenAtEach(facts)
      .filter(({ base }) => facts.learned[`evm_rpc.delegates.${String(base)}`] === true)
      .flatMap((params) => Object.keys(SLOTS).map((slot) => ({ ...params, slot }))),
  call: ({ token = null, slot }) => ['eth_getStorageAt', [token, isSlot(slot) ? SLOTS[slot] : null, 'latest']],
  result: HEX,
  read: addressOf,
  observe: (address, { slot }) =>
    address === null || address === ZERO_ADDRESS || !isSlot(slot) ? [] : slotDrafts(slot, address),
  learn: (address, { slot }) => (isSlot(slot) ? fact(`evm_rpc.slot.${slot}`, address) : {}),
});

function isSlot(value: unknown): value is Slot {
  return typeof value === 'string' && Object.hasOwn(SLOTS, value);
}

function slotDrafts(slot: Slot, address: string): readonly ObservationDraft[] {
  const meaning = `proxy slot ${slot} is set`;
  if (slot === 'admin' || slot === 'zeppelinAdmin') return [];
  const proxy: ObservationDraft = { quantity: 'is_proxy', value: true, meaning };
  return slot === 'beacon' ? [proxy] : [proxy, { quantity: 'proxy_implementation', value: address, meaning }];
}

/** Role of an account for the token. `admin` is the contract in a proxy's admin or beacon slot, `upgrade` the account that controls it. */
const STATE_OF = {
  owner: 'owner_state',
  mint: 'mint_authority_state',
  freeze: 'freeze_authority_state',
  admin: 'proxy_admin_state',
  upgrade: 'proxy_admin_state',
} as const;
type Role = keyof typeof STATE_OF;

function isRole(value: unknown): value is Role {
  return typeof value === 'string' && Object.hasOwn(STATE_OF, value);
}

/** Params `{base, token, account, role}`. An account without code is controlled by one key. Learns `evm_rpc.contract.<account>`. */
export const accountCodeEndpoint = rpcEndpoint({
  name: 'account_code',
  doc: 'eth_getCode of the owner, the proxy admin and the account behind it: plain key or contract. EIP-7702 delegations are still plain keys.',
  critical: true,
  plan: subjects,
  call: (params) => ['eth_getCode', [params.account ?? null, 'latest']],
  result: HEX,
  read: readCode,
  observe: (code, params) =>
    code?.isContract === false ? stateDrafts(params, 'eoa', 'an account without code: one key') : [],
  learn: (code, params) =>
    code?.isContract === true
      ? { [`evm_rpc.contract.${String(params.account)}`]: code.isSafeProxy ? 'safe_proxy' : 'other' }
      : {},
});

const GETTERS = ['masterCopy()', 'getThreshold()', 'getMinDelay()', 'delay()', 'owner()'] as const;

/** Params `{base, token, account, role, code}`: kind of the contract at `account`. Learns `evm_rpc.adminOwner`. */
export const accountKindEndpoint = multicallEndpoint({
  name: 'account_kind',
  doc: 'One aggregate3 to the contract: Safe singleton and threshold, timelock delay, owner. Only a proven Safe (proxy code and singleton) counts as a multisig: any contract can implement getThreshold().',
  plan: (facts) =>
    subjects(facts).flatMap((params) => {
      const code = facts.learned[`evm_rpc.contract.${String(params.account)}`];
      return code === undefined ? [] : [{ ...params, code }];
    }),
  calls: ({ account }) => GETTERS.map((getter) => callOf(account, getter)),
  read: (values) => values,
  observe: kindDrafts,
  learn: (values, params) => fact('evm_rpc.adminOwner', adminOwner(values, params)),
});

/** Params for each account to check, at every node operator. The owner's powers are learned from a scanner of the source code. */
function subjects(facts: Facts): readonly Params[] {
  const asset = tokenOf(facts);
  if (asset === null) return [];
  const { learned } = facts;
  const owner = live(learned['evm_rpc.owner']);
  const admin = ['admin', 'zeppelinAdmin', 'beacon']
    .map((slot) => live(learned[`evm_rpc.slot.${slot}`]))
    .find((account) => account !== null);
  const powers = fieldsOf(learned['goplus.powers']);
  const rows: readonly (readonly [Role, string | null | undefined])[] = [
    ['owner', owner],
    ['mint', powers.mint === true ? owner : null],
    ['freeze', powers.freeze === true ? owner : null],
    ['upgrade', ownerUpgrades(learned) ? owner : null],
    ['admin', admin],
    ['upgrade', live(learned['evm_rpc.adminOwner'])],
  ];
  const known = rows.flatMap(([role, account]) => (account ? [{ account, role }] : []));
  return asset.bases.flatMap((base) => known.map((row) => ({ base, token: asset.token, ...row })));
}

/** UUPS: an implementation without admin or beacon. The upgrade is a function that only the owner may call. */
function ownerUpgrades(learned: Facts['learned']): boolean {
  return (
    live(learned['evm_rpc.slot.implementation']) !== null &&
    learned['evm_rpc.slot.admin'] === ZERO_ADDRESS &&
    learned['evm_rpc.slot.beacon'] === ZERO_ADDRESS
  );
}

function live(value: Json | undefined): string | null {
  return typeof value === 'string' && !isBurnAddress(value) ? value : null;
}

function kindDrafts(values: Returned, params: Params): readonly ObservationDraft[] {
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
  // A delay that a contract states about itself does not prove that it is enforced, or who controls the contract.
  return stateDrafts(
    params,
    'contract',
    seconds === null ? 'a contract of unknown kind' : `a contract that states a delay of ${seconds} s, not proven`,
  );
}

/** The owner of a proxy's admin contract, who controls upgrades. */
function adminOwner(values: Returned, params: Params): string | null {
  if (params.role !== 'admin' || params.code === 'safe_proxy') return null;
  const owner = addressOf(values[GETTERS.indexOf('owner()')]);
  return owner !== null && isBurnAddress(owner) ? null : owner;
}

function stateDrafts(params: Params, state: 'eoa' | 'multisig' | 'contract', why: string): readonly ObservationDraft[] {
  const { role, account, token } = params;
  if (!isRole(role)) return [];
  if (role !== 'mint' && role !== 'freeze') return observed(STATE_OF[role], state, why);
  if (holderOfPower(chainOfBase(params), String(token), role) !== null) return [];
  const power = role === 'mint' ? 'with a mint function' : 'that can block or pause';
  return [
    ...observed(STATE_OF[role], state, `owner of a contract with a ${role} function: ${why}`),
    ...observed(`${role}_authority`, String(account), `owner of a contract ${power}`),
  ];
}
