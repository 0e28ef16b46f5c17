import { get } from 'node:http';
import pg from 'pg';
import { DAY_MS } from '../../domain/index.ts';
import { listDays } from '../../exports/index.ts';
import {
  backlog,
  connect,
  daysToBePublished,
  indexLag,
  type MovedCounts,
  marks,
  migrationState,
  movedCounts,
  type ReadMoved,
  retained,
  serverFacts,
} from '../../store/index.ts';
import {
  checkFolder,
  checkRuntime,
  EXPORT_DAYS,
  type Finding,
  good,
  judgeClock,
  judgeDataMode,
  judgeExports,
  judgeIndex,
  judgeMigrations,
  judgeObjects,
  judgeRetention,
  judgeServer,
  judgeWork,
  skipped,
  watch,
  wrong,
} from './judgements.ts';

export interface Examined {
  /** Versions of Node such as 26.10.0: the running one, and the one that npm installs. */
  readonly runtime: string;
  readonly wantedRuntime: string;
  readonly host: string;
  readonly port: number;
  readonly dataMode: 'live' | 'sandbox';
  readonly dataDir: string;
  readonly contact: string;
  readonly exportsRoot: string;
  readonly now: () => number;
  /** Offset of `now` from the system clock in a sandbox, milliseconds; absent: none. */
  readonly clockAheadMs?: number;
  /** The database, opened read-only; null when there is none yet. */
  readonly openDatabase: () => Promise<{ readonly url: string; readonly close: () => Promise<void> } | null>;
  /** The object store: reads an object, or requests a missing one. Null: none is configured. */
  readonly objects: { readonly read: ReadMoved; readonly reach: () => Promise<unknown> } | null;
  /** Sends one request to each source; null: no requests are sent. */
  readonly probes: AsyncIterable<Probe> | null;
  /** Sources with a configured key. */
  readonly keyed: ReadonlySet<string>;
}

const STUCK_SECONDS = 60;
/** Expired rows are deleted each hour. */
const LATE_HOURS = 24;
const CONNECT_MS = 10_000;

/** All findings of the doctor, each as soon as it is known. Changes nothing, and continues after a failure. */
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
    yield connectionFailure(error);
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
    yield connectionFailure(error);
    return;
  }
  const store = connect(url);
  try {
    const asked = subject.now();
    const facts = await serverFacts(client);
    yield* judgeServer(facts);
    yield judgeClock((asked + subject.now()) / 2 - (subject.clockAheadMs ?? 0), facts.now);
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
    yield judgeRetention(await retained(store.db, now, LATE_HOURS));
    const counts = await movedCounts(store.db);
    yield judgeObjects(counts, await readingOf(subject, counts));
  } catch (error) {
    yield connectionFailure(error);
  } finally {
    await store.close();
    await client.end().catch(() => undefined);
  }
}

/** Reads one moved object, or requests one that does not exist. Null on success. */
async function readingOf({ objects, probes }: Examined, { sample }: MovedCounts): Promise<string | null> {
  if (objects === null) return 'not configured';
  if (probes === null) return 'not asked';
  try {
    await (sample === null ? objects.reach() : objects.read(sample));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'It could not be read.';
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

function connectionFailure(error: unknown): Finding {
  const { code = '', message = 'no reason given' } = error as NodeJS.ErrnoException;
  const mend: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'is the server running, and does it listen on the address in DATABASE_URL?',
    ENOTFOUND: 'the host name in DATABASE_URL is not known: check its spelling and name resolution',
    '28P01': 'the password in DATABASE_URL is not the one of that user',
    '28000': 'the server refuses this user from this address: check pg_hba.conf',
    '3D000': 'the database in DATABASE_URL does not exist: CREATE DATABASE',
    '53300': 'the server has no connection left: raise max_connections, or run fewer processes',
    '42501': 'the database user may not read the tables: they belong to another user',
  };
  return wrong(
    'database',
    `it cannot be used: ${message || code}`,
    mend[code] ?? 'check DATABASE_URL; for the built-in server, see postgres/server.log in the data folder',
  );
}

/** Outcome of one request to one source. */
export interface Probe {
  readonly source: string;
  readonly outcome: string;
  readonly detail: string | null;
  /** It was read from files of this installation, which proves nothing about the network. */
  readonly isLocal: boolean;
}

const REPLIED = ['ok', 'empty', 'not_found'];
/** No request was sent: the source has none that takes only an address, it is off, or its budget is spent. */
const NOT_SENT = ['unsupported', 'disabled', 'budget_spent', 'cancelled'];
/** No reply arrived; anything else counts as a reply, even an unexpected one. */
const NO_REPLY = ['unreachable', 'timeout', 'deadline', 'circuit_open', 'refused_address'];
const REFUSED_KEY = /\b(401|403)\b/;
const SERVICE_PATIENCE_MS = 3_000;
/** With a larger share of unreachable sources no rating can be made. */
const MOST_UNREACHABLE = 0.5;
const NETWORK = [
  'check the network of this machine: name resolution (/etc/resolv.conf; in a container, its DNS setting; the error EAI_AGAIN or ENOTFOUND names it)',
  'outgoing HTTPS (port 443) through its firewall',
  'and proxies: Assay connects directly and uses none',
].join(', ');

/** The enabled sources: which replied, which got no request, and whose key is refused. Keys are never shown. */
export async function* checkSources(probes: AsyncIterable<Probe>, keyed: ReadonlySet<string>): AsyncIterable<Finding> {
  let answered = 0;
  const [away, notAsked, troubled]: [string[], string[], string[]] = [[], [], []];
  for await (const { source, outcome, detail, isLocal } of probes) {
    if (isLocal) continue;
    if (REPLIED.includes(outcome)) answered += 1;
    else if (NOT_SENT.includes(outcome)) notAsked.push(source);
    else if (outcome === 'http_error' && keyed.has(source) && REFUSED_KEY.test(detail ?? '')) {
      troubled.push(source);
      yield wrong(
        `source ${source}`,
        'it refuses the configured key',
        `renew ASSAY_SOURCE_${source.toUpperCase()}_KEY, or remove it to send requests without a key`,
      );
    } else {
      (NO_REPLY.includes(outcome) ? away : troubled).push(source);
      yield watch(
        `source ${source}`,
        `${outcome}${detail === null ? '' : `: ${detail}`}`,
        `ratings are made without it, with less trust; \`assay sources check\` repeats the request; ASSAY_SOURCE_${source.toUpperCase()}_ENABLED=false switches it off`,
      );
    }
  }
  if (notAsked.length > 0)
    yield skipped('sources not asked', `${notAsked.join(', ')}: no request was sent, so their state is not known`);
  const asked = answered + away.length + troubled.length;
  if (asked === 0)
    yield wrong(
      'sources',
      'no source is on that takes requests',
      'switch sources on: `assay sources list` shows why each is off',
    );
  else if (away.length > MOST_UNREACHABLE * asked || answered === 0)
    yield wrong(
      'sources',
      `ratings cannot be made: ${answered} of ${asked} requested sources replied${away.length === 0 ? '' : `, ${away.length} are unreachable`}${proxyVariables()}`,
      NETWORK,
    );
  else yield good('sources', `${answered} of ${asked} requested sources replied`);
}

/** Names of the proxy variables that are set, without their values, which may hold a password. */
function proxyVariables(): string {
  const set = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'https_proxy', 'http_proxy', 'all_proxy'].filter(
    (name) => (process.env[name] ?? '') !== '',
  );
  return set.length === 0 ? '' : `; ${set.join(' and ')} is set and not used`;
}

/** The service at the configured address: Assay, in the right data mode, ready. */
export async function checkService(host: string, port: number, dataMode: string): Promise<Finding> {
  const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' || host === '[::]' ? '[::1]' : host;
  const url = `http://${near.includes(':') && !near.startsWith('[') ? `[${near}]` : near}:${port}`;
  const reply = await asked(`${url}/readyz`);
  if (reply === 'refused') return skipped('service', `none is running at ${url}`);
  if (reply === 'silent')
    return wrong(
      'service',
      `${url} accepts connections and does not reply within ${SERVICE_PATIENCE_MS / 1000} s`,
      'look at its log; when another program has the port, choose another with ASSAY_PORT',
    );
  const { mode, status } = reply;
  if (mode === null)
    return wrong('service', `another program replies at ${url}`, 'end it, or choose another port with ASSAY_PORT');
  if (mode !== dataMode)
    return wrong(
      'service',
      `the service at ${url} runs on ${mode} data and these settings require ${dataMode}`,
      'run the doctor with the settings of the service, or give each its own port (ASSAY_PORT)',
    );
  if (status !== 200)
    return wrong(
      'service',
      `the service at ${url} is not ready (${status})`,
      'look at its log; most often the database is unavailable',
    );
  return good('service', `ready at ${url}`);
}

/** Checks the contact address that requests send to public sources. */
export function checkContact(contact: string): Finding {
  if (contact !== 'no-contact-set') return good('contact', contact);
  return watch(
    'contact',
    'requests to sources have no contact address, and some block callers without one',
    'set ASSAY_CONTACT to a mail or web address',
  );
}

/** Not `fetch`, which refuses some ports that a service may use. */
function asked(url: string): Promise<{ readonly mode: string | null; readonly status: number } | 'refused' | 'silent'> {
  return new Promise((resolve) => {
    const request = get(url, { timeout: SERVICE_PATIENCE_MS, agent: false }, (response) => {
      const mode = response.headers['assay-data-mode'];
      response.destroy();
      resolve({ mode: typeof mode === 'string' ? mode : null, status: response.statusCode ?? 0 });
    });
    request.on('timeout', () => request.destroy());
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'silent'),
    );
  });
}
