import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

/** One decoded log of a pool, as web3.py writes it. */
interface Log {
  readonly args: Readonly<Record<string, number | string>>;
  readonly blockNumber: number;
  readonly logIndex: number;
}
/**
 * Data of a pool one day after its first liquidity, from its logs, and whether it was drained in the following week.
 */
interface Row {
  readonly pool: string;
  readonly creator: string;
  readonly first_liquidity_at: string;
  readonly decided_at: string;
  readonly weth: number;
  readonly volume_weth: number;
  readonly buys: number;
  readonly sells: number;
  /** Trades in the last six hours of the day, and hours from the last trade to the end of the day. */
  readonly trades_last_6h: number;
  readonly sells_last_6h: number;
  readonly hours_since_trade: number;
  /** Distance of the price at the end of the day from its maximum, 0-1. */
  readonly below_peak: number;
  readonly lp_creator_share: number;
  readonly lp_locked_share: number;
  readonly lp_burned_share: number;
  readonly lp_second_provider_share: number;
  readonly lp_other_providers: number;
  readonly drained: 0 | 1;
}

const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const ZERO = '0x0000000000000000000000000000000000000000';
const BURNED = new Set([ZERO, '0x000000000000000000000000000000000000dead']);
/**
 * Lockers that pools used in these months (Team Finance, UNCX), and the wallet that receives UNCX's fee of one
 * hundredth of each lock.
 */
const LOCKERS = new Set(['0xe2fe530c047f2d85298b07d9333c05737f1435fb', '0x663a5c229c09b049e36dcc11a9b0d4a8eb9db214']);
const LOCKER_FEES = '0xa7577f841d95b1331954c936d71fe45ba2f62fe5';

/** Mean of September and October 2021; block 13,136,427 was the first of September 2021 (UTC). */
const SECONDS_PER_BLOCK = 13.4;
const ANCHOR = { block: 13_136_427, at: Date.UTC(2021, 8, 1) };
const DAY = Math.round(86_400 / SECONDS_PER_BLOCK);
const WATCHED = 7 * DAY;
/** Least WETH of a market; less is the remainder of an abandoned or drained pool. */
const SMALLEST_WETH = 1;
/** A pool is drained when sales or a withdrawal remove this share of its WETH. */
const DRAINED = 0.9;

/**
 * Reads the pools of github.com/AlexDeLos/RugPullDetection (Uniswap v2, Ethereum, from September 2021) from a clone of
 * that repository, with or without a work tree, and writes one row per pool for `assay validate`. A row uses only data
 * of the first day.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { git: { type: 'string' }, out: { type: 'string' } } });
  if (values.git === undefined || values.out === undefined)
    throw new Error('usage: node research/uniswap-v2-logs.ts --git CLONE --out FILE.csv');
  const files = await filesOf(values.git, 'HEAD:full_data');
  const pools = JSON.parse(files.get('pool_dict.json') ?? '{}') as Record<
    string,
    { readonly token0: string; readonly token1: string }
  >;
  const logs = new Map(
    Object.keys(pools).map((pool) => [
      pool,
      { syncs: logsOf(files, 'pool_sync_events', pool), moves: logsOf(files, 'pool_transfer_events', pool) },
    ]),
  );
  const last = [...logs.values()].reduce((most, { syncs }) => Math.max(most, syncs.at(-1)?.blockNumber ?? 0), 0);
  const rows = Object.entries(pools).flatMap(([pool, { token0, token1 }]): readonly Row[] => {
    const side = [token0, token1].findIndex((token) => token.toLowerCase() === WETH);
    const own = logs.get(pool);
    const row = side < 0 || own === undefined ? null : rowOf(pool, side, own.syncs, own.moves, last);
    return row === null ? [] : [row];
  });
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => Object.values(row).join(','));
  await writeFile(values.out, `${[columns.join(','), ...lines].join('\n')}\n`);
  process.stdout.write(`${rows.length} pools, ${rows.filter((row) => row.drained === 1).length} drained\n`);
}

/** The data of one pool's logs; null for a pool that was dead after a day or whose logs end less than a week later. */
export function rowOf(
  pool: string,
  side: number,
  syncs: readonly Log[],
  moves: readonly Log[],
  lastBlock: number,
): Row | null {
  const reserves = syncs.map(({ args, blockNumber }) => ({
    block: blockNumber,
    weth: Number(args[`reserve${side}`]) / 1e18,
    token: Number(args[`reserve${1 - side}`]),
  }));
  const start = reserves.find(({ weth, token }) => weth > 0 && token > 0)?.block;
  if (start === undefined || start + DAY + WATCHED > lastBlock) return null;
  const day = reserves.filter(({ block }) => block <= start + DAY);
  const weth = day.at(-1)?.weth ?? 0;
  if (weth < SMALLEST_WETH) return null;
  const later = reserves.filter(({ block }) => block > start + DAY && block <= start + DAY + WATCHED);
  const least = later.reduce((low, row) => Math.min(low, row.weth), weth);
  return {
    pool: pool.toLowerCase(),
    first_liquidity_at: timeOf(start),
    decided_at: timeOf(start + DAY + WATCHED),
    weth,
    ...tradesOf(day, start + DAY),
    ...holdersOf(
      pool.toLowerCase(),
      moves.filter(({ blockNumber }) => blockNumber <= start + DAY),
    ),
    drained: least <= (1 - DRAINED) * weth ? 1 : 0,
  };
}

/** A trade moves the two reserves in opposite directions; added or removed liquidity moves both the same way. */
function tradesOf(
  day: readonly { readonly block: number; readonly weth: number; readonly token: number }[],
  end: number,
) {
  const quarter = end - DAY / 4;
  const found = { volume_weth: 0, buys: 0, sells: 0, trades_last_6h: 0, sells_last_6h: 0 };
  let last = day[0]?.block ?? end;
  for (const [at, row] of day.slice(1).entries()) {
    const before = day[at];
    if (before === undefined) continue;
    const [weth, token] = [row.weth - before.weth, row.token - before.token];
    if (weth * token >= 0) continue;
    const isLate = row.block > quarter;
    found.volume_weth += Math.abs(weth);
    if (weth > 0) found.buys += 1;
    else found.sells += 1;
    if (isLate) found.trades_last_6h += 1;
    if (isLate && weth < 0) found.sells_last_6h += 1;
    last = row.block;
  }
  const prices = day.flatMap(({ weth, token }) => (weth > 0 && token > 0 ? [weth / token] : []));
  const highest = prices.reduce((most, price) => Math.max(most, price), 0);
  return {
    ...found,
    hours_since_trade: ((end - last) * SECONDS_PER_BLOCK) / 3_600,
    below_peak: highest === 0 ? 0 : 1 - (prices.at(-1) ?? 0) / highest,
  };
}

/** Holders of the pool's LP token. The first receiver is its creator. */
function holdersOf(pool: string, moves: readonly Log[]) {
  const held = new Map<string, number>();
  let creator = '';
  const add = (address: string, amount: number) => held.set(address, (held.get(address) ?? 0) + amount);
  for (const { args } of moves) {
    const [from, to, value] = [String(args.from).toLowerCase(), String(args.to).toLowerCase(), Number(args.value)];
    if (from !== ZERO) add(from, -value);
    // LP tokens returned to the pool for withdrawal, which the pool then burns.
    if (to === ZERO && from === pool) continue;
    add(to, value);
    if (from === ZERO && to !== ZERO && creator === '') creator = to;
  }
  held.delete(pool);
  const all = [...held.entries()].filter(([, amount]) => amount > 0);
  const total = all.reduce((sum, [, amount]) => sum + amount, 0);
  const shareOf = (wanted: (address: string) => boolean) =>
    total === 0 ? 0 : all.filter(([address]) => wanted(address)).reduce((sum, [, amount]) => sum + amount, 0) / total;
  const isLocked = (address: string) => BURNED.has(address) || LOCKERS.has(address) || address === LOCKER_FEES;
  const others = all
    .filter(([address]) => address !== creator && !isLocked(address))
    .map(([, amount]) => amount / total)
    .sort((a, b) => b - a);
  return {
    creator,
    lp_creator_share: shareOf((address) => address === creator),
    lp_locked_share: shareOf(isLocked),
    lp_burned_share: shareOf((address) => BURNED.has(address)),
    lp_second_provider_share: others[1] ?? 0,
    lp_other_providers: others.length,
  };
}

function timeOf(block: number): string {
  return new Date(ANCHOR.at + (block - ANCHOR.block) * SECONDS_PER_BLOCK * 1_000).toISOString();
}

function logsOf(files: ReadonlyMap<string, string>, folder: string, pool: string): readonly Log[] {
  const logs = JSON.parse(files.get(`${folder}/${pool}.json`) ?? '[]') as Log[];
  return logs.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
}

/** Content of every file below a tree of a clone, by path, without missing files. */
async function filesOf(clone: string, tree: string): Promise<ReadonlyMap<string, string>> {
  const listed = await git(clone, ['ls-tree', '-r', tree], '');
  const entries = listed.split('\n').flatMap((line) => {
    const [info = '', path] = line.split('\t');
    return path === undefined ? [] : [{ id: info.split(' ')[2] ?? '', path }];
  });
  const batch = await git(clone, ['cat-file', '--batch'], `${entries.map(({ id }) => id).join('\n')}\n`);
  const files = new Map<string, string>();
  let at = 0;
  for (const { path } of entries) {
    const end = batch.indexOf('\n', at);
    const [, kind, size] = batch.slice(at, end).split(' ');
    at = end + 1;
    if (kind !== 'blob') continue;
    files.set(path, batch.slice(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return files;
}

/** Output of git with one character per byte, because sizes count bytes; everything read here is ASCII. */
async function git(clone: string, args: readonly string[], input: string): Promise<string> {
  const child = spawn('git', ['-C', clone, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdout.setEncoding('latin1');
  child.stdin.end(input);
  const [output] = await Promise.all([text(child.stdout), new Promise((done) => child.on('close', done))]);
  if (child.exitCode !== 0) throw new Error(`git ${args.join(' ')} in ${clone} failed`);
  return output;
}

if (import.meta.main) void main();
