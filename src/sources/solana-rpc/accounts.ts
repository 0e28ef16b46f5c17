import Type from 'typebox';
import { fromBase64 } from '../../chains/index.ts';
import { rpcReply } from '../json-rpc.ts';

/** An account as `getAccountInfo` and `getMultipleAccounts` give it with base64 (recorded replies of mainnet, agave 3.1). */
const ACCOUNT = Type.Object({
  data: Type.Tuple([Type.String(), Type.Literal('base64')]),
  owner: Type.String(),
  executable: Type.Optional(Type.Boolean()),
});
const CONTEXT = Type.Object({ slot: Type.Number() });

export const ONE_ACCOUNT = rpcReply(Type.Object({ context: CONTEXT, value: Type.Union([Type.Null(), ACCOUNT]) }));
export const MANY_ACCOUNTS = rpcReply(
  Type.Object({ context: CONTEXT, value: Type.Array(Type.Union([Type.Null(), ACCOUNT])) }),
);
export const TOKEN_AMOUNT = Type.Object({
  amount: Type.String(),
  decimals: Type.Integer(),
  uiAmountString: Type.Optional(Type.String()),
});
export const SUPPLY = rpcReply(Type.Object({ context: CONTEXT, value: TOKEN_AMOUNT }));
export const LARGEST = rpcReply(
  Type.Object({ context: CONTEXT, value: Type.Array(Type.Object({ address: Type.String(), amount: Type.String() })) }),
);

export interface RawAccount {
  readonly data: readonly [string, string];
  readonly owner: string;
  readonly executable?: boolean;
}

export interface Account {
  readonly owner: string;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

/** The account with its bytes; null when it does not exist or its bytes are not base64. */
export function readAccount(raw: RawAccount | null | undefined): Account | null {
  const data = raw ? fromBase64(raw.data[0]) : null;
  return raw && data ? { owner: raw.owner, data, executable: raw.executable === true } : null;
}
