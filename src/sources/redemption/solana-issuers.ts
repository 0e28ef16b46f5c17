import type { RedemptionTerms } from './terms.ts';

export interface SolanaRedemption extends RedemptionTerms {
  /** The account that holds the rate, the program that must own it, and its byte layout. Null: a rate of one. */
  readonly pool: { readonly account: string; readonly program: string; readonly layout: PoolLayout } | null;
}

export type PoolLayout = 'spl_stake_pool' | 'marinade';

/** The pool as parameters of a request, with which an archived reply can be read again. */
export function poolParams({ pool }: SolanaRedemption) {
  return { pool: pool?.account ?? null, program: pool?.program ?? null, layout: pool?.layout ?? null };
}

/** Terms of the mint, or null. */
export function solanaRedemption(mint: string): SolanaRedemption | null {
  return BY_MINT.get(mint) ?? null;
}

const SANCTUM = 'https://github.com/igneous-labs/sanctum-lst-list/blob/master/sanctum-lst-list.toml';
/** The stake pool program, and its copies for pools of one and of many validators (ids from the same source). */
const SPL = 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy';
const ONE = 'SP12tWFxD9oJsVWNavTTBZvMbA6gkAmxtVgxdqvyvhY';
const MANY = 'SPMBzsVUuoHA4Jm6KunbsotaahvVikZs1JyTW6iJvbn';

/** Name, mint, account of the pool, program. */
const POOLED: readonly (readonly [string, string, string, string])[] = [
  ['JitoSOL', 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn', 'Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb', SPL],
  ['bSOL', 'bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1', 'stk9ApL5HeVAwPLr3TLhDXdZS8ptVu7zp6ov8HFDuMi', SPL],
  ['BNSOL', 'BNso1VUJnh4zcfpZa6986Ea66P6TCp59hvtNJ8b1X85', 'Hr9pzexrBge3vgmBNRR8u42CNQgBXdHm4UkUN2DH4a7r', SPL],
  ['vSOL', 'vSoLxydx6akxyMD9XEcPvGYNGq6Nn66oqVb3UkGkei7', 'Fu9BYC6tWBo1KMKaP3CFoKfRhqv9akmy3DuYwnCyWiyC', SPL],
  ['JSOL', '7Q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9Dcavn', 'CtMyWsrUtAwXWiGr9WjHT5fC3p3fgV8cyGpLTo2LJzG1', SPL],
  ['edgeSOL', 'edge86g9cVz87xcpKpy3J77vbp4wYd9idEV562CCntt', 'edgejNWAqkePLpi5sHRxT9vHi7u3kSHP9cocABPKiWZ', SPL],
  ['laineSOL', 'LAinEtNLgpmCP9Rvsf5Hn8W6EhNiKLZQti1xfWMLy6X', '2qyEeSAWKfU18AFthrF7JA8z8ZCi1yt76Tqs917vwQTV', SPL],
  ['jupSOL', 'jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v', '8VpRhuxa7sUUepdY3kQiTmX9rS5vx4WgaXiAnXq4KCtr', MANY],
  ['bbSOL', 'Bybit2vBJGhPF52GBdNaQfUJ6ZpThSgHBobjWZpLPb4B', '2aMLkB5p5gVvCwKkdSo5eZAL1WwhZbxezQr1wxiynRhq', ONE],
  ['hSOL', 'he1iusmfkpAdwvxLNGV8Y1iSbj4rUy6yMhEA3fotn9A', '3wK2g8ZdzAH8FJ7PKr2RcvGh7V9VYson5hrVsJM5Lmws', ONE],
  ['dSOL', 'Dso1bDeDjCQxTrWHqUUi63oBvV7Mdm6WaobLbQ7gnPQ', '9mhGNSPArRMHpLDMSmxAvuoizBqtBGqYdT8WGuqgxNdn', ONE],
  ['bonkSOL', 'BonK1YhkXEGLZzwtcvRTip3gAL9nCeQD7ppZBLXhtTs', 'ArAQfbzsdotoKB5jJcZa3ajQrrPcWr2YQoDAEAiFxJAC', ONE],
  ['dfdvSOL', 'sctmB7GPi5L2Q5G9tUSzXvhZ4YiDMEGcRov9KfArQpx', 'pyZMBjpWsVjKANAYK5mpNbKiws2krjRPZ2N2UYCSnbP', ONE],
];

/** Maintained by hand; each row needs a public source for its addresses. */
export const SOLANA_REDEMPTIONS: readonly SolanaRedemption[] = [
  ...POOLED.map(pooled),
  {
    token: 'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So',
    name: 'mSOL',
    underlying: 'SOL',
    basis: 'contract',
    source: 'https://github.com/igneous-labs/stakedex-sdk/blob/master/common/src/address/marinade.rs',
    pool: {
      account: '8szGkuLTAux9XMgZ2vtY39jVSowEcpBfFfD8hXSEqdGC',
      program: 'MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD',
      layout: 'marinade',
    },
  },
  {
    token: 'So11111111111111111111111111111111111111112',
    name: 'wrapped SOL',
    underlying: 'SOL',
    basis: 'contract',
    source: 'https://github.com/solana-program/token/blob/main/interface/src/lib.rs',
    pool: null,
  },
];

const BY_MINT: ReadonlyMap<string, SolanaRedemption> = new Map(SOLANA_REDEMPTIONS.map((row) => [row.token, row]));

function pooled([name, token, account, program]: (typeof POOLED)[number]): SolanaRedemption {
  return {
    token,
    name,
    underlying: 'SOL',
    basis: 'contract',
    source: SANCTUM,
    pool: { account, program, layout: 'spl_stake_pool' },
  };
}
