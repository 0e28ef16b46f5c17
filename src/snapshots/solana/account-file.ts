import type { SolanaAccount } from '../../chains/index.ts';

/** A file of accounts: the one that is asked for, and others beside it. `slot` is 0 where the file tells none. */
export interface AccountFile {
  readonly account: SolanaAccount;
  readonly others: readonly SolanaAccount[];
  readonly slot: number;
}

export type AccountFileReading =
  | { readonly ok: true; readonly value: AccountFile }
  | { readonly ok: false; readonly detail: string };

/** Accounts cannot be larger on chain. */
const LARGEST_DATA = 10 * 1024 * 1024;
const MOST_OTHERS = 1_000;

/**
 * Reads an account as `solana account --output json` writes it (`pubkey`, `account`), as getAccountInfo answers
 * (`result.value`), or bare; a list `accounts` of the same forms may stand beside it. An account without an address has ''.
 */
export function readAccountFile(json: unknown): AccountFileReading {
  if (!isRecord(json)) return { ok: false, detail: 'expected a JSON object with an account' };
  const account = accountOf(json);
  if (typeof account === 'string') return { ok: false, detail: account };
  const beside = json.accounts ?? [];
  if (!Array.isArray(beside) || beside.length > MOST_OTHERS) {
    return { ok: false, detail: `accounts: expected a list of at most ${MOST_OTHERS} accounts` };
  }
  const others: SolanaAccount[] = [];
  for (const [index, entry] of beside.entries()) {
    const other = isRecord(entry) ? accountOf(entry) : 'expected an object';
    if (typeof other === 'string') return { ok: false, detail: `accounts[${index}]: ${other}` };
    others.push(other);
  }
  return { ok: true, value: { account, others, slot: slotOf(json) } };
}

/** The account, or what is wrong with it. */
function accountOf(json: Readonly<Record<string, unknown>>): SolanaAccount | string {
  const result = isRecord(json.result) ? json.result : json;
  const inner = [result.value, json.account, result].find((candidate) => isRecord(candidate) && 'owner' in candidate);
  if (!isRecord(inner)) return 'expected an account with data and owner';
  const { data, owner, lamports } = inner;
  const address = json.pubkey ?? json.address ?? inner.pubkey ?? '';
  if (typeof owner !== 'string') return 'owner: expected the address of a program';
  if (typeof address !== 'string') return 'pubkey: expected an address';
  if (!Array.isArray(data) || typeof data[0] !== 'string' || data[1] !== 'base64') {
    return 'data: expected ["...", "base64"]; ask the RPC for encoding base64';
  }
  if (data[0].length > (LARGEST_DATA * 4) / 3 + 4) return 'data: longer than an account can be (10 MiB)';
  try {
    const bytes = Uint8Array.fromBase64(data[0]);
    const whole = typeof lamports === 'number' && Number.isSafeInteger(lamports) ? BigInt(lamports) : 0n;
    return { address, owner, lamports: whole, data: bytes };
  } catch {
    return 'data: not base64';
  }
}

function slotOf(json: Readonly<Record<string, unknown>>): number {
  const context = isRecord(json.result) ? json.result.context : json.context;
  const slot = isRecord(context) ? context.slot : undefined;
  return typeof slot === 'number' && Number.isSafeInteger(slot) && slot >= 0 ? slot : 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
