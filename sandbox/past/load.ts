import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccess } from '../../src/access/access.ts';
import { SCOPES } from '../../src/access/keys.ts';
import { type Config, clockOf, exportsRoot } from '../../src/config/types.ts';
import { restoreBackup } from '../../src/operations/backup/restore.ts';
import { openStore } from '../../src/store/database.ts';
import { unpackPast } from './pack.ts';

/** The shipped past: `npm run demo:past` makes it. */
export const PAST_FILE = join(import.meta.dirname, 'past.seed');

/** Who watched, read and disputed in the past: the account of its first key. */
const DESK_KEY = 'first admin key';

/**
 * Restores the past into the empty database at `databaseUrl`, as `assay restore` does, and gives a new admin key of the account that lived through it:
 * the secrets of its own keys were never kept.
 */
export async function loadPast(
  config: Pick<Config, 'dataDir' | 'dataMode' | 'sandboxClockSeconds'>,
  databaseUrl: string,
  past = PAST_FILE,
): Promise<string> {
  const backup = join(config.dataDir, 'past.backup');
  try {
    await unpackPast(past, backup);
    const restored = await restoreBackup({
      file: backup,
      databaseUrl,
      exportsRoot: exportsRoot(config),
      dataMode: config.dataMode,
      force: false,
      onProgress: () => undefined,
    });
    if (!restored.ok) throw new Error(`the past could not be loaded: ${restored.reason}: ${restored.detail}`);
  } finally {
    await rm(backup, { force: true });
  }
  const store = await openStore(databaseUrl, config.dataMode);
  try {
    const access = createAccess(store.db, clockOf(config), randomBytes);
    const desk = (await access.list()).find((key) => key.name === DESK_KEY);
    if (!desk) throw new Error(`the past has no account of the key ${DESK_KEY}`);
    const { secret } = await access.create({
      name: 'demo',
      accountId: desk.accountId,
      scopes: SCOPES,
      plan: 'INTERNAL',
      expiresAt: null,
      allowedIps: [],
    });
    return secret;
  } finally {
    await store.close();
  }
}
