import { chmod, copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openOperations } from '../../src/compose/operations.ts';
import { noObjectStore } from '../../src/store/moved.ts';
import { serviceOnSandbox } from '../service-settings.ts';
import { liveThePast } from './live.ts';
import { PAST_FILE } from './load.ts';
import { packPast } from './pack.ts';
import { PAST_END } from './story.ts';

/**
 * `npm run demo:past`: makes the initial past of the demo again, after a change of the rating code, the world or the
 * tables.
 */
const folder = await mkdtemp(join(tmpdir(), 'assay-past-'));
// As root the database server runs as another user, who needs access to the folder.
await chmod(folder, 0o755);
const dataDir = join(folder, 'data');
try {
  const lived = await liveThePast(dataDir, (line) => console.log(line));
  const backup = join(folder, 'past.backup');
  const config = serviceOnSandbox({ url: 'http://127.0.0.1:1' }, { dataDir });
  const made = await openOperations(
    config,
    () => PAST_END,
    async function* () {},
    async () => ({ readMoved: noObjectStore, bucket: null, prefix: '' }),
  ).backup(backup, () => undefined);
  if (!made.ok) throw new Error(made.detail);
  const draft = join(folder, 'past.seed');
  await packPast(backup, draft);
  const { size } = await stat(draft);
  await copyFile(draft, PAST_FILE);
  await chmod(PAST_FILE, 0o644);
  console.log(`${PAST_FILE}: ${lived.projects} projects, ${lived.ratings} ratings, ${(size / 1e6).toFixed(1)} MB`);
  for (const [slug, problem] of lived.refused) console.log(`not rated: ${slug}: ${problem.slice(0, 120)}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
