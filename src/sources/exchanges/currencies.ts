import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { RequestOutcome } from '../../domain/index.ts';
import { TextOptional } from '../read.ts';
import { type Endpoint, endpoint } from '../source.ts';

/** A contract whose tokens an exchange accepts as deposits of one of its currencies. */
const Listed = Type.Object({ currency: Type.String(), chain: TextOptional, address: TextOptional });
type Listed = Static<typeof Listed>;
/** One row of the list, as it is archived. */
const Row = Type.Tuple([Type.Required(Listed)]);
const isRow = Compile(Row);

const REFRESH_SECONDS = 6 * 60 * 60;
/** Quote currencies of an exchange's main markets. */
const QUOTES = ['USDT', 'USDC', 'USD'];

/**
 * The exchange's own list of currencies with their contracts. It proves, without any registry, that a symbol at the exchange is the
 * asset. The first code that the list has for a token is the code of its markets.
 */
export function currenciesByContract(
  id: string,
  chains: Readonly<Record<string, string>>,
  list: {
    readonly doc: string;
    readonly path: string;
    readonly reply: TSchema;
    classify?(reply: never): { readonly outcome: RequestOutcome; readonly detail?: string } | null;
    rowsOf(reply: never): readonly Listed[];
  },
): Endpoint {
  const keyOf = (chain: unknown, address: unknown) =>
    typeof chain === 'string' && typeof address === 'string' && address !== ''
      ? `${chain}:${chain === 'solana' ? address : address.toLowerCase()}`
      : null;
  return endpoint({
    name: 'currencies',
    doc: list.doc,
    maxBytes: 16 * 1024 * 1024,
    plan: ({ chain, address }) =>
      chain !== null && address !== null && address !== 'native' ? [{ chain: chain.name, address }] : [],
    request: () => ({ path: list.path }),
    reply: Type.Union([list.reply, Row]),
    classify: (reply) => (Array.isArray(reply) ? null : list.classify?.(reply as never)) ?? { outcome: 'ok' },
    list: {
      refreshSeconds: REFRESH_SECONDS,
      rowsOf: (reply) => list.rowsOf(reply as never),
      keysOf: (row) => {
        const { chain, address } = row as Listed;
        const key = keyOf(chains[chain ?? ''], address);
        return key === null ? [] : [key];
      },
      keyOf: ({ chain, address }) => keyOf(chain, address),
    },
    // Facts are learned from a single row only, not from the whole list.
    learn: (reply) => {
      if (!isRow.Check(reply)) return {};
      const [row] = reply;
      return { [`${id}.cexPairs`]: QUOTES.map((quote) => ({ venue: id, symbol: `${row.currency}-${quote}` })) };
    },
  });
}
