import { canonicalIpRange, type TrustedProxies } from '../domain/index.ts';
import type { Config } from './types.ts';

/** How a setting is parsed. `parse` returns null for invalid text; `expected` describes valid text. */
export interface Kind<Value> {
  readonly expected: string;
  parse(text: string): Value | null;
}

/** Definition of a setting: the only source for parsing, checks, `assay config` and the documentation table. */
export interface Setting<Value = unknown> {
  readonly name: string;
  readonly field: string;
  readonly description: string;
  readonly kind: Kind<Value>;
  readonly fallback: Value;
  /** True for a secret, or text that contains one: its value is never shown. */
  readonly sensitive: boolean;
}

type Field = Exclude<keyof Config, 'sources'>;
type SettingOf<Key extends Field> = Setting<Config[Key]> & { readonly field: Key };

const text = (expected: string, pattern: RegExp): Kind<string> => ({
  expected,
  parse: (given) => (pattern.test(given) ? given : null),
});

const orNull = <Value>(kind: Kind<Value>): Kind<Value | null> => kind;

const whole = (least: number, most: number): Kind<number> => ({
  expected: `a whole number from ${least} to ${most}`,
  parse: (given) =>
    /^\d{1,12}$/.test(given) && Number(given) >= least && Number(given) <= most ? Number(given) : null,
});

const wholeSigned = (most: number): Kind<number> => ({
  expected: `a whole number from -${most} to ${most}`,
  parse: (given) => (/^-?\d{1,12}$/.test(given) && Math.abs(Number(given)) <= most ? Number(given) : null),
});

const oneOf = <Word extends string>(...words: readonly Word[]): Kind<Word> => ({
  expected: words.join(', '),
  parse: (given) => words.find((word) => word === given) ?? null,
});

const evmAddress = text('0x and 40 hexadecimal digits', /^0x[0-9a-fA-F]{40}$/);

/** `true` or `false`, also `1` and `0`. */
export const yesNo: Kind<boolean> = {
  expected: 'true or false',
  parse: (given) => ({ true: true, '1': true, false: false, '0': false })[given.toLowerCase()] ?? null,
};

/** An http or https URL. */
export const httpUrl: Kind<string> = {
  expected: 'a url starting with http:// or https://',
  parse: (given) => (/^https?:\/\//i.test(given) && URL.canParse(given) ? given.replace(/\/+$/, '') : null),
};

/** An https URL without credentials, query or fragment; http only on this machine. */
const guardedUrl: Kind<string> = {
  expected: 'a url starting with https:// (http:// on loopback alone), without user, query or fragment',
  parse(given) {
    const url = httpUrl.parse(given);
    if (url === null) return null;
    const { protocol, username, password, search, hash } = new URL(url);
    const isBare = username === '' && password === '' && search === '' && hash === '';
    return isBare && (protocol === 'https:' || isLoopback(url)) ? url : null;
  },
};

/** True for a URL of this machine. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** The address of a service. `https://` is added to a bare host, `http://` to one of this machine. */
export const serviceAddress: Kind<string> = {
  expected: 'the address of a service, such as http://127.0.0.1:8080',
  parse: (given) =>
    httpUrl.parse(
      given.includes('://')
        ? given
        : `${/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/i.test(given) ? 'http' : 'https'}://${given}`,
    ),
};

/** An API key: any text that is allowed in a header. */
export const keyText = text('a key without spaces', /^[\x21-\x7e]{1,4096}$/);

const postgresUrl = text('a url starting with postgres:// or postgresql://', /^postgres(ql)?:\/\/\S+$/);

const postgresUrls: Kind<readonly string[]> = {
  expected: 'urls starting with postgres:// or postgresql://, separated by commas',
  parse(given) {
    const list = given.split(',').map((url) => url.trim());
    return list.every((url) => postgresUrl.parse(url) !== null) ? list : null;
  },
};

const origins: Kind<readonly string[]> = {
  expected: 'origins such as https://app.example, separated by commas, or *',
  parse(given) {
    const list = given.split(',').map((origin) => origin.trim());
    const good = (origin: string) =>
      origin === '*' || (/^https?:\/\//.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin);
    return list.every(good) ? list : null;
  },
};

const witnessKeys: Kind<readonly string[]> = {
  expected: 'public keys of witnesses as name+hash+base64, separated by commas',
  parse(given) {
    const list = given.split(',').map((key) => key.trim());
    return list.every((key) => /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/.test(key)) ? list : null;
  },
};

const assetList: Kind<readonly string[]> = {
  expected: 'assets such as solana:<mint> or eip155:1/erc20:0x..., separated by commas',
  parse(given) {
    const list = given.split(',').map((asset) => asset.trim());
    return list.every((asset) => /^[\x21-\x2b\x2d-\x7e]{3,300}$/.test(asset) && asset.includes(':')) ? list : null;
  },
};

const nodeSockets: Kind<Config['nodeSockets']> = {
  expected: 'chain=url (ws:// or wss://) separated by commas, such as ethereum=wss://node.example/ws; each chain once',
  parse(given) {
    const list = given.split(',').map((part) => {
      const [, chain = '', url = ''] = /^\s*([a-z]{2,20})=(wss?:\/\/\S+)\s*$/i.exec(part) ?? [];
      return { chain: chain.toLowerCase(), url };
    });
    const chains = new Set(list.map(({ chain }) => chain));
    return chains.size === list.length && list.every(({ url }) => URL.canParse(url)) ? list : null;
  },
};

const MOST_PROXIES = 16;

const trustedProxies: Kind<TrustedProxies> = {
  expected: `false, the number of proxies in a row before this service (1 to ${MOST_PROXIES}), or their addresses and CIDR ranges separated by commas; never true, which would believe whatever address a caller writes`,
  parse(given) {
    if (given.toLowerCase() === 'false' || given === '0') return false;
    if (/^\d{1,2}$/.test(given)) return Number(given) <= MOST_PROXIES ? Number(given) : null;
    const list = given.split(',').map((range) => canonicalIpRange(range.trim()));
    return list.every((range) => range !== null) ? list : null;
  },
};

const rows: { readonly [Key in Field]: Omit<SettingOf<Key>, 'field'> } = {
  dataMode: {
    name: 'ASSAY_DATA_MODE',
    description: 'Where data comes from: the public sources, or the sandbox (every source base must then be loopback).',
    kind: oneOf('live', 'sandbox'),
    fallback: 'live',
    sensitive: false,
  },
  host: {
    name: 'ASSAY_HOST',
    description: 'Address the service listens on.',
    kind: text('an address or host name', /^[A-Za-z0-9.:_-]{1,253}$/),
    fallback: '127.0.0.1',
    sensitive: false,
  },
  port: {
    name: 'ASSAY_PORT',
    description: 'Port the service listens on; 0 takes a free one.',
    kind: whole(0, 65_535),
    fallback: 8_080,
    sensitive: false,
  },
  metricsPort: {
    name: 'ASSAY_METRICS_PORT',
    description: 'Port of the metrics page; without it there is none.',
    kind: orNull(whole(0, 65_535)),
    fallback: null,
    sensitive: false,
  },
  metricsHost: {
    name: 'ASSAY_METRICS_HOST',
    description:
      'Address of the metrics page, which asks for no key: beyond loopback only where a firewall or network policy guards it.',
    kind: text('an address or host name', /^[A-Za-z0-9.:_-]{1,253}$/),
    fallback: '127.0.0.1',
    sensitive: false,
  },
  dataDir: {
    name: 'ASSAY_DATA_DIR',
    description: 'Folder of the built-in database and of everything else kept on disk.',
    kind: text('a path', /^[^\0]{1,4096}$/),
    fallback: '.assay',
    sensitive: false,
  },
  registersDir: {
    name: 'ASSAY_REGISTERS_DIR',
    description:
      'Folder of rows of your own for the kept registers (`assay registers add`), read beside those that are shipped.',
    kind: orNull(text('a path', /^[^\0]{1,4096}$/)),
    fallback: null,
    sensitive: false,
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    description: 'PostgreSQL to use instead of the built-in one.',
    kind: orNull(postgresUrl),
    fallback: null,
    sensitive: true,
  },
  readUrls: {
    name: 'DATABASE_READ_URLS',
    description: 'Streaming replicas of DATABASE_URL, separated by commas, that lists and histories are read from.',
    kind: postgresUrls,
    fallback: [],
    sensitive: true,
  },
  readLagSeconds: {
    name: 'ASSAY_READ_LAG_SECONDS',
    description: 'How far behind a replica may be and still be read; otherwise the primary is.',
    kind: whole(1, 3_600),
    fallback: 5,
    sensitive: false,
  },
  scoringPath: {
    name: 'ASSAY_SCORING_PATH',
    description: 'Path of the scoring endpoint.',
    kind: text('a path such as /v1/score', /^(\/[A-Za-z0-9._~-]{1,64}){1,8}$/),
    fallback: '/v1/score',
    sensitive: false,
  },
  scoreDeadlineSeconds: {
    name: 'ASSAY_SCORE_DEADLINE_SECONDS',
    description: 'Seconds a score may take when the request names no deadline.',
    kind: whole(1, 3_600),
    fallback: 60,
    sensitive: false,
  },
  scoreDeadlineMaxSeconds: {
    name: 'ASSAY_SCORE_DEADLINE_MAX_SECONDS',
    description: 'Longest deadline, in seconds, that a request may name.',
    kind: whole(1, 3_600),
    fallback: 300,
    sensitive: false,
  },
  collectionSeconds: {
    name: 'ASSAY_COLLECTION_SECONDS',
    description:
      'Seconds a collection for publication may take, however short a caller waits; at least ASSAY_SCORE_DEADLINE_SECONDS.',
    kind: whole(1, 3_600),
    fallback: 60,
    sensitive: false,
  },
  freshSeconds: {
    name: 'ASSAY_FRESH_SECONDS',
    description:
      'A score of an asset whose published rating is younger than so many seconds is answered with that rating; 0: each score collects anew.',
    kind: whole(0, 86_400),
    fallback: 60,
    sensitive: false,
  },
  unpublishedDays: {
    name: 'ASSAY_UNPUBLISHED_DAYS',
    description:
      'Days that results which are not published are kept with their evidence, and jobs of callers; published ratings and their evidence stay.',
    kind: whole(1, 36_500),
    fallback: 30,
    sensitive: false,
  },
  concurrentJobs: {
    name: 'ASSAY_CONCURRENT_JOBS',
    description: 'Scores worked on at once.',
    kind: whole(1, 1_000),
    fallback: 8,
    sensitive: false,
  },
  queuedJobs: {
    name: 'ASSAY_QUEUED_JOBS',
    description: 'Scores that may wait for their turn; further ones are refused with 503.',
    kind: whole(0, 1_000_000),
    fallback: 200,
    sensitive: false,
  },
  drainSeconds: {
    name: 'ASSAY_DRAIN_SECONDS',
    description:
      'Seconds that requests are still taken after the service is told to stop, while /readyz already says no: as long as a load balancer takes to notice.',
    kind: whole(0, 600),
    fallback: 0,
    sensitive: false,
  },
  reusePort: {
    name: 'ASSAY_REUSE_PORT',
    description:
      'Let several processes of one machine listen on the same port; the kernel spreads connections (Linux).',
    kind: yesNo,
    fallback: false,
    sensitive: false,
  },
  shutdownSeconds: {
    name: 'ASSAY_SHUTDOWN_SECONDS',
    description: 'Seconds that running work gets to end when the service is told to stop; what is left is handed back.',
    kind: whole(0, 3_600),
    fallback: 10,
    sensitive: false,
  },
  snapshotRetentionDays: {
    name: 'ASSAY_SNAPSHOT_RETENTION_DAYS',
    description: 'Days that snapshots and price history are kept; days that were published as exports stay published.',
    kind: whole(2, 36_500),
    fallback: 400,
    sensitive: false,
  },
  monitorDays: {
    name: 'ASSAY_MONITOR_DAYS',
    description:
      'Days that an asset somebody scored is rated again by itself; 0: only what is added or on a watchlist.',
    kind: whole(0, 36_500),
    fallback: 30,
    sensitive: false,
  },
  monitorJobs: {
    name: 'ASSAY_MONITOR_JOBS',
    description: 'Ratings of monitored assets under way at once, over all processes; 0: none are rated by themselves.',
    kind: whole(0, 1_000),
    fallback: 2,
    sensitive: false,
  },
  publicUrl: {
    name: 'ASSAY_PUBLIC_URL',
    description:
      'Address under which people reach this service, for links in messages of the formats slack, discord and telegram; not set: such messages have no links.',
    kind: orNull(serviceAddress),
    fallback: null,
    sensitive: false,
  },
  webhookLoopback: {
    name: 'ASSAY_WEBHOOK_LOOPBACK',
    description: 'Let webhooks lead to 127.0.0.0/8 and ::1, for receivers under test; in data mode sandbox only.',
    kind: yesNo,
    fallback: false,
    sensitive: false,
  },
  sandboxBudgets: {
    name: 'ASSAY_SANDBOX_BUDGETS',
    description:
      "Keep to the sources' request budgets in data mode sandbox too: 1 as in live mode, 10 ten times as many requests a minute; 0 asks without a bound.",
    kind: whole(0, 10_000),
    fallback: 0,
    sensitive: false,
  },
  sandboxClockSeconds: {
    name: 'ASSAY_SANDBOX_CLOCK_SECONDS',
    description:
      "Seconds that the clock is ahead of the machine's (negative: behind), for a world whose past ends on a stated day; in data mode sandbox only.",
    kind: wholeSigned(4_000_000_000),
    fallback: 0,
    sensitive: false,
  },
  logWitnesses: {
    name: 'ASSAY_LOG_WITNESSES',
    description:
      'Witnesses whose signatures of checkpoints are taken, by their public keys (C2SP signed notes: name+hash+base64), separated by commas.',
    kind: witnessKeys,
    fallback: [],
    sensitive: false,
  },
  attestationHours: {
    name: 'ASSAY_ATTESTATION_HOURS',
    description: 'Hours from a rating to the end of the records of it that contracts check.',
    kind: whole(1, 168),
    fallback: 36,
    sensitive: false,
  },
  indexedAssets: {
    name: 'ASSAY_INDEX',
    description: 'Assets to index from the start, as CAIP-19 ids or chain:address, separated by commas.',
    kind: assetList,
    fallback: [],
    sensitive: false,
  },
  nodeSockets: {
    name: 'ASSAY_NODE_SOCKETS',
    description:
      'Websockets of your own nodes, as chain=url separated by commas: what happens at the pools of indexed assets has their snapshots made at once. Chains without one are read by their cadence alone. Never shown.',
    kind: nodeSockets,
    fallback: [],
    // The URL of a node often contains its key.
    sensitive: true,
  },
  plansFile: {
    name: 'ASSAY_PLANS_FILE',
    description: 'JSON file of commercial plans instead of the built-in ones.',
    kind: orNull(text('a path', /^[^\0]{1,4096}$/)),
    fallback: null,
    sensitive: false,
  },
  panelFile: {
    name: 'ASSAY_PANEL_FILE',
    description:
      'JSON file of known assets that every source is read about each hour, instead of the built-in ones. Data mode `sandbox` has none of its own.',
    kind: orNull(text('a path', /^[^\0]{1,4096}$/)),
    fallback: null,
    sensitive: false,
  },
  publicPages: {
    name: 'ASSAY_PUBLIC_PAGES',
    description:
      'Serve a page per rated asset, objections and appeals to everybody, without a key: /public/{asset}, /v1/public/objections, /v1/public/appeals.',
    kind: yesNo,
    fallback: false,
    sensitive: false,
  },
  x402Facilitator: {
    name: 'ASSAY_X402_FACILITATOR',
    description:
      'Facilitator that verifies and settles payments by x402, without credentials; not set: nothing is sold without a key.',
    kind: orNull(httpUrl),
    fallback: null,
    sensitive: false,
  },
  x402PayTo: {
    name: 'ASSAY_X402_PAY_TO',
    description: 'EVM address that payments by x402 go to.',
    kind: orNull(evmAddress),
    fallback: null,
    sensitive: false,
  },
  x402Network: {
    name: 'ASSAY_X402_NETWORK',
    description: 'Chain of the payments by x402 as a CAIP-2 id of an EVM chain, such as eip155:8453.',
    kind: orNull(text('eip155: and the number of a chain', /^eip155:[1-9]\d{0,14}$/)),
    fallback: null,
    sensitive: false,
  },
  x402Token: {
    name: 'ASSAY_X402_TOKEN',
    description: 'Contract of the token of payments by x402, which must have EIP-3009 (as USDC has).',
    kind: orNull(evmAddress),
    fallback: null,
    sensitive: false,
  },
  x402TokenName: {
    name: 'ASSAY_X402_TOKEN_NAME',
    description: "Name of the EIP-712 domain of that token, as the contract's `name()` says it.",
    kind: text('printable text', /^[\x20-\x7e]{1,64}$/),
    fallback: 'USD Coin',
    sensitive: false,
  },
  x402TokenVersion: {
    name: 'ASSAY_X402_TOKEN_VERSION',
    description: "Version of the EIP-712 domain of that token, as the contract's `version()` says it.",
    kind: text('printable text', /^[\x20-\x7e]{1,16}$/),
    fallback: '2',
    sensitive: false,
  },
  x402TokenDecimals: {
    name: 'ASSAY_X402_TOKEN_DECIMALS',
    description: 'Decimals of that token.',
    kind: whole(0, 18),
    fallback: 6,
    sensitive: false,
  },
  x402KeepDays: {
    name: 'ASSAY_X402_KEEP_DAYS',
    description:
      'Payments by x402 that are older than so many days are deleted, each once its authorisation has ended; not set: they are kept for good.',
    kind: orNull(whole(1, 36_500)),
    fallback: null,
    sensitive: false,
  },
  bodyLimitBytes: {
    name: 'ASSAY_BODY_LIMIT_BYTES',
    description: 'Largest request body, in bytes.',
    kind: whole(1_024, 16_777_216),
    fallback: 65_536,
    sensitive: false,
  },
  bodyRetentionDays: {
    name: 'ASSAY_BODY_RETENTION_DAYS',
    description: "Days that sources' raw replies are kept at most; a source's terms may shorten it. 0 keeps none.",
    kind: whole(0, 36_500),
    fallback: 30,
    sensitive: false,
  },
  objectStoreUrl: {
    name: 'ASSAY_OBJECT_STORE_URL',
    description:
      'Object store (S3 API) that old evidence moves to, without the bucket; not set: evidence stays in the database.',
    kind: orNull(guardedUrl),
    fallback: null,
    sensitive: false,
  },
  objectStoreBucket: {
    name: 'ASSAY_OBJECT_STORE_BUCKET',
    description: 'Bucket there; it must exist.',
    kind: orNull(text('the name of a bucket', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)),
    fallback: null,
    sensitive: false,
  },
  objectStoreRegion: {
    name: 'ASSAY_OBJECT_STORE_REGION',
    description: 'Region that requests are signed for; some stores call theirs `auto`.',
    kind: text('the name of a region', /^[a-z0-9-]{1,40}$/),
    fallback: 'us-east-1',
    sensitive: false,
  },
  objectStoreKeyId: {
    name: 'ASSAY_OBJECT_STORE_KEY_ID',
    description: 'Access key id, which may read, write and delete objects of the bucket and nothing else.',
    kind: orNull(text('an access key id', /^[\x21-\x2b\x2d\x2e\x30-\x7e]{1,200}$/)),
    fallback: null,
    sensitive: true,
  },
  objectStoreSecret: {
    name: 'ASSAY_OBJECT_STORE_SECRET',
    description: 'Secret access key.',
    kind: orNull(keyText),
    fallback: null,
    sensitive: true,
  },
  objectStorePathStyle: {
    name: 'ASSAY_OBJECT_STORE_PATH_STYLE',
    description: 'The bucket stands in the path; false: before the host name, as AWS wants it of new buckets.',
    kind: yesNo,
    fallback: true,
    sensitive: false,
  },
  objectStorePrefix: {
    name: 'ASSAY_OBJECT_STORE_PREFIX',
    description: 'What keys begin with, for a bucket that others use as well.',
    kind: {
      expected: 'names of letters, digits, dots, hyphens and underscores, separated by slashes',
      parse: (given) =>
        /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}(\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}){0,4}\/?$/.test(given)
          ? `${given.replace(/\/$/, '')}/`
          : null,
    },
    fallback: '',
    sensitive: false,
  },
  evidenceLocalDays: {
    name: 'ASSAY_EVIDENCE_LOCAL_DAYS',
    description:
      'Days that evidence lies in the database before it moves to the object store. What the newest rating of an asset rests on stays.',
    kind: whole(1, 36_500),
    fallback: 90,
    sensitive: false,
  },
  corsOrigins: {
    name: 'ASSAY_CORS_ORIGINS',
    description: 'Web origins whose pages may call the service; none by default.',
    kind: origins,
    fallback: [],
    sensitive: false,
  },
  serviceUrl: {
    name: 'ASSAY_URL',
    description:
      'A running service that commands ask (`score`, `bulk`, `rms`, `report`, `log`, `mcp`); not set: they work on the data folder.',
    kind: orNull(serviceAddress),
    fallback: null,
    sensitive: false,
  },
  serviceKey: {
    name: 'ASSAY_API_KEY',
    description: 'API key for the service at ASSAY_URL.',
    kind: orNull(keyText),
    fallback: null,
    sensitive: true,
  },
  mcpUrl: {
    name: 'ASSAY_MCP_URL',
    description: 'The service that `assay mcp` asks, where it is another than ASSAY_URL.',
    kind: orNull(serviceAddress),
    fallback: null,
    sensitive: false,
  },
  mcpKey: {
    name: 'ASSAY_MCP_KEY',
    description: 'API key with which `assay mcp` asks, where it is another than ASSAY_API_KEY.',
    kind: orNull(keyText),
    fallback: null,
    sensitive: true,
  },
  logLevel: {
    name: 'ASSAY_LOG_LEVEL',
    description: 'Least level that is logged.',
    kind: oneOf<string>('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    fallback: 'info',
    sensitive: false,
  },
  contact: {
    name: 'ASSAY_CONTACT',
    description: 'Mail or web address that sources see in the User-Agent, so that they can reach you.',
    kind: text('printable text without brackets', /^[\x21-\x27\x2a-\x7e]{1,200}$/),
    fallback: 'no-contact-set',
    sensitive: false,
  },
  trustProxy: {
    name: 'ASSAY_TRUST_PROXY',
    description:
      'Proxies whose X-Forwarded-For is believed: how many stand in a row before this service, or their addresses. The client is the first address from the right that is no such proxy.',
    kind: trustedProxies,
    fallback: false,
    sensitive: false,
  },
};

/** All settings except those of sources. */
export const SETTINGS: readonly Setting[] = Object.entries(rows).map(([field, row]) => ({ ...row, field }) as Setting);
