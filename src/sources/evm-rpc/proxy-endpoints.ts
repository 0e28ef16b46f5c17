import { addressOf, ZERO_ADDRESS } from '../../chains/index.ts';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import { classifyRpc, rpcCall } from '../json-rpc.ts';
import { type Endpoint, endpoint } from '../source.ts';
import { readCode } from './bytecode.ts';
import { fromOperator, HEX_REPLY, tokenOf } from './operators.ts';

/** Params `{base, token}`. Learns `evm_rpc.delegates.<base>`: whether the storage slots of proxies are worth reading. */
export const codeEndpoint: Endpoint = endpoint({
  name: 'code',
  doc: 'eth_getCode of the token: EIP-1167 clone, and whether DELEGATECALL or SELFDESTRUCT are in it at all. A contract without DELEGATECALL cannot be a proxy.',
  critical: true,
  plan: (facts) => {
    const asset = tokenOf(facts);
    return asset === null ? [] : asset.bases.map((base) => ({ base, token: asset.token }));
  },
  request: (params) => rpcCall(String(params.base), 'eth_getCode', [params.token ?? null, 'latest']),
  reply: HEX_REPLY,
  classify: (reply) => {
    const verdict = classifyRpc(reply);
    if (verdict.outcome !== 'ok') return verdict;
    const code = readCode(reply.result ?? '');
    if (code === null) return { outcome: 'malformed' as const, detail: 'expected hex code' };
    return code.isContract
      ? verdict
      : { outcome: 'not_found' as const, detail: 'there is no contract at this address' };
  },
  observe: (reply, params) => fromOperator(params, codeDrafts(reply.result ?? '')),
  learn: (reply, params): Readonly<Record<string, Json>> => {
    const code = readCode(reply.result ?? '');
    return code?.canDelegate === true && code.cloneOf === null
      ? { [`evm_rpc.delegates.${String(params.base)}`]: true }
      : {};
  },
});

function codeDrafts(hex: string): readonly ObservationDraft[] {
  const code = readCode(hex);
  if (code === null || !code.isContract) return [];
  if (code.cloneOf !== null) {
    return [
      { quantity: 'is_proxy', value: false, meaning: 'EIP-1167 clone: forwards to one address for good' },
      { quantity: 'proxy_admin_state', value: 'immutable', meaning: 'EIP-1167 clone' },
      { quantity: 'proxy_implementation', value: code.cloneOf, meaning: 'EIP-1167 clone' },
    ];
  }
  return [
    ...(code.canDelegate
      ? []
      : [{ quantity: 'is_proxy' as const, value: false, meaning: 'the code has no DELEGATECALL' }]),
    ...(code.canSelfDestruct || code.canDelegate
      ? []
      : [{ quantity: 'self_destruct' as const, value: false, meaning: 'the code has no SELFDESTRUCT' }]),
  ];
}

/** Slots: EIP-1967 (keccak of the label minus 1) and the older OpenZeppelin ones (keccak of the label), which USDC still uses. */
const SLOTS = {
  implementation: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  admin: '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  zeppelinImplementation: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
  zeppelinAdmin: '0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b',
} as const;
type Slot = keyof typeof SLOTS;

/** Params `{base, token, slot}`, one request a slot (some keyless nodes refuse batches). Learns `evm_rpc.slot.<slot>`. */
export const proxySlotsEndpoint: Endpoint = endpoint({
  name: 'proxy_slots',
  doc: 'eth_getStorageAt of the proxy slots: EIP-1967 implementation, admin, beacon, and the older OpenZeppelin pair. https://eips.ethereum.org/EIPS/eip-1967',
  critical: true,
  plan: (facts) => {
    const asset = tokenOf(facts);
    const bases = asset?.bases.filter((base) => facts.learned[`evm_rpc.delegates.${base}`] === true) ?? [];
    return bases.flatMap((base) => Object.keys(SLOTS).map((slot) => ({ base, token: asset?.token ?? null, slot })));
  },
  request: (params) =>
    rpcCall(String(params.base), 'eth_getStorageAt', [
      params.token ?? null,
      isSlot(params.slot) ? SLOTS[params.slot] : null,
      'latest',
    ]),
  reply: HEX_REPLY,
  classify: (reply) => classifyRpc(reply),
  observe: (reply, params) => {
    const address = addressOf(reply.result);
    if (address === null || address === ZERO_ADDRESS || !isSlot(params.slot)) return [];
    return fromOperator(params, slotDrafts(params.slot, address));
  },
  learn: (reply, params): Readonly<Record<string, Json>> => {
    const address = addressOf(reply.result);
    return address === null || !isSlot(params.slot) ? {} : { [`evm_rpc.slot.${params.slot}`]: address };
  },
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
