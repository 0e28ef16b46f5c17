import Type, { type Static } from 'typebox';

const MAYBE_NUMBER = Type.Optional(Type.Union([Type.Number(), Type.Null()]));
const MAYBE_TEXT = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const MAYBE_FLAG = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));

const HOLDER = Type.Object({
  address: MAYBE_TEXT,
  owner: MAYBE_TEXT,
  amount: MAYBE_NUMBER,
  pct: MAYBE_NUMBER,
  insider: MAYBE_FLAG,
});
const LP = Type.Object({
  baseMint: MAYBE_TEXT,
  quoteMint: MAYBE_TEXT,
  basePrice: MAYBE_NUMBER,
  quotePrice: MAYBE_NUMBER,
  baseUSD: MAYBE_NUMBER,
  quoteUSD: MAYBE_NUMBER,
  lpLockedPct: MAYBE_NUMBER,
  lpTotalSupply: MAYBE_NUMBER,
  holders: Type.Optional(Type.Union([Type.Null(), Type.Array(HOLDER)])),
});
const MARKET = Type.Object({
  pubkey: Type.String(),
  marketType: MAYBE_TEXT,
  mintLP: MAYBE_TEXT,
  lp: Type.Optional(Type.Union([Type.Null(), LP])),
});
const LOCKER = Type.Object({ type: MAYBE_TEXT, unlockDate: MAYBE_NUMBER, usdcLocked: MAYBE_NUMBER });

/** What is used of a report. Everything may be missing or null (recorded report of 2026; API description of 2024). */
export const REPORT = Type.Object({
  mint: Type.String(),
  creator: MAYBE_TEXT,
  creatorBalance: MAYBE_NUMBER,
  creatorTokens: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Array(Type.Object({ mint: MAYBE_TEXT, marketCap: MAYBE_NUMBER, createdAt: MAYBE_TEXT })),
    ]),
  ),
  token: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({
        mintAuthority: MAYBE_TEXT,
        freezeAuthority: MAYBE_TEXT,
        supply: MAYBE_NUMBER,
        decimals: MAYBE_NUMBER,
      }),
    ]),
  ),
  token_extensions: Type.Optional(Type.Union([Type.Null(), Type.String(), Type.Record(Type.String(), Type.Unknown())])),
  tokenMeta: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({
        name: MAYBE_TEXT,
        symbol: MAYBE_TEXT,
        uri: MAYBE_TEXT,
        mutable: MAYBE_FLAG,
        updateAuthority: MAYBE_TEXT,
      }),
    ]),
  ),
  topHolders: Type.Optional(Type.Union([Type.Null(), Type.Array(HOLDER)])),
  markets: Type.Optional(Type.Union([Type.Null(), Type.Array(MARKET)])),
  totalMarketLiquidity: MAYBE_NUMBER,
  totalHolders: MAYBE_NUMBER,
  price: MAYBE_NUMBER,
  rugged: MAYBE_FLAG,
  transferFee: Type.Optional(Type.Union([Type.Null(), Type.Object({ pct: MAYBE_NUMBER, authority: MAYBE_TEXT })])),
  knownAccounts: Type.Optional(
    Type.Union([Type.Null(), Type.Record(Type.String(), Type.Object({ name: MAYBE_TEXT, type: MAYBE_TEXT }))]),
  ),
  lockers: Type.Optional(Type.Union([Type.Null(), Type.Record(Type.String(), LOCKER)])),
  graphInsidersDetected: MAYBE_NUMBER,
  insiderNetworks: Type.Optional(Type.Union([Type.Null(), Type.Array(Type.Object({ tokenAmount: MAYBE_NUMBER }))])),
  detectedAt: MAYBE_TEXT,
});
export type Report = Static<typeof REPORT>;
export type Market = Static<typeof MARKET>;

/** A Solana address, or null: "" and the system program stand for none in these replies. */
export function address(value: string | null | undefined): string | null {
  return typeof value === 'string' && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value) && value !== NOBODY ? value : null;
}

export const NOBODY = '11111111111111111111111111111111';
