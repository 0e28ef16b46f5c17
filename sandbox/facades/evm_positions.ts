import { encodeAbiParameters, type Hex } from 'viem';
import { CHAINS } from '../../src/chains/index.ts';
import {
  assetName,
  type PositionBook,
  type PositionMarket,
  type PositionRead,
  type PositionTerm,
  positionTerms,
  rowsOf,
} from '../../src/registers/index.ts';
import { callOfRead } from '../../src/sources/evm-rpc/positions.ts';
import { priceFeedOf } from '../../src/sources/redemption/terms.ts';
import type { Scene } from '../scene.ts';
import type { SandboxAsset } from '../world/types.ts';
import { priceFeedAt } from './evm_redemption.ts';
import { rawUnits } from './evm_world.ts';

/** Words that each call of a row returns, by contract and data. */
type Answers = Map<string, bigint[]>;
/** Runs a call on the rest of the world; null where no contract replies. */
type Run = (to: string, data: Hex) => Hex | null;

const FEED_DECIMALS = 8;
const answered = new WeakMap<Scene, Answers>();
const named = new WeakMap<SandboxAsset, ReadonlySet<string>>();

/**
 * Replies of a contract that a row of the register of positions names for an asset of the world with a `cover`: debts
 * equal to the supply of the coin, and collateral that covers each market's debt this many times after haircuts. Null
 * for any other call.
 */
export function positionReply(scene: Scene, chain: string, to: string, data: Hex, run: Run): Hex | null {
  const asset = scene.world.tokens.find(
    (one) => one.cover !== undefined && one.chain === chain && namedBy(one).has(nameOf(to, data)),
  );
  if (asset === undefined) return null;
  const answers = answered.get(scene) ?? new Map<string, bigint[]>();
  if (answered.get(scene) === undefined) {
    answered.set(scene, answers);
    for (const one of scene.world.tokens) if (one.cover !== undefined) fill(scene, one, answers, run);
  }
  const words = answers.get(nameOf(to, data));
  return words === undefined
    ? null
    : encodeAbiParameters(
        words.map(() => ({ type: 'uint256' })),
        words,
      );
}

const nameOf = (to: string, data: Hex) => `${to.toLowerCase()}${data.toLowerCase()}`;
const nameOfRead = (read: PositionRead) => {
  const { to, data } = callOfRead(read);
  return nameOf(to, data);
};

function bookOf({ chain, address }: SandboxAsset): PositionBook | null {
  const caip2 = CHAINS.find(({ name }) => name === chain)?.caip2;
  const row = caip2 === undefined ? undefined : rowsOf([assetName(caip2, address)]).shipped.positions;
  return row ? (row as unknown as PositionBook) : null;
}

/** Every call that the row of an asset makes. */
function namedBy(asset: SandboxAsset): ReadonlySet<string> {
  const known = named.get(asset);
  if (known) return known;
  const book = bookOf(asset);
  const terms = [...(book?.owed ?? []), ...(book?.markets ?? []).flatMap(({ debt, held }) => [...debt, ...held])];
  const names = new Set(terms.flatMap(({ product }) => product.map(nameOfRead)));
  named.set(asset, names);
  return names;
}

function fill(scene: Scene, asset: SandboxAsset, answers: Answers, run: Run): void {
  const book = bookOf(asset);
  if (book === null) return;
  const supply = scene.see('evm_rpc', asset).totalSupply;
  const positions = book.markets.filter(({ unread }) => unread === undefined);
  const state = new State(answers, run);
  for (const market of positions) state.solve(market.debt, supply / positions.length);
  for (const market of positions) lay(scene, asset, market, (supply / positions.length) * (asset.cover ?? 0), state);
  for (const market of book.markets) if (market.unread !== undefined) state.solve(market.debt, 0);
  state.solve(book.owed, supply);
}

/** Adds collateral of this value after haircuts to a market: all of it as the first kind. */
function lay(scene: Scene, asset: SandboxAsset, market: PositionMarket, worth: number, state: State): void {
  for (const [at, { kind, product, feed }] of market.held.entries()) {
    const { haircuts, at_par } = positionTerms();
    const usd = feed === undefined ? 1 : priceOf(scene, String(asset.chain), feed);
    const price = at_par.includes(kind) ? Math.min(1, usd) : usd;
    state.give([{ product }], at === 0 ? worth / (price * (1 - (haircuts[kind] ?? 0))) : 0);
  }
}

function priceOf(scene: Scene, chain: string, feed: string): number {
  const round = priceFeedAt(scene, chain, priceFeedOf(chain, feed)?.address ?? '')?.('latestRoundData', []);
  const answer = Array.isArray(round) ? round[1] : null;
  if (typeof answer !== 'bigint') throw new Error(`the sandbox has no feed of ${feed} on ${chain}`);
  return Number(answer) / 10 ** FEED_DECIMALS;
}

/** Replies of contracts of rows, solved one equation after the other. */
class State {
  readonly #answers: Answers;
  readonly #run: Run;
  constructor(answers: Answers, run: Run) {
    this.#answers = answers;
    this.#run = run;
  }

  /**
   * Makes the sum of terms equal to `total`, unless the world decides it: unknown parts are zero, and the first product
   * makes up the rest.
   */
  solve(terms: readonly PositionTerm[], total: number): void {
    const [first, ...others] = terms;
    if (first === undefined || first.product.every((read) => this.#valueOf(read) !== null)) {
      for (const { product } of others) this.#decide(product, 0);
      return;
    }
    let rest = 0;
    for (const { product, minus } of others) rest += (minus === true ? 1 : -1) * this.#decide(product, 0);
    this.#set(first.product, total + rest);
  }

  /** The same, overriding replies of the world. */
  give([term]: readonly PositionTerm[], total: number): void {
    if (term !== undefined) this.#set(term.product, total);
  }

  /** The first read that no row has decided makes up the product. */
  #set(product: readonly PositionRead[], total: number): void {
    const free = product.find((read) => !this.#answers.has(nameOfRead(read))) ?? product[0];
    if (free === undefined) return;
    let by = 1;
    for (const read of product) {
      if (read === free) continue;
      // A pool that the world does not have is one unit large.
      const value = this.#valueOf(read) || this.#put(read, 1);
      by *= 'per' in read && read.per === true ? 1 / value : value;
    }
    this.#put(free, total / by);
  }

  /** The value of a product; the first read without a reply becomes `otherwise`, the rest one. */
  #decide([first, ...others]: readonly PositionRead[], otherwise: number): number {
    if (first === undefined) return 0;
    let value = this.#valueOf(first) ?? this.#put(first, otherwise);
    for (const read of others) value *= this.#valueOf(read) ?? this.#put(read, 1);
    return value;
  }

  #put(read: PositionRead, value: number): number {
    const name = nameOfRead(read);
    const at = 'word' in read ? (read.word ?? 0) : 0;
    const words = this.#answers.get(name) ?? [];
    while (words.length <= at) words.push(0n);
    words[at] = read.decimals >= 3 ? rawUnits(value, read.decimals) : BigInt(Math.round(value * 10 ** read.decimals));
    this.#answers.set(name, words);
    return value;
  }

  #valueOf(read: PositionRead): number | null {
    const at = 'word' in read ? (read.word ?? 0) : 0;
    const known = this.#answers.get(nameOfRead(read));
    if (known !== undefined) return at < known.length ? Number(known[at]) / 10 ** read.decimals : null;
    const { to, data } = callOfRead(read);
    const found = 'coin_of' in read ? null : this.#run(to, data);
    return found === null || found.length < 2 + 64 * (at + 1)
      ? null
      : Number(BigInt(`0x${found.slice(2 + 64 * at, 66 + 64 * at)}`)) / 10 ** read.decimals;
  }
}
