import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../domain/index.ts';
import {
  advanceNextRating,
  type Database,
  monitoredByName,
  noteKeys,
  type UnreadLaunch,
  unreadKeys,
  unreadLaunches,
} from '../store/index.ts';

/** An exploit of a public list. */
export interface ListedExploit {
  readonly name: string;
  /** Milliseconds. */
  readonly at: number;
}

/** Older exploits are included in the ratings that were made since. */
const RECENT_MS = 14 * DAY_MS;
const MOST_REMEMBERED = 10_000;

/**
 * Creates one turn over a public list of exploits: monitored assets with the name of a newly listed project that were
 * not rated since are rated again at once. A name proves nothing, but justifies a new rating.
 */
export function createExploitWatch(
  db: Database,
  list: () => Promise<readonly ListedExploit[] | null>,
  now: () => number,
): () => Promise<readonly string[]> {
  const known = new LRUCache<string, true>({ max: MOST_REMEMBERED });
  return async () => {
    const listed = await list();
    if (listed === null) return [];
    const at = now();
    const unseen = listed.filter(
      (one) => Math.abs(at - one.at) < RECENT_MS && !known.has(`${one.at} ${one.name.toLowerCase()}`),
    );
    const present = new Date(at).toISOString();
    const meant = await monitoredByName(db, [...new Set(unseen.map((one) => one.name.toLowerCase()))], present);
    const hastened: string[] = [];
    for (const { asset_id: assetId } of meant)
      if (await advanceNextRating(db, assetId, present, 'exploit_listed')) hastened.push(assetId);
    for (const one of unseen) known.set(`${one.at} ${one.name.toLowerCase()}`, true);
    return hastened;
  };
}

/**
 * Reads the holders of the keys of some contracts: one text per address, constant as long as nothing changes; null for
 * one that cannot be read. Null for all when the chain does not respond.
 */
export type ReadKeys = (addresses: readonly string[]) => Promise<readonly (string | null)[] | null>;

export interface KeyChain {
  readonly chain: string;
  readonly read: ReadKeys;
  /** Assets checked in one turn. */
  readonly atOnce: number;
}

/** Interval at which keys are read, whatever the asset's cadence. */
const EVERY_MS = 600_000;

/** One turn over the chains: monitored assets whose keys changed are rated again at once. Returns them. */
export async function watchKeys(
  db: Database,
  chains: readonly KeyChain[],
  now: () => number,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const { chain, read, atOnce } of chains) {
    const before = new Date(now() - EVERY_MS).toISOString();
    const due = await unreadKeys(db, chain, before, atOnce);
    if (due.length === 0) continue;
    const keys = await read(due.map((one) => one.address));
    // A chain without a reply shows no change; the same assets are first in the next turn.
    if (keys === null) continue;
    const sightings = due.map((one, index) => ({ assetId: one.asset_id, keys: keys[index] ?? null }));
    changed.push(...(await noteKeys(db, sightings, new Date(now()).toISOString())));
  }
  return changed;
}

/** Reads and stores the launch of an asset. True: a bundle was found. Null: no capacity now, try again. */
export type ReadLaunch = (launch: UnreadLaunch) => Promise<boolean | null>;

/** Delay until the same process retries a launch that could not be read. */
const LAUNCH_AGAIN_MS = DAY_MS / 4;
const LAUNCHES_LISTED = 200;

/**
 * Creates one turn over monitored assets without a stored launch, one launch per turn: reading takes hundreds of
 * requests at nodes that ratings use too. An asset with a bundled launch is rated again at once. The turn returns the
 * asset that it processed.
 */
export function createLaunchWatch(
  db: Database,
  chains: readonly string[],
  read: ReadLaunch,
  now: () => number,
): () => Promise<string | null> {
  const tried = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  return async () => {
    // Tried ones come first again while they are unread: they must not hide the others.
    const unread = await unreadLaunches(db, chains, LAUNCHES_LISTED + tried.size);
    const next = unread.find(
      ({ assetId }) => now() - (tried.get(assetId) ?? Number.NEGATIVE_INFINITY) > LAUNCH_AGAIN_MS,
    );
    if (next === undefined) return null;
    const bundled = await read(next);
    if (bundled === null) return null;
    tried.set(next.assetId, now());
    if (bundled) await advanceNextRating(db, next.assetId, new Date(now()).toISOString(), 'launch_read');
    return next.assetId;
  };
}

const LAUNCHES_EVERY_MS = 60_000;
const KEYS_EVERY_MS = 60_000;
const EXPLOITS_EVERY_MS = 600_000;

/**
 * Watches monitored assets between their ratings: changed keys, listed exploits and bundled launches cause a rating at
 * once.
 */
export function openEventWatch(
  db: Database,
  chains: readonly KeyChain[],
  listedExploits: () => Promise<readonly ListedExploit[] | null>,
  launches: () => Promise<unknown>,
  now: () => number,
  onError: (error: unknown, what: string) => void,
): { readonly start: () => void; readonly close: () => Promise<void> } {
  const exploits = createExploitWatch(db, listedExploits, now);
  const timers: NodeJS.Timeout[] = [];
  let running: Promise<unknown> = Promise.resolve();
  const every = (milliseconds: number, what: string, work: () => Promise<unknown>) => {
    let isWaiting = false;
    // A turn that waits for its time includes the later ones: reading a launch may take longer than the interval.
    const turn = () => {
      if (isWaiting) return;
      isWaiting = true;
      running = running
        .then(work)
        .catch((error: unknown) => onError(error, what))
        .finally(() => {
          isWaiting = false;
        });
    };
    timers.push(setInterval(turn, milliseconds).unref());
  };
  return {
    start() {
      every(KEYS_EVERY_MS, 'watching keys', () => watchKeys(db, chains, now));
      every(EXPLOITS_EVERY_MS, 'watching exploits', exploits);
      every(LAUNCHES_EVERY_MS, 'reading launches', launches);
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await running;
    },
  };
}
