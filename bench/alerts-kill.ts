import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { testDatabase } from '../src/store/fixtures/database.ts';
import { alertsAfter } from '../src/store/ratings/alerts.ts';
import { putEntry } from '../src/store/ratings/watchlist.ts';

/** Kills a process between rating and alert, repeatedly, and counts lost or duplicate alerts. */
const KILLS = 50;
const ASSET = 'killed';
const THRESHOLDS = JSON.stringify({ minScoreChange: 5, flagSeverities: ['high', 'critical'], bands: null });
const writer = fileURLToPath(new URL('../src/monitoring/alerts/fixtures/rating-writer.ts', import.meta.url));
const database = await testDatabase();
const { db } = database.store;
const at = new Date().toISOString();
await putEntry(db, { account_id: 'acc', asset_id: ASSET, added_at: at, note: null, thresholds: THRESHOLDS }, 1);
for (let kill = 0; kill < KILLS; kill += 1) {
  const child = spawn(process.execPath, [writer, database.url, ASSET], { stdio: ['ignore', 'pipe', 'inherit'] });
  for (let seen = 0; seen <= kill % 5; seen += 1) await once(child.stdout, 'data');
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
const ratings = await db.selectFrom('published_ratings').select('id').where('asset_id', '=', ASSET).execute();
const alerts = await alertsAfter(db, 'acc', 0, 100_000);
const causes = new Set(alerts.map(({ cause }) => cause));
// The first rating sets the baseline; each later one differs by more than the threshold.
const result = {
  kills: KILLS,
  ratings: ratings.length,
  alerts: alerts.length,
  lost: ratings.slice(1).filter(({ id }) => !causes.has(`${id}:score_change`)).length,
  doubled: alerts.length - causes.size,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
await database.close();
process.exitCode = result.lost + result.doubled === 0 ? 0 : 1;
