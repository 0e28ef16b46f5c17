import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import {
  type Abi,
  type Address,
  createTestClient,
  type Hex,
  http,
  type PublicClient,
  publicActions,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  walletActions,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';

/** Anvil's published development keys. */
const KEYS: readonly Hex[] = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
];

const CHAIN = {
  id: 1,
  name: 'anvil',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
} as const;

export interface Anvil {
  readonly url: string;
  readonly client: ReturnType<typeof clientOf>;
  readonly accounts: readonly PrivateKeyAccount[];
  deploy(abi: Abi, bytecode: Hex, args?: readonly unknown[]): Promise<Address>;
  /** Sends a call and waits for its receipt; throws when it reverts. */
  send(address: Address, abi: Abi, functionName: string, args?: readonly unknown[]): Promise<void>;
  /** The receipt of a transaction, as soon as the chain has it; throws after a minute. */
  receipt(hash: Hex): Promise<TransactionReceipt>;
  read(address: Address, abi: Abi, functionName: string, args?: readonly unknown[]): Promise<unknown>;
  mine(blocks: number): Promise<void>;
  stop(): Promise<void>;
}

/** A real EVM chain of its own on a free loopback port. */
export async function startAnvil(): Promise<Anvil> {
  const child = spawn(
    binary(),
    ['--port', '0', '--host', '127.0.0.1', '--chain-id', '1', '--code-size-limit', '100000'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const url = `http://${await listening(child)}`;
  const accounts = KEYS.map((key) => privateKeyToAccount(key));
  const client = clientOf(url, accounts[0] as PrivateKeyAccount);
  const done = async (hash: Hex) => {
    const receipt = await receiptFrom(client, hash);
    if (receipt.status !== 'success') throw new Error('the transaction reverted');
    return receipt;
  };
  return {
    url,
    client,
    accounts,
    async deploy(abi, bytecode, args = []) {
      const receipt = await done(await client.deployContract({ abi, bytecode, args } as never));
      if (!receipt.contractAddress) throw new Error('nothing was deployed');
      return receipt.contractAddress;
    },
    async send(address, abi, functionName, args = []) {
      // Estimates are made a block earlier, and a swap that then writes an oracle slot would run out.
      await done(await client.writeContract({ address, abi, functionName, args, gas: 8_000_000n } as never));
    },
    receipt: (hash) => receiptFrom(client, hash),
    read: (address, abi, functionName, args = []) => client.readContract({ address, abi, functionName, args } as never),
    mine: (blocks) => client.mine({ blocks }),
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/**
 * Polls for the receipt itself. viem's own waiting looks again only when a block follows, and none does on a chain that
 * makes one per transaction when the receipt is written just after the first look.
 */
async function receiptFrom(
  client: Pick<PublicClient, 'getTransactionReceipt'>,
  hash: Hex,
): Promise<TransactionReceipt> {
  const until = performance.now() + 60_000;
  for (;;) {
    try {
      return await client.getTransactionReceipt({ hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || performance.now() > until) throw error;
      await setTimeout(5);
    }
  }
}

function clientOf(url: string, account: PrivateKeyAccount) {
  return createTestClient({ chain: CHAIN, mode: 'anvil', transport: http(url), account })
    .extend(publicActions)
    .extend(walletActions);
}

function binary(): string {
  const require = createRequire(import.meta.url);
  const platform = `${process.platform === 'darwin' ? 'darwin' : 'linux'}-${process.arch === 'x64' ? 'amd64' : 'arm64'}`;
  return require.resolve(`@foundry-rs/anvil-${platform}/bin/anvil`, {
    paths: [require.resolve('@foundry-rs/anvil/package.json')],
  });
}

async function listening(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const found = /Listening on ([\d.]+:\d+)/.exec(line)?.[1];
    if (found) {
      child.stdout.resume();
      return found;
    }
  }
  throw new Error('anvil ended before it listened');
}
