import { execFile } from 'node:child_process';
import { chmod, mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresServer } from '../../support/postgres-server.ts';
import { type Claim, chanceOf, pause } from '../claim.ts';
import { faultWorld } from '../fault-world.ts';
import { createLedger } from '../ledger.ts';
import { servesAgain } from '../serving.ts';

const exec = promisify(execFile);
const SIZE = '220m';
const SERVES_WITHIN_MS = 10_000;
/** Room that files have within themselves is used up first. */
const FULL_SECONDS = 40;
const REFUSALS = 10;

/** No room is left on the database’s disk. */
export const fullDisk: Claim = {
  name: 'full-disk',
  fault: 'the database’s file system (a small tmpfs) is filled to the last byte under load, and freed again later',
  promise:
    'writes are refused with a message (503 with Retry-After), /healthz responds, no acknowledged write is lost, and it serves again by itself when there is space',
  async run({ seed, cuts, patience }) {
    const mount = await mkdtemp(join(tmpdir(), 'assay-disk-'));
    const mounted = await exec('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0755`, 'tmpfs', mount]).then(
      () => true,
      () => false,
    );
    if (!mounted) {
      await rm(mount, { recursive: true, force: true });
      return {
        times: 0,
        broken: [],
        figures: {},
        skipped: 'a small file system cannot be mounted here (it takes root)',
      };
    }
    await chmod(mount, 0o755);
    const world = await faultWorld({ databaseFolder: join(mount, 'postgres') });
    const database = world.database;
    if (!database) throw new Error('the world has no database of its own');
    const chance = chanceOf(seed, this.name);
    try {
      const life = await world.start();
      const ledger = createLedger(this.name, patience);
      const broken = new Set<string>();
      let refused = 0;
      let databaseDied = 0;
      for (let turn = 0; turn < cuts; turn += 1) {
        for (let write = 0; write < 20; write += 1) await ledger.write(life.call, chance);
        const ballast = join(mount, 'ballast');
        const room = await fill(mount, ballast);
        const until = performance.now() + FULL_SECONDS * 1_000;
        for (let seen = 0; seen < REFUSALS && performance.now() < until; await pause(20)) {
          await ledger.write(life.call, chance);
          // What is written between fills may have found room of its own.
          await fill(mount, `${ballast}-${performance.now()}`);
          const json = { name: 'n'.repeat(100), scopes: ['rms:read'], plan: 'RATING' };
          const reply = await life.call('/v1/admin/keys', { json }).catch(() => null);
          const health = await life.call('/healthz').catch(() => null);
          if (health?.status !== 200) broken.add(`/healthz got ${health?.status ?? 'no answer'}`);
          if (reply?.status === 201) continue;
          refused += 1;
          seen += 1;
          if (reply?.status !== 503 || !reply.headers.has('retry-after'))
            broken.add(`a write got ${reply?.status ?? 'no answer'}: ${(await reply?.text())?.slice(0, 150)}`);
        }
        await exec('sh', ['-c', `rm -f '${ballast}'*`]);
        databaseDied += await superviseDatabase(database);
        await servesAgain(life.call, SERVES_WITHIN_MS * patience);
        if (room === 0) broken.add('the disk was full before it was filled');
      }
      if (refused === 0) broken.add('nothing was refused: the disk was not full');
      return {
        times: cuts,
        broken: [...broken, ...(await ledger.missing(life.call))],
        figures: { ...ledger.count(), refused_while_full: refused, database_ended_itself: databaseDied },
      };
    } finally {
      await world.close();
      await exec('umount', ['-l', mount]);
      await rm(mount, { recursive: true, force: true });
    }
  },
};

/** Writes until nothing more goes; returns the bytes. */
async function fill(mount: string, path: string): Promise<number> {
  const { bavail, bsize } = await statfs(mount);
  const file = await open(path, 'w');
  let written = 0;
  try {
    const piece = Buffer.alloc(1 << 20);
    for (let left = bavail * bsize; left > 0; left -= piece.length)
      written += (await file.write(piece, 0, Math.min(left, piece.length))).bytesWritten;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
  return written;
}

/** Starts a server that ended itself, as systemd does. */
async function superviseDatabase(database: PostgresServer): Promise<number> {
  const answers = await database.query('select 1').then(
    () => true,
    () => false,
  );
  if (answers) return 0;
  await database.kill();
  await database.start();
  return 1;
}
