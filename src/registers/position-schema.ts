import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false };
const Text = Type.String({ minLength: 1, maxLength: 300 });
const Address = Type.String({ pattern: '^0x[0-9a-f]{40}$' });

/**
 * A number that a contract gives: word `word` of what `call` returns (name and types of the arguments: `balanceOf(address)`), in units of 10^-`decimals`. With `per` it
 * divides instead of multiplying: the share of a pool is what is held of its tokens per tokens that there are.
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
/** The chain's own coin that an account holds. */
const CoinRead = Type.Object({ coin_of: Address, decimals: Type.Integer({ minimum: 0, maximum: 60 }) }, closed);
const Product = Type.Array(Type.Union([ContractRead, CoinRead]), { minItems: 1 });

/** The product of what is read; with `minus` it is taken away. */
const Term = Type.Object({ product: Product, minus: Type.Optional(Type.Literal(true)) }, closed);

const Market = Type.Object(
  {
    name: Text,
    /** Units of the coin that stand against it. */
    debt: Type.Array(Term, { minItems: 1 }),
    /** Collateral, each part by its kind of `haircuts` in terms.json. Without `feed` a unit counts one unit of the coin's currency. */
    held: Type.Array(
      Type.Object(
        { kind: Text, product: Product, feed: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })) },
        closed,
      ),
    ),
    /** Kind that the part of the debt counts as against which no collateral is read here. Absent: it counts nothing. */
    unread: Type.Optional(Text),
  },
  closed,
);

/** What is owed on a coin that is issued against collateral, and the markets that it was issued in, each with where its collateral lies. */
export const PositionCells = {
  /** Units of the coin that its holders have. */
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
    /** What a kind of collateral may lose before it is sold, 0-1. */
    haircuts: Type.Record(Type.String(), Share),
    /** Kinds of which a unit counts at most one, whatever its feed says. */
    at_par: Type.Array(Type.String()),
    /** Markets that explain less of what is owed say nothing of the whole. */
    listed_least: Share,
    /** Nothing is stated where a larger part of what is owed stands against collateral that is not read. */
    unread_most: Share,
    /** Shortfall, over what is owed, from which what other markets have beyond their own debt counts nothing; below it a part of it counts. */
    shortfall_most: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
  },
  closed,
);
export type PositionTerms = Static<typeof PositionTermsSchema>;

/** Kinds of collateral in a row that have no haircut, in words: what they are of could never be counted. */
export function unknownKinds(
  { markets }: Pick<PositionBook, 'markets'>,
  { haircuts }: PositionTerms,
): readonly string[] {
  const kinds = markets.flatMap(({ held, unread }) => [...held.map(({ kind }) => kind), ...(unread ? [unread] : [])]);
  return [...new Set(kinds)]
    .filter((kind) => !Object.hasOwn(haircuts, kind))
    .map((kind) => `has no haircut for ${kind}`);
}
