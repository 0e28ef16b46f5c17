import { toBase58 } from '../../src/chains/codecs/accounts.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/statistics.ts';
import type { Scene } from '../scene.ts';
import { solanaAccount, solanaWallet } from '../world/addresses.ts';
import { seededBytes, seededUnit } from '../world/random.ts';
import type { PoolSpec, SandboxAsset } from '../world/types.ts';
import type { World } from '../world/world.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './solana_accounts.ts';
import { LP_SUPPLY } from './solana_bytes.ts';

const MINUTE_MS = 60_000;
const SOL = 1_000_000_000n;
const FEE = 5_000n;
const TRADES = 120;
const SLOT_MS = 400;
/** Holders of a bad token whom the creator's paymaster paid first. */
const INSIDERS = 4;
const PAGE = 1_000;
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

interface TokenLine {
  readonly account: string;
  readonly owner: string;
  readonly mint: string;
  readonly decimals: number;
  readonly program: string;
  readonly before: bigint;
  readonly after: bigint;
}

interface CoinLine {
  readonly account: string;
  readonly before: bigint;
  readonly after: bigint;
}

/** A transaction of the world's past. The first coin line is the signer's, who pays the fee on top. */
export interface PastTransaction {
  readonly signature: string;
  readonly at: number;
  readonly signer: string;
  readonly coins: readonly CoinLine[];
  readonly tokens: readonly TokenLine[];
  /** Accounts that it names and that hold nothing: a pool. */
  readonly names?: readonly string[];
}

/** Signatures that name an address, newest first, in the shape of getSignaturesForAddress. */
export function signaturesFor(scene: Scene, address: string, options: unknown) {
  const { before, until, limit = PAGE } = (options ?? {}) as { before?: string; until?: string; limit?: number };
  const past = (bookOf(scene.world).byAddress.get(address) ?? []).filter((row) => row.at <= scene.now);
  const newestFirst = past.toReversed();
  const all = bookOf(scene.world).bySignature;
  const [older, younger] = [before === undefined ? null : all.get(before), until === undefined ? null : all.get(until)];
  return newestFirst
    .filter((row) => (older ? comesBefore(row, older) : true) && (younger ? comesBefore(younger, row) : true))
    .slice(0, Math.min(PAGE, limit))
    .map((row) => ({
      signature: row.signature,
      slot: slotAt(row.at),
      blockTime: Math.floor(row.at / 1000),
      err: null,
      memo: null,
      confirmationStatus: 'finalized',
    }));
}

/** A block in the shape of getBlock with `transactionDetails: signatures`. */
export function blockOf(scene: Scene, slot: unknown) {
  const rows = [...bookOf(scene.world).bySignature.values()].filter(
    (row) => slotAt(row.at) === slot && row.at <= scene.now,
  );
  const [first] = rows;
  return {
    blockhash: toBase58(seededBytes('blockhash', String(slot))),
    previousBlockhash: toBase58(seededBytes('blockhash', 'before', String(slot))),
    parentSlot: Number(slot) - 1,
    blockHeight: Number(slot),
    blockTime: first === undefined ? null : Math.floor(first.at / 1000),
    signatures: rows.map((row) => row.signature),
  };
}

/** A transaction in the shape of getTransaction with `jsonParsed`; null when no node stores it. */
export function transactionOf(scene: Scene, signature: string) {
  const row = bookOf(scene.world).bySignature.get(signature);
  if (row === undefined || row.at > scene.now) return null;
  const accounts = [...new Set([...row.coins.map((line) => line.account), ...row.tokens.map((line) => line.account)])];
  const coinOf = new Map(row.coins.map((line) => [line.account, line]));
  const rent = 2_039_280;
  const fee = (account: string) => (account === row.signer ? FEE : 0n);
  const balances = (side: 'before' | 'after') =>
    row.tokens
      .filter((line) => side === 'before' || line.after > 0n || line.before > 0n)
      .map((line) => ({
        accountIndex: accounts.indexOf(line.account),
        mint: line.mint,
        owner: line.owner,
        programId: line.program,
        uiTokenAmount: uiAmount(line[side], line.decimals),
      }));
  return {
    slot: slotAt(row.at),
    blockTime: Math.floor(row.at / 1000),
    version: 'legacy',
    meta: {
      err: null,
      status: { Ok: null },
      fee: Number(FEE),
      computeUnitsConsumed: 41_000,
      innerInstructions: [],
      logMessages: [],
      rewards: [],
      preBalances: accounts.map((account) => Number(coinOf.get(account)?.before ?? rent)),
      postBalances: accounts.map((account) => Number((coinOf.get(account)?.after ?? BigInt(rent)) - fee(account))),
      preTokenBalances: balances('before'),
      postTokenBalances: balances('after'),
    },
    transaction: {
      signatures: [signature],
      message: {
        accountKeys: accounts.map((pubkey) => ({
          pubkey,
          signer: pubkey === row.signer,
          source: 'transaction',
          writable: true,
        })),
        instructions: [],
        recentBlockhash: toBase58(seededBytes('blockhash', signature)),
      },
    },
  };
}

function uiAmount(amount: bigint, decimals: number) {
  const whole = Number(amount) / 10 ** decimals;
  return { amount: amount.toString(), decimals, uiAmount: whole, uiAmountString: String(whole) };
}

function slotAt(at: number): number {
  return Math.floor(at / SLOT_MS) - 3_800_000_000;
}

function comesBefore(a: PastTransaction, b: PastTransaction): boolean {
  return a.at < b.at || (a.at === b.at && a.signature < b.signature);
}

interface Book {
  readonly bySignature: ReadonlyMap<string, PastTransaction>;
  /** Oldest first. */
  readonly byAddress: ReadonlyMap<string, readonly PastTransaction[]>;
}

const books = new WeakMap<World, Book>();

function bookOf(world: World): Book {
  const known = books.get(world);
  if (known) return known;
  const all = [
    ...world.tokens.filter((asset) => asset.chain === 'solana').flatMap((asset) => pastOf(world, asset)),
    ...[0, 1].flatMap((index) => exchangeTraffic(world, index)),
  ].sort((a, b) => (comesBefore(a, b) ? -1 : 1));
  const byAddress = new Map<string, PastTransaction[]>();
  for (const row of all)
    for (const address of new Set([
      ...row.coins.map((line) => line.account),
      ...row.tokens.flatMap((line) => [line.account]),
      ...(row.names ?? []),
    ])) {
      const list = byAddress.get(address) ?? [];
      list.push(row);
      byAddress.set(address, list);
    }
  const book = { bySignature: new Map(all.map((row) => [row.signature, row])), byAddress };
  books.set(world, book);
  return book;
}

/** An exchange's wallet sends payments all day. */
function exchangeTraffic(world: World, index: number): readonly PastTransaction[] {
  const wallet = solanaWallet(world.seed, 'exchange', index);
  return Array.from({ length: PAGE + 40 }, (_, step) =>
    pay(wallet, solanaAccount('payee', index, step % 50), SOL, world.anchor - 2 * DAY_MS + step * 2 * MINUTE_MS, {
      toBefore: 3n * SOL,
    }),
  );
}

/** History of one token: first payments, trades of its pools, and the end of those whose liquidity was removed. */
function pastOf(world: World, asset: SandboxAsset): readonly PastTransaction[] {
  const birth = world.anchor - asset.ageDays * DAY_MS;
  const exchange = (index: number) => solanaWallet(world.seed, 'exchange', index);
  const holders = world.holders(asset, world.anchor).filter((holder) => holder.kind === 'wallet');
  const paymaster = solanaWallet(world.seed, asset.slug, 'paymaster');
  const insiders = asset.grade === 'bad' ? INSIDERS : 0;
  const funding = [
    pay(exchange(0), asset.creator, 40n * SOL, birth - DAY_MS),
    ...(insiders > 0 ? [pay(asset.creator, paymaster, 9n * SOL, birth - 20 * HOUR_MS, { fromBefore: 40n * SOL })] : []),
    ...holders.map((holder, index) => {
      const at = birth - 19 * HOUR_MS + index * 7 * MINUTE_MS;
      return index > 0 && index <= insiders
        ? pay(paymaster, holder.owner, 2n * SOL, at, { fromBefore: 9n * SOL })
        : pay(exchange(index % 2), holder.owner, 3n * SOL, at);
    }),
  ];
  const pools = asset.pools.flatMap((pool, index) => poolPast(world, asset, pool, index));
  return [...funding, ...pools, ...(asset.traits.rugged ? moneyOut(world, asset) : [])];
}

/** When liquidity was removed from a rugged token's pools. */
function pulledAt(world: World): number {
  return world.anchor - 26 * HOUR_MS;
}

interface Reserves {
  readonly base: bigint;
  readonly quote: bigint;
}

function reservesAt(world: World, asset: SandboxAsset, index: number, at: number): Reserves {
  const row = world.market(asset, at).pools[index];
  return {
    base: BigInt(Math.round((row?.baseAmount ?? 0) * 1000)) * 10n ** BigInt(Math.max(0, asset.decimals - 3)),
    quote: BigInt(Math.round((row?.quoteAmount ?? 0) * 10 ** (row?.pool.quote.decimals ?? 0))),
  };
}

function poolPast(world: World, asset: SandboxAsset, pool: PoolSpec, index: number): readonly PastTransaction[] {
  const { creator } = asset;
  const birth = world.anchor - pool.ageDays * DAY_MS;
  const end = asset.traits.rugged ? pulledAt(world) : world.anchor;
  const final = reservesAt(world, asset, index, asset.traits.rugged ? end - 4 * HOUR_MS : world.anchor);
  let held: Reserves = { base: final.base, quote: (final.quote * 3n) / 4n };
  const step = (name: string | number, at: number, next: Reserves, actor: string, lp?: readonly [bigint, bigint]) => {
    const made = poolMove(asset, pool, {
      name: `${pool.address} ${name}`,
      at,
      actor,
      held,
      next,
      ...(lp ? { lp } : {}),
    });
    held = next;
    return made;
  };
  const empty = held;
  held = { base: 0n, quote: 0n };
  const bundle = asset.traits.bundled && index === 0 ? bundleOf(world, asset, empty) : [];
  const begin = Math.ceil(birth / SLOT_MS) * SLOT_MS;
  const past = [step('opening', begin, bundle[0]?.held ?? empty, creator, [0n, LP_SUPPLY])];
  for (const [place, { buyer, next }] of bundle.entries())
    past.push(step(`bundle ${place}`, begin + place + 1, next, buyer));
  for (let trade = 0; trade < TRADES; trade += 1) {
    const at = birth + ((end - birth) * (trade + 1)) / (TRADES + 2);
    const target = empty.quote + ((final.quote - empty.quote) * BigInt(trade + 1)) / BigInt(TRADES);
    const wobble = BigInt(Math.round(seededUnit(pool.address, trade) * 20_000)) - 10_000n;
    const quote = trade === TRADES - 1 ? final.quote : target + (target * wobble) / 1_000_000n;
    // Constant product, which is sufficient for the history.
    const base = quote === 0n ? held.base : (empty.base * empty.quote) / quote;
    past.push(step(trade, at, { base, quote }, solanaWallet(asset.slug, 'trader', trade % 12)));
  }
  if (!asset.traits.rugged) return past;
  const rest = reservesAt(world, asset, index, world.anchor);
  const left = { base: (held.base * rest.quote) / (held.quote || 1n), quote: rest.quote };
  past.push(step('pulled', end + index * 2 * MINUTE_MS, left, creator, [LP_SUPPLY, LP_SUPPLY / 100n]));
  return past;
}

/** Purchases by the wallets that the creator's paymaster paid, together a quarter of the supply, after which the pool holds `end`. */
function bundleOf(world: World, asset: SandboxAsset, end: Reserves) {
  const wallets = world.holders(asset, world.anchor).filter((holder) => holder.kind === 'wallet');
  const buyers = wallets.slice(1, 1 + INSIDERS).map((holder) => holder.owner);
  const supply = BigInt(Math.round(asset.totalSupply)) * 10n ** BigInt(asset.decimals);
  const part = supply / (4n * BigInt(buyers.length));
  const after = (left: number): Reserves => {
    const base = end.base + part * BigInt(left);
    return { base, quote: (end.quote * end.base) / base };
  };
  return buyers.map((buyer, place) => ({
    buyer,
    held: after(buyers.length - place),
    next: after(buyers.length - place - 1),
  }));
}

/**
 * Quote tokens of the emptied pools that are native coins move on: to a new wallet, from there to another and to an
 * exchange.
 */
function moneyOut(world: World, asset: SandboxAsset): readonly PastTransaction[] {
  const pulled = asset.pools.reduce((sum, pool, index) => {
    if (pool.quote.address !== WRAPPED_SOL) return sum;
    const before = reservesAt(world, asset, index, pulledAt(world) - 4 * HOUR_MS).quote;
    return sum + before - reservesAt(world, asset, index, world.anchor).quote;
  }, 0n);
  const fresh = solanaWallet(world.seed, asset.slug, 'runaway', 0);
  const second = solanaWallet(world.seed, asset.slug, 'runaway', 1);
  const at = pulledAt(world) + 40 * MINUTE_MS;
  const moved = (pulled * 97n) / 100n;
  return [
    pay(asset.creator, fresh, moved, at, { fromBefore: pulled + SOL }),
    pay(fresh, second, (moved * 55n) / 100n, at + HOUR_MS, { fromBefore: moved }),
    pay(fresh, solanaWallet(world.seed, 'exchange', 1), (moved * 40n) / 100n, at + 2 * HOUR_MS, {
      fromBefore: (moved * 45n) / 100n,
      toBefore: 90_000n * SOL,
    }),
    pay(second, solanaWallet(world.seed, 'exchange', 1), (moved * 50n) / 100n, at + 3 * HOUR_MS, {
      fromBefore: (moved * 55n) / 100n,
      toBefore: 90_500n * SOL,
    }),
  ];
}

function pay(
  from: string,
  to: string,
  amount: bigint,
  at: number,
  { fromBefore = 100_000n * SOL, toBefore = 0n }: { readonly fromBefore?: bigint; readonly toBefore?: bigint } = {},
): PastTransaction {
  const before = fromBefore > amount + FEE ? fromBefore : amount + FEE;
  return {
    signature: signatureOf('pay', from, to, at),
    at,
    signer: from,
    coins: [
      { account: from, before, after: before - amount },
      { account: to, before: toBefore, after: toBefore + amount },
    ],
    tokens: [],
  };
}

/** A trade, an addition or a removal: the actor receives what the vaults lose, coins unwrapped. */
function poolMove(
  asset: SandboxAsset,
  pool: PoolSpec,
  move: {
    readonly name: string;
    readonly at: number;
    readonly actor: string;
    readonly held: Reserves;
    readonly next: Reserves;
    readonly lp?: readonly [before: bigint, after: bigint];
  },
): PastTransaction {
  const { actor, held, next } = move;
  const line = (account: string, owner: string, mint: string, decimals: number, before: bigint, after: bigint) => ({
    account,
    owner,
    mint,
    decimals,
    program: mint === asset.address && asset.traits.token2022 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM,
    before,
    after,
  });
  const isCoin = pool.quote.address === WRAPPED_SOL;
  const [baseOut, quoteOut] = [held.base - next.base, held.quote - next.quote];
  const purse = (out: bigint) => ({ before: out < 0n ? -out : 0n, after: out > 0n ? out : 0n });
  const [basePurse, quotePurse] = [purse(baseOut), purse(quoteOut)];
  const wallet = 50n * SOL;
  const own = (mint: string) => solanaAccount(actor, 'token-account', mint);
  const { quote } = pool;
  return {
    signature: signatureOf(move.name),
    at: move.at,
    signer: actor,
    names: [pool.address],
    coins: [
      isCoin
        ? { account: actor, before: wallet + quotePurse.before, after: wallet + quotePurse.after }
        : { account: actor, before: wallet, after: wallet },
    ],
    tokens: [
      line(pool.baseVault, pool.authority, asset.address, asset.decimals, held.base, next.base),
      line(pool.quoteVault, pool.authority, quote.address, quote.decimals, held.quote, next.quote),
      line(own(asset.address), actor, asset.address, asset.decimals, basePurse.before, basePurse.after),
      ...(isCoin
        ? []
        : [line(own(quote.address), actor, quote.address, quote.decimals, quotePurse.before, quotePurse.after)]),
      ...(move.lp && pool.kind === 'constant_product'
        ? [line(own(pool.lpMint), actor, pool.lpMint, 9, move.lp[0], move.lp[1])]
        : []),
    ],
  };
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const SIGNATURE_LETTERS = 87;

/** 87 letters of base58, the first of them not too small, are always 64 bytes: no division needed. */
function signatureOf(...keys: readonly (string | number)[]): string {
  const bytes = Buffer.concat(['a', 'b', 'c'].map((part) => seededBytes('signature', part, ...keys)));
  return [...bytes.subarray(0, SIGNATURE_LETTERS)]
    .map((byte, index) => ALPHABET[index === 0 ? 2 + (byte % 56) : byte % 58])
    .join('');
}
