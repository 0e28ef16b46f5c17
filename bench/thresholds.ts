import { sql } from 'kysely';
import { SNAPSHOT_KINDS } from '../src/domain/index.ts';
import { type AccountRule, alertOnThresholds } from '../src/monitoring/thresholds/alerts.ts';
import { testDatabase } from '../src/store/fixtures/database.ts';
import { assetAt, snapshotOf } from '../src/store/snapshots/fixtures/snapshots.ts';
import { snapshotRow } from '../src/store/snapshots/snapshot-row.ts';
import { createSnapshotWriter } from '../src/store/snapshots/write.ts';
import { cpuOfFamily, postmasterOf } from './cpu-of-family.ts';
import { median } from './raw-load.ts';

/**
 * One comparison of a process for crossed thresholds, with thresholds on `ASSETS` assets with snapshots of all kinds: nothing new, then
 * a hundredth of the assets with a new market snapshot that crosses nothing. Time, CPU of the process, CPU of the database.
 */
const ASSETS = Number(process.env.ASSAY_BENCH_ASSETS ?? 10_000);
const LOOKS = Number(process.env.ASSAY_BENCH_LOOKS ?? 30);
const ROUNDS = 5;
const ACCOUNTS = 2;

const RULES: readonly AccountRule[] = [
  { figure: 'price_usd', condition: 'above', value: 1_000, windowSeconds: null, hysteresisPct: 5, severity: 'high' },
  { figure: 'liquidity_usd', condition: 'falls', value: 50, windowSeconds: 3_600, hysteresisPct: 5, severity: 'high' },
];
const database = await testDatabase({ ownServer: true });
const { db, pool } = database.store;
const { rows } = await sql<{ path: string }>`select current_setting('data_directory') as path`.execute(db);
const postmaster = await postmasterOf(rows[0]?.path ?? '');
const writer = createSnapshotWriter(pool);
let clock = Date.now() - 3_600_000;

await store(ASSETS, SNAPSHOT_KINDS);
await sql`insert into snapshot_thresholds (account_id, asset_id, chain, added_at, rules, states, seen_market, seen_holders, seen_pools)
  select 'acc_' || account, asset_id, 'ethereum', now(), ${JSON.stringify(RULES)}, '{}', as_of, as_of, as_of
  from snapshot_heads, generate_series(1, ${ACCOUNTS}::int) account where kind = 'market'`.execute(db);
await sql`vacuum analyze`.execute(db);
const idle = await look(LOOKS);
const busy: Awaited<ReturnType<typeof look>>[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  await store(ASSETS / 100, ['market']);
  busy.push(await look(1));
}
const middle = (name: 'ms' | 'cpu_ms' | 'database_cpu_ms') => median(busy.map((one) => one[name]));
console.log(
  JSON.stringify({
    assets: ASSETS,
    accounts_each: ACCOUNTS,
    nothing_new: idle,
    a_hundredth_new: { ms: middle('ms'), cpu_ms: middle('cpu_ms'), database_cpu_ms: middle('database_cpu_ms') },
  }),
);
await database.close();
process.exit(0);

async function store(many: number, kinds: typeof SNAPSHOT_KINDS): Promise<void> {
  clock += 60_000;
  const at = new Date(clock).toISOString();
  const all = Array.from({ length: many }, (_, index) => kinds.map((kind) => snapshotOf(assetAt(index), kind, at)));
  for (let from = 0; from < many; from += 1_000)
    await writer.store(
      all
        .slice(from, from + 1_000)
        .flat()
        .map(snapshotRow),
      Date.now(),
    );
}

/** Mean cost of a comparison over this number. Ticks of the database's CPU are hundredths of a second. */
async function look(times: number) {
  const database = await cpuOfFamily(postmaster);
  const cpu = process.cpuUsage();
  const took: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const began = performance.now();
    const made = await alertOnThresholds(
      db,
      () => clock,
      () => ['INTERNAL'],
    );
    if (made > 0) throw new Error('nothing was to be crossed');
    took.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    ms: Number(median(took).toFixed(1)),
    cpu_ms: Number(((user + system) / 1000 / times).toFixed(1)),
    database_cpu_ms: Number(((((await cpuOfFamily(postmaster)) - database) * 1000) / times).toFixed(1)),
  };
}
