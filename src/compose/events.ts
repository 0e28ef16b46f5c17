import type { Hex } from '../chains/index.ts';
import { decodeMint, EVM_CHAINS } from '../chains/index.ts';
import { tellerOf } from '../domain/index.ts';
import { createExploitWatch, type KeyChain, type ReadKeys, watchKeys } from '../monitoring/index.ts';
import type { EvmReader } from '../snapshots/index.ts';
import { createEvmReader, createSolanaReader } from '../snapshots/index.ts';
import type { Database } from '../store/index.ts';
import type { Engine } from './engine.ts';
import { listedExploits } from './listed-exploits.ts';
import { nodesOf } from './nodes.ts';

const KEYS_EVERY_MS = 60_000;
const EXPLOITS_EVERY_MS = 600_000;
/** Mints come a hundred in one call. */
const MINTS_AT_ONCE = 1_000;
/** A contract costs a call of its own for its implementation. */
const CONTRACTS_AT_ONCE = 25;
const OWNER: Hex = '0x8da5cb5b';
/** EIP-1967: keccak256('eip1967.proxy.implementation') - 1, and the same of admin. */
const SLOTS: readonly Hex[] = [
  '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
];

/** What happens to monitored assets between their ratings: changed keys and listed exploits have them rated at once. */
export function openEvents(
  engine: Engine,
  db: Database,
  now: () => number,
  onError: (error: unknown, what: string) => void,
): { readonly start: () => void; readonly close: () => Promise<void> } {
  const chains = keyChains(engine);
  const exploits = createExploitWatch(db, () => listedExploits(engine), now);
  const timers: NodeJS.Timeout[] = [];
  let running: Promise<unknown> = Promise.resolve();
  const every = (milliseconds: number, what: string, work: () => Promise<unknown>) => {
    const timer = setInterval(() => {
      running = running.then(work).catch((error: unknown) => onError(error, what));
    }, milliseconds);
    timer.unref();
    timers.push(timer);
  };
  return {
    start() {
      every(KEYS_EVERY_MS, 'watching keys', () => watchKeys(db, chains, now));
      every(EXPLOITS_EVERY_MS, 'watching exploits', exploits);
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await running;
    },
  };
}

/** Who can read the keys of assets, chain by chain; chains without a node have no row. */
export function keyChains(engine: Pick<Engine, 'book' | 'upstream'>): readonly KeyChain[] {
  const solana = nodesOf(engine.book, tellerOf('solana_node'), ['main', 'second']).map(({ node }) => node);
  return [
    ...(solana.length === 0
      ? []
      : [{ chain: 'solana', atOnce: MINTS_AT_ONCE, read: mintKeys(createSolanaReader(engine.upstream, solana)) }]),
    ...EVM_CHAINS.flatMap(({ name }) => {
      const nodes = nodesOf(engine.book, tellerOf('evm_node'), [name, `${name}_2`]).map(({ node }) => node);
      return nodes.length === 0
        ? []
        : [{ chain: name, atOnce: CONTRACTS_AT_ONCE, read: contractKeys(createEvmReader(engine.upstream, nodes)) }];
    }),
  ];
}

function mintKeys(reader: ReturnType<typeof createSolanaReader>): ReadKeys {
  return async (addresses) => {
    const read = await reader.accounts(addresses);
    if (!read.ok) return null;
    return read.value.accounts.map((account) => {
      const mint = account && decodeMint(account.owner, account.data);
      return mint && `mint ${mint.mintAuthority ?? 'none'} freeze ${mint.freezeAuthority ?? 'none'}`;
    });
  };
}

function contractKeys(reader: EvmReader): ReadKeys {
  return async (addresses) => {
    const owners = await reader.calls(
      addresses.map((to) => ({ to: to as Hex, data: OWNER })),
      'latest',
    );
    if (!owners.ok) return null;
    return Promise.all(
      addresses.map(async (address, index) => {
        const words = await Promise.all(SLOTS.map((slot) => reader.storage(address as Hex, slot, 'latest')));
        if (words.some((word) => !word.ok)) return null;
        const [implementation, admin] = words.map((word) => (word.ok ? lastTwenty(word.value) : ''));
        return `owner ${lastTwenty(owners.value.results[index] ?? '0x')} implementation ${implementation} admin ${admin}`;
      }),
    );
  };
}

function lastTwenty(word: string): string {
  return /^0x[0-9a-fA-F]{64}$/.test(word) ? word.slice(-40).toLowerCase() : 'none';
}
