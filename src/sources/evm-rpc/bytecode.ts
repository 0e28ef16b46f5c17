export interface CodeFacts {
  /** False for a plain account; an EIP-7702 delegation is still an account with a key. */
  readonly isContract: boolean;
  /** EIP-1167 clone: the address it forwards to, for good. */
  readonly cloneOf: string | null;
  /** The code of a Safe proxy, which forwards to the singleton in slot 0. */
  readonly isSafeProxy: boolean;
  /** The opcode is in the code, outside push data. False proves that the contract cannot do it. */
  readonly canDelegate: boolean;
  readonly canSelfDestruct: boolean;
}

const CLONE = /^363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/;
const DELEGATION = /^ef0100[0-9a-f]{40}$/;
/**
 * Executable part of every Safe proxy from 1.1.1 to 1.5.0; what follows is compiler metadata behind INVALID (fe).
 * Checked against deployed proxies of 1.1.1, 1.3.0 and 1.4.1. A contract that only answers like a Safe does not match.
 */
const SAFE_PROXY =
  '608060405273ffffffffffffffffffffffffffffffffffffffff600054167fa619486e0000000000000000000000000000000000000000000000000000000060003514156050578060005260206000f35b3660008037600080366000845af43d6000803e60008114156070573d6000fd5b3d6000f3fe';
const SAFE_PROXY_LONGEST = 2 * 200;
const DELEGATECALL = 0xf4;
const CALLCODE = 0xf2;
const SELFDESTRUCT = 0xff;

/** Reads runtime code as `eth_getCode` gives it; null when it is no hex. Opcodes by a linear walk over push data. */
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
