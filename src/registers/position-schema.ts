import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false };
const Text = Type.String({ minLength: 1, maxLength: 300 });
const Address = Type.String({ pattern: '^0x[0-9a-f]{40}$' });

/**
 * A number read from a contract: word `word` of the result of `call` (name and types of the arguments:
 * `balanceOf(address)`), in units of 10^-`decimals`. With `per` it divides instead of multiplying: the value of a pool
 * share is the pool's holding of a token divided by the number of shares.
 */
const ContractRead = Type.Object(
  {
    at: Address,
    call: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*\\([a-z0-9,]*\\)$' }),
    args: Type.Optional(Type.Array(Text)),
    word: Type.Optional(Type.Integer({ minimum: 0, maximum: 31 })),
    decimals: Type.Integer({ minimum: 0, maximum: 60 }),
    per: Type.Optional(Type.Literal(true)),
  },
  closed,
);
/** Balance of the native coin of an account. */
const CoinRead = Type.Object({ coin_of: Address, decimals: Type.Integer({ minimum: 0, maximum: 60 }) }, closed);
const Product = Type.Array(Type.Union([ContractRead, CoinRead]), { minItems: 1 });

/** The product of the numbers read; `minus` subtracts it. */
const Term = Type.Object({ product: Product, minus: Type.Optional(Type.Literal(true)) }, closed);

const Market = Type.Object(
  {
    name: Text,
    /** Units of the coin that this collateral backs. */
    debt: Type.Array(Term, { minItems: 1 }),
    /**
     * Collateral, each part with its kind in `haircuts` of terms.json. Without `feed`, one unit counts as one unit of
     * the coin's currency.
     */
    held: Type.Array(
      Type.Object(
        { kind: Text, product: Product, feed: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })) },
        closed,
      ),
    ),
    /** Kind that the remaining debt, without collateral read here, counts as. Absent: it counts nothing. */
    unread: Type.Optional(Text),
  },
  closed,
);

/**
 * Debt of a coin that is issued against collateral, and the markets that it was issued in, each with the location of
 * its collateral.
 */
export const PositionCells = {
  /** Units of the coin in circulation. */
  owed: Type.Array(Term, { minItems: 1 }),
  markets: Type.Array(Market, { minItems: 1 }),
};

export type PositionRead = Static<typeof ContractRead> | Static<typeof CoinRead>;
export type PositionTerm = Static<typeof Term>;
export type PositionMarket = Static<typeof Market>;
export interface PositionBook {
  readonly owed: readonly PositionTerm[];
  readonly markets: readonly PositionMarket[];
}

const Share = Type.Number({ minimum: 0, maximum: 1 });
/** The numbers by which positions are read. */
export const PositionTermsSchema = Type.Object(
  {
    /** Loss of a kind of collateral before it is sold, 0-1. */
    haircuts: Type.Record(Type.String(), Share),
    /** Kinds of which one unit counts as at most one, whatever its feed states. */
    at_par: Type.Array(Type.String()),
    /** Markets that explain a smaller part of the debt are not representative of the whole. */
    listed_least: Share,
    /** No value is stated where a larger part of the debt is backed by collateral that is not read. */
    unread_most: Share,
    /**
     * Shortfall over debt from which the surplus of other markets is not counted; below it, a part of the surplus is.
     */
    shortfall_most: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
  },
  closed,
);
export type PositionTerms = Static<typeof PositionTermsSchema>;

/** Kinds of collateral in a row that have no haircut, as text: they could never be counted. */
export function unknownKinds(
  { markets }: Pick<PositionBook, 'markets'>,
  { haircuts }: PositionTerms,
): readonly string[] {
  const kinds = markets.flatMap(({ held, unread }) => [...held.map(({ kind }) => kind), ...(unread ? [unread] : [])]);
  return [...new Set(kinds)]
    .filter((kind) => !Object.hasOwn(haircuts, kind))
    .map((kind) => `has no haircut for ${kind}`);
}
