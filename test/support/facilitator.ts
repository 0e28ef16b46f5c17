import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hex, keccak256, recoverTypedDataAddress, toHex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';

/** EIP-3009, as x402 signs it. */
const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

export interface Requirements {
  readonly scheme: string;
  readonly network: string;
  readonly amount: string;
  readonly asset: Hex;
  readonly payTo: Hex;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string };
}
interface Authorization {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: Hex;
}
interface Sent {
  readonly paymentPayload: { readonly payload: { readonly signature: Hex; readonly authorization: Authorization } };
  readonly paymentRequirements: Requirements;
}

/** What the facilitator does instead of its work. */
export type Fault = 'silent' | 'error' | 'garbage' | 'prose' | 'no transaction' | 'other payer';

export interface LocalFacilitator {
  readonly url: string;
  /** Units that each address has, in lower case. */
  readonly balances: Map<string, bigint>;
  /** Transfers that were made. */
  readonly settled: { readonly from: string; readonly to: string; readonly value: bigint; readonly nonce: string }[];
  /** Paths asked, in order, and the whole of what was sent. */
  readonly asked: { readonly path: string; readonly body: string }[];
  readonly faults: { verify: Fault | null; settle: Fault | null };
  /** Called before a settlement is looked at. */
  beforeSettle: () => void;
  close(): Promise<void>;
}

function typed(authorization: Authorization, { network, asset, extra }: Requirements) {
  const { from, to, nonce } = authorization;
  return {
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    domain: { ...extra, chainId: Number(network.split(':')[1]), verifyingContract: asset },
    message: {
      from,
      to,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce,
    },
  } as const;
}

/** A facilitator over a ledger in memory: signatures by EIP-712, balances, and nonces that count once. */
export async function startFacilitator(): Promise<LocalFacilitator> {
  const balances = new Map<string, bigint>();
  const settled: LocalFacilitator['settled'] = [];
  const asked: LocalFacilitator['asked'] = [];
  const faults: LocalFacilitator['faults'] = { verify: null, settle: null };

  async function complaint({ paymentPayload, paymentRequirements }: Sent): Promise<string | null> {
    const { signature, authorization } = paymentPayload.payload;
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const signer = await recoverTypedDataAddress({ ...typed(authorization, paymentRequirements), signature }).catch(
      () => null,
    );
    if (signer?.toLowerCase() !== from.toLowerCase()) return 'invalid_exact_evm_payload_signature';
    if (to !== paymentRequirements.payTo) return 'invalid_exact_evm_payload_recipient_mismatch';
    if (value !== paymentRequirements.amount) return 'invalid_exact_evm_payload_authorization_value';
    const now = BigInt(Math.floor(Date.now() / 1000));
    if (BigInt(validAfter) > now || BigInt(validBefore) <= now)
      return 'invalid_exact_evm_payload_authorization_valid_before';
    if (settled.some((one) => one.from === from && one.nonce === nonce)) return 'invalid_transaction_state';
    return (balances.get(from.toLowerCase()) ?? 0n) < BigInt(value) ? 'insufficient_funds' : null;
  }

  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    const path = request.url ?? '';
    asked.push({ path, body });
    const step = path === '/verify' ? 'verify' : 'settle';
    const fault = faults[step];
    const send = (value: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (fault === 'silent') return;
    if (fault === 'error') return send({ error: 'down' }, 500);
    if (fault === 'garbage') return response.writeHead(200).end('<html>');
    if (step === 'settle') facilitator.beforeSettle();
    const sent = JSON.parse(body) as Sent;
    const { network } = sent.paymentRequirements;
    const { from: payer, to, value, nonce } = sent.paymentPayload.payload.authorization;
    const why = fault === 'prose' ? 'No! <script>alert(1)</script>' : await complaint(sent);
    if (step === 'verify')
      return send(
        why === null
          ? { isValid: true, payer: fault === 'other payer' ? to : payer }
          : { isValid: false, invalidReason: why, payer },
      );
    if (why !== null) return send({ success: false, errorReason: why, payer, transaction: '', network });
    balances.set(payer.toLowerCase(), (balances.get(payer.toLowerCase()) ?? 0n) - BigInt(value));
    settled.push({ from: payer, to, value: BigInt(value), nonce });
    const transaction = fault === 'no transaction' ? '' : keccak256(toHex(`${payer}${nonce}`));
    return send({ success: true, payer, transaction, network });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const facilitator: LocalFacilitator = {
    url: `http://127.0.0.1:${port}`,
    balances,
    settled,
    asked,
    faults,
    beforeSettle: () => undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return facilitator;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** What a payer may do differently from what was offered. */
export interface Changes {
  readonly authorization?: Partial<Authorization>;
  readonly accepted?: Readonly<Record<string, unknown>>;
  readonly signedFor?: Partial<Requirements>;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** A `PAYMENT-SIGNATURE` header for an offer, signed as a client would. */
export async function signPayment(account: PrivateKeyAccount, offered: Requirements, changes: Changes = {}) {
  const now = Math.floor(Date.now() / 1000);
  const authorization: Authorization = {
    from: account.address,
    to: offered.payTo,
    value: offered.amount,
    validAfter: String(now - 60),
    validBefore: String(now + offered.maxTimeoutSeconds),
    nonce: toHex(crypto.getRandomValues(new Uint8Array(32))),
    ...changes.authorization,
  };
  const signature = await account.signTypedData(typed(authorization, { ...offered, ...changes.signedFor }));
  const payload = {
    x402Version: 2,
    accepted: { ...offered, ...changes.accepted },
    payload: { signature, authorization, ...changes.payload },
    ...changes.more,
  };
  return Buffer.from(JSON.stringify(payload)).toString('base64');
}
