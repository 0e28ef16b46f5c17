import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { TOKEN_PROGRAM } from '../src/chains/solana.ts';
import { totalOf } from '../src/snapshots/holders/balance-table.ts';
import { scanTokenAccounts } from '../src/snapshots/solana/scan.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';

/**
 * A scan of ten million token accounts (a reply of 2.9 GB on loopback) compared with the limit, a plain read of the same bytes
 * from the same socket, and with JSON.parse of pages of 10,000 accounts with a Map of bigints.
 */
const ACCOUNTS = Number(process.env.ASSAY_BENCH_ACCOUNTS ?? 10_000_000);
const PARSED = Math.min(ACCOUNTS, 500_000);
const server = fileURLToPath(new URL('./scan-server.ts', import.meta.url));

const { url, bytes, total, stop } = await serve(ACCOUNTS);
let peakMb = 0;
const watch = setInterval(() => {
  peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1e6);
}, 10);
const plain = await seconds(() => readPlain(url));
peakMb = 0;
const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'assay-bench' });
const cpu = process.cpuUsage();
const ofThread = process.threadCpuUsage();
let owners = 0;
const scan = await seconds(async () => {
  const found = await scanTokenAccounts({
    upstream,
    node: { label: 'bench', url, secretHeaders: {}, secretQuery: [] },
    mint: 'So11111111111111111111111111111111111111112',
    tokenProgram: TOKEN_PROGRAM,
    form: 'plain',
    seed: 0x5eed,
    maxBytes: 8 * 1024 ** 3,
    totalMs: 600_000,
    now: Date.now,
  });
  if (!found.ok) throw new Error(`${found.reason}: ${found.detail}`);
  owners = found.value.table.count;
  if (totalOf(found.value.table) !== BigInt(total)) throw new Error('the sum is wrong');
  if (found.value.accounts !== ACCOUNTS) throw new Error('accounts are missing');
});
const used = process.cpuUsage(cpu);
const usedHere = process.threadCpuUsage(ofThread);
const scanPeak = peakMb;
clearInterval(watch);
await upstream.close();
stop();

const small = await serve(PARSED);
const parsed = await seconds(() => parsePages(small.url));
small.stop();
console.log(
  JSON.stringify(
    {
      accounts: ACCOUNTS,
      owners,
      gigabytes: round(bytes / 1e9),
      scan_seconds: round(scan),
      accounts_per_second: Math.round(ACCOUNTS / scan),
      cpu_seconds: round((used.user + used.system) / 1e6),
      cpu_seconds_of_main_thread: round((usedHere.user + usedHere.system) / 1e6),
      plain_read_seconds: round(plain),
      of_plain_read: round(plain / scan),
      json_parse_accounts_per_second: Math.round(PARSED / parsed),
      against_json_parse: round(ACCOUNTS / scan / (PARSED / parsed)),
      peak_rss_mb: Math.round(scanPeak),
    },
    null,
    1,
  ),
);
process.exit(0);

async function serve(count: number) {
  const child = spawn(process.execPath, [server, String(count)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const made = JSON.parse(line) as { readonly url: string; readonly bytes: number; readonly total: string };
  return { ...made, stop: () => child.kill() };
}

function readPlain(from: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(from, { method: 'POST' }, (response) => {
      response.on('data', () => undefined);
      response.once('end', resolve);
    })
      .once('error', reject)
      .end();
  });
}

/** The straightforward implementation: text split into pages, parsed, added up in a Map. */
async function parsePages(from: string): Promise<void> {
  const text = await (await fetch(from, { method: 'POST' })).text();
  const body = text.slice(text.indexOf('['), text.lastIndexOf(']')).slice(1);
  const sums = new Map<string, bigint>();
  const parts = body.split(',{"account"');
  for (let start = 0; start < parts.length; start += 10_000) {
    const page = parts
      .slice(start, start + 10_000)
      .map((part, index) => (start + index === 0 ? part : `{"account"${part}`));
    for (const row of JSON.parse(`[${page.join(',')}]`) as {
      readonly account: { readonly data: readonly string[] };
    }[]) {
      const data = Buffer.from(row.account.data[0] ?? '', 'base64');
      const owner = data.toString('base64', 0, 32);
      sums.set(owner, (sums.get(owner) ?? 0n) + data.readBigUInt64LE(32));
    }
  }
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
