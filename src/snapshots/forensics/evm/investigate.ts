import type { ChainFault, Hex } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import type { EvmReader } from '../../evm/types.ts';
import { notRead } from '../limits.ts';
import type { Drain, Findings, Funding, Hop, Limit, PoolFinding, Question } from '../types.ts';
import type { Explorer } from './explorer.ts';
import { firstEvmFunding } from './first-funding.ts';
import { type EvmStart, followEvmFunds } from './follow-funds.ts';
import type { EvmHistory } from './history.ts';
import { findEvmDrains } from './pool-drains.ts';
import { watchEvmPool } from './watch-pool.ts';

export interface EvmTools {
  readonly reader: EvmReader;
  readonly history: EvmHistory;
  /** Null where the chain has none. */
  readonly explorer: Explorer | null;
  readonly wrappedCoin: Hex | null;
  readonly blocksPerDay: number;
}

const POOLS = 3;
const MOST_DAYS = 400;
const DAY_SECONDS = 86_400;
/** Blocks may come faster than usual. */
const SLOW = 1.2;
const MOST_RANGES = 40;
const DRAINS = 8;
const DEPTH = 2;
const FOLLOWED_WALLETS = 6;
const FUNDED_WALLETS = 6;
const MOST_ENDS = 8;

/** Who emptied an asset's pools on an EVM chain, where the money went, and who first paid the wallets that took part. */
export async function investigateEvm(tools: EvmTools, question: Question, signal?: AbortSignal): Promise<Findings> {
  const { reader, history, explorer, wrappedCoin, blocksPerDay } = tools;
  const given = signal ? { signal } : {};
  const limits: Limit[] = [];
  const pools: PoolFinding[] = [];
  const hops: Hop[] = [];
  let newest = 0;
  for (const asked of question.pools.slice(0, POOLS)) {
    const address = asked.address.toLowerCase() as Hex;
    const base = question.base.toLowerCase() as Hex;
    const watched = await watchEvmPool(reader, { address, dex: asked.dex, base }, signal);
    if (!watched.ok) {
      limits.push(notRead(address, watched));
      continue;
    }
    const watch = watched.value;
    newest = Math.max(newest, watch.block);
    const oldest = await oldestOf(tools, watch.block, asked.createdAt, signal);
    const search = {
      reader,
      history,
      watch,
      wrappedCoin,
      oldest,
      blocksPerDay,
      mostRanges: MOST_RANGES,
      mostDrains: DRAINS,
    };
    const found = await findEvmDrains({ ...search, ...given });
    pools.push(found.finding);
    limits.push(...found.limits);
  }
  for (const { pool, drains } of pools) {
    const owners = new Set(pools.flatMap((row) => [...row.pool.owners]));
    const followed = await followEvmFunds(startsOf(drains), {
      reader,
      history,
      explorer,
      token: pool.quote as Hex,
      isCoin: pool.quote === wrappedCoin,
      newest,
      isService: (address) => owners.has(address) || question.isService(address),
      depth: DEPTH,
      mostWallets: FOLLOWED_WALLETS,
      ...given,
    });
    hops.push(...followed.hops);
    limits.push(...followed.limits);
  }
  const drains = pools.flatMap((row) => row.drains);
  const paid = await evmFundingsOf({ ...tools, newest }, walletsOf(question, drains), question, signal);
  const services = new Set(paid.services);
  for (const end of endsOf(hops).slice(0, MOST_ENDS)) {
    const crowded = question.isService(end) ? null : await isCrowded(tools, end, signal);
    if (crowded?.ok && crowded.value) services.add(end);
  }
  return { pools, hops, fundings: paid.fundings, services, limits: [...limits, ...paid.limits] };
}

/** Where the ways that were followed end. */
function endsOf(hops: readonly Hop[]): readonly Hex[] {
  const followed = new Set(hops.map((hop) => hop.from));
  return [...new Set(hops.flatMap(({ to }) => (to === null || followed.has(to) ? [] : [to as Hex])))];
}

/** The first block worth reading: some before the pool was made, and not too long ago. */
async function oldestOf(
  { reader, blocksPerDay }: Pick<EvmTools, 'reader' | 'blocksPerDay'>,
  newest: number,
  createdAt: string | null,
  signal?: AbortSignal,
): Promise<number> {
  const now = createdAt === null ? null : await reader.block(newest, signal);
  const age = now?.ok ? (now.value.timestamp - Date.parse(createdAt ?? '') / 1000) / DAY_SECONDS : Number.NaN;
  const days = Number.isFinite(age) && age > 0 ? Math.min(MOST_DAYS, age * SLOW + 1) : MOST_DAYS;
  return Math.max(0, Math.floor(newest - days * blocksPerDay));
}

function startsOf(drains: readonly Drain[]): readonly EvmStart[] {
  const starts = new Map<string, EvmStart>();
  for (const drain of drains.toSorted((a, b) => a.height - b.height)) {
    for (const { address, amount } of drain.recipients) {
      const known = starts.get(address);
      starts.set(address, {
        wallet: address as Hex,
        block: known?.block ?? drain.height,
        amount: (known?.amount ?? 0n) + amount,
      });
    }
  }
  return [...starts.values()].sort((a, b) => (a.amount > b.amount ? -1 : 1));
}

function walletsOf({ creator }: Question, drains: readonly Drain[]): readonly Hex[] {
  if (drains.length === 0) return [];
  const wallets = drains.flatMap((drain) => [
    drain.actor,
    drain.liquidityOwner,
    ...drain.recipients.map((one) => one.address),
  ]);
  return [...new Set([creator, ...wallets])]
    .filter((one) => one !== null)
    .map((one) => one.toLowerCase() as Hex)
    .slice(0, FUNDED_WALLETS);
}

/** Who first paid each of the wallets, and which of the payers are no persons: named services, contracts, senders of thousands. */
export async function evmFundingsOf(
  tools: Pick<EvmTools, 'reader' | 'history' | 'explorer'> & { readonly newest: number },
  wallets: readonly Hex[],
  { isService }: Pick<Question, 'isService'>,
  signal?: AbortSignal,
): Promise<{
  readonly fundings: ReadonlyMap<string, Funding>;
  readonly services: ReadonlySet<string>;
  readonly limits: readonly Limit[];
}> {
  const fundings = new Map<string, Funding>();
  const services = new Set<string>();
  for (const wallet of wallets) {
    if (isService(wallet)) continue;
    const found = await firstEvmFunding(tools, wallet, signal);
    if (!found.ok) {
      const detail = `who first paid the wallets is not known: ${found.detail}`;
      return { fundings, services, limits: [{ code: tools.explorer === null ? 'no_traces' : 'no_indexer', detail }] };
    }
    if (found.value !== null) fundings.set(wallet, found.value);
  }
  const counts = new Map<string, number>();
  for (const { funder } of fundings.values()) counts.set(funder, (counts.get(funder) ?? 0) + 1);
  const limits: Limit[] = [];
  for (const [funder, times] of counts) {
    if (isService(funder)) services.add(funder);
    else if (times > 1 || wallets.length <= FUNDED_WALLETS) {
      const found = await isCrowded(tools, funder as Hex, signal);
      if (!found.ok)
        limits.push({ code: 'node_failed', detail: `whether ${funder} is a service is not known: ${found.detail}` });
      else if (found.value) services.add(funder);
    }
  }
  return { fundings, services, limits };
}

/** More transactions than a person sends: an exchange, a bridge, a bot. */
const MANY_SENT = 2_000;

async function isCrowded(
  { reader, history }: Pick<EvmTools, 'reader' | 'history'>,
  address: Hex,
  signal?: AbortSignal,
): Promise<Result<boolean, ChainFault>> {
  const sent = await history.sent(address, signal);
  if (!sent.ok || sent.value >= MANY_SENT) return sent.ok ? { ok: true, value: true } : sent;
  const code = await reader.code(address, 'latest', signal);
  if (!code.ok) return code;
  // A wallet may delegate to a contract (EIP-7702) and stay somebody's.
  return { ok: true, value: code.value !== '0x' && !code.value.startsWith('0xef0100') };
}
