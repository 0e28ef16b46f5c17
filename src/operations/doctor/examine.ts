import pg from 'pg';
import { DAY_MS } from '../../domain/index.ts';
import { listDays } from '../../exports/index.ts';
import {
  backlog,
  connect,
  daysToBePublished,
  indexLag,
  marks,
  migrationState,
  serverFacts,
} from '../../store/index.ts';
import { judgeClock, judgeDataMode, judgeMigrations, judgeServer } from './database.ts';
import { checkFolder, checkRuntime, type Finding, skipped, wrong } from './finding.ts';
import { checkContact, checkService, checkSources, type Probe } from './outside.ts';
import { judgeExports, judgeIndex, judgeWork } from './work.ts';

export interface Examined {
  /** Versions of Node such as 26.10.0: the one that runs, and the one that npm installs. */
  readonly runtime: string;
  readonly wantedRuntime: string;
  readonly host: string;
  readonly port: number;
  readonly dataMode: 'live' | 'sandbox';
  readonly dataDir: string;
  readonly contact: string;
  readonly exportsRoot: string;
  readonly now: () => number;
  /** The database, opened for looking; null when there is none yet. */
  readonly openDatabase: () => Promise<{ readonly url: string; readonly close: () => Promise<void> } | null>;
  /** Each source asked once; null: no source is asked. */
  readonly probes: AsyncIterable<Probe> | null;
  /** Sources that a key is set for. */
  readonly keyed: ReadonlySet<string>;
}

const STUCK_SECONDS = 60;
const EXPORT_DAYS = 7;
const CONNECT_MS = 10_000;

/** Everything the doctor looks at, each as soon as it is known. Changes nothing, and goes on after the worst. */
export async function* examine(subject: Examined): AsyncIterable<Finding> {
  yield checkRuntime(subject.runtime, subject.wantedRuntime);
  const folder = await checkFolder(subject.dataDir);
  yield folder;
  yield* examineDatabase(subject);
  yield await checkService(subject.host, subject.port, subject.dataMode);
  yield checkContact(subject.contact);
  if (subject.probes === null) yield skipped('sources', 'not asked (--offline)');
  else yield* checkSources(subject.probes, subject.keyed);
}

async function* examineDatabase(subject: Examined): AsyncIterable<Finding> {
  let opened: Awaited<ReturnType<Examined['openDatabase']>>;
  try {
    opened = await subject.openDatabase();
  } catch (error) {
    yield away(error);
    return;
  }
  if (opened === null) {
    yield skipped('database', `there is none yet in ${subject.dataDir}: the first start makes it`);
    return;
  }
  try {
    yield* examineServer(opened.url, subject);
  } finally {
    await opened.close();
  }
}

async function* examineServer(url: string, subject: Examined): AsyncIterable<Finding> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'assay-doctor',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    yield away(error);
    return;
  }
  const store = connect(url);
  try {
    const asked = subject.now();
    const facts = await serverFacts(client);
    yield* judgeServer(facts);
    yield judgeClock((asked + subject.now()) / 2, facts.now);
    const migrations = await migrationState(store.db);
    const tables = judgeMigrations(migrations);
    yield tables;
    if (tables.state === 'wrong') {
      yield skipped('work', 'keys, jobs, index and webhooks are looked at when the tables are up to date');
      return;
    }
    const now = new Date(subject.now()).toISOString();
    const work = { ...(await backlog(client, now, STUCK_SECONDS)), ...(await marks(client, now)) };
    yield judgeDataMode(work.dataMode, subject.dataMode);
    yield* judgeWork(work);
    yield judgeIndex(await indexLag(store.db, now));
    yield judgeExports(await missingDays(client, subject));
  } catch (error) {
    yield away(error);
  } finally {
    await store.close();
    await client.end().catch(() => undefined);
  }
}

async function missingDays(client: pg.Client, { exportsRoot, now }: Examined): Promise<readonly string[]> {
  const since = new Date(now() - EXPORT_DAYS * DAY_MS).toISOString().slice(0, 10);
  const missing: string[] = [];
  for (const { subject, day } of await daysToBePublished(client, since, new Date(now()).toISOString())) {
    const published = await listDays(exportsRoot, subject);
    if (!published.some((one) => one.date === day)) missing.push(`${subject} ${day}`);
  }
  return missing;
}

function away(error: unknown): Finding {
  const { code = '', message = 'no reason given' } = error as NodeJS.ErrnoException;
  const mend: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'is the server running, and does it listen on the address in DATABASE_URL?',
    ENOTFOUND: 'the host name in DATABASE_URL is not known: check its spelling and name resolution',
    '28P01': 'the password in DATABASE_URL is not the one of that user',
    '28000': 'the server does not let this user in from here: look at pg_hba.conf',
    '3D000': 'the database in DATABASE_URL does not exist: CREATE DATABASE',
    '53300': 'the server has no connection left: raise max_connections, or run fewer processes',
    '42501': 'the database user may not read the tables: they belong to another user',
  };
  return wrong(
    'database',
    `it cannot be used: ${message || code}`,
    mend[code] ?? 'check DATABASE_URL; of the built-in server, postgres/server.log in the data folder says more',
  );
}
