import assert from 'node:assert/strict';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  holdersSnapshot,
  JUP,
  MINT,
  marketSnapshot,
  pool,
  poolsSnapshot,
  solanaAsset,
  UNI,
} from './chain-snapshots.ts';
import { type ChainWorld, chainWorld } from './chain-world.ts';
import { memoryExports } from './memory-chain.ts';

const START = '2026-11-20T12:34:56.000Z';
const TWIN_A = solanaAsset('So11111111111111111111111111111111111111112', 'TWIN');
const TWIN_B = solanaAsset('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'twin');

export const HOSTILE = solanaAsset(
  'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So',
  '=cmd|x',
  '<script>alert("1")</script>\u202e=1+1',
);

const EMPTY = solanaAsset('7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', 'EMPTY');
export const CSV = Buffer.from('a,b\r\n1,2\r\n');
export const JSON_DAY = Buffer.from('[{"a":1},{"a":2}]');

/** Chain data as the tests of the chain routes ask for it: assets with snapshots, twins, one that is empty, a hostile name. */
export async function chainApiWorld(): Promise<ChainWorld> {
  const world = await chainWorld(
    START,
    {},
    {
      exports: memoryExports({ 'solana-2026-11-19.json': JSON_DAY, 'solana-2026-11-19.csv': CSV }),
      indexerStatus: async () => ({
        lag: [
          {
            chain: 'solana',
            kind: 'market',
            assets: 4,
            due: 0,
            running: 1,
            lateSecondsP50: 0,
            lateSecondsP99: 2,
            failing: 0,
            died: 0,
            lastStoredAt: '2026-11-20T12:34:30.000Z',
          },
        ],
        closed: [{ chain: 'solana', day: '2026-11-19' }],
      }),
    },
  );
  world.reader.assets.push(JUP, UNI, TWIN_A, TWIN_B, HOSTILE, EMPTY);
  for (const time of ['10:10:00', '11:58:00', '12:29:00', '12:34:30'])
    world.reader.put(marketSnapshot(JUP, `2026-11-20T${time}.000Z`));
  world.reader.put(marketSnapshot(UNI, '2026-11-20T12:34:00.000Z'));
  world.reader.put(marketSnapshot(HOSTILE, '2026-11-20T12:34:00.000Z'));
  world.reader.put(holdersSnapshot(JUP, '2026-11-20T11:30:00.000Z'));
  const pools = Array.from({ length: 12 }, (_, index) => pool(`pool${index}`, index * 1_000, index % 2 === 0));
  world.reader.put(poolsSnapshot(JUP, '2026-11-20T12:30:00.000Z', [...pools, pool('unknown', null, false)]));
  return world;
}

export async function read<Body = Record<string, unknown>>(reply: Response): Promise<Body> {
  return (await reply.json()) as Body;
}

/** The body is what the schema documents. */
export function fits(schema: TSchema, body: unknown): void {
  const validator = Compile(schema);
  assert.ok(validator.Check(body), JSON.stringify([...validator.Errors(body)].slice(0, 3)));
}

/** Path of a market snapshot on Solana. */
export const market = (asset = MINT) => `/v1/solana/market/${encodeURIComponent(asset)}/snapshot`;
