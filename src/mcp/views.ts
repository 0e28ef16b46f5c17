import Type, { type Static } from 'typebox';
import type { AssetView, Reply, RiskFlag } from '../contract/index.ts';
import { SEVERITIES } from '../domain/index.ts';
import { ABOUT_UNTRUSTED, OutsideText, type OutsideTextView, outside, outsideHost, plainWord } from './outside-text.ts';

// In the short form: every reader of the tools reads their schemas.
export const numberOrNull = Type.Unsafe<number | null>({ type: ['number', 'null'] });
export const textOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const outsideOrNull = Type.Unsafe<OutsideTextView | null>({ ...OutsideText, type: ['object', 'null'] });
export const pairOrNull = Type.Unsafe<readonly number[] | null>({ type: ['array', 'null'], items: { type: 'number' } });

export const AssetOut = Type.Object({
  id: textOrNull,
  chain: textOrNull,
  address: textOrNull,
  symbol: outsideOrNull,
  name: outsideOrNull,
  website: outsideOrNull,
});

export function assetOut(asset: Omit<Reply<typeof AssetView>, 'category'>): Static<typeof AssetOut> {
  return {
    id: plainWord(asset.id),
    chain: plainWord(asset.chain),
    address: plainWord(asset.address),
    symbol: outside(asset.symbol, 32),
    name: outside(asset.name, 80),
    website: outsideHost(asset.website),
  };
}

const FlagOut = Type.Object({
  code: textOrNull,
  severity: textOrNull,
  title: Type.String(),
  detail: outsideOrNull,
});
const MOST_FLAGS = 8;

/** The worst flags first, and how many more there are. */
export function flagsOut(flags: readonly Pick<Reply<typeof RiskFlag>, 'code' | 'severity' | 'title' | 'detail'>[]) {
  const rank = ({ severity }: (typeof flags)[number]) => SEVERITIES.indexOf(severity);
  const sorted = [...flags].sort((a, b) => rank(b) - rank(a));
  return {
    risk_flags: sorted.slice(0, MOST_FLAGS).map((flag) => ({
      code: plainWord(flag.code),
      severity: plainWord(flag.severity),
      title: flag.title,
      detail: outside(flag.detail, 200),
    })),
    more_flags: Math.max(0, flags.length - MOST_FLAGS),
  };
}
export const flagFields = {
  risk_flags: Type.Array(FlagOut, { description: 'Worst first.' }),
  more_flags: Type.Integer(),
};

/** How far to believe a result, apart from whether it is good news; `basis` says what it was taken from. */
const Trust = Type.Object({ score: numberOrNull, basis: Type.String() });

/** What every result carries; the server’s instructions say what they mean. */
export const ageFields = {
  trust: Trust,
  as_of: Type.String(),
  age_seconds: Type.Number(),
  data_mode: Type.String(),
  about_untrusted: Type.String(),
};
export function ageOut(reply: { readonly as_of: string; readonly age_seconds: number; readonly data_mode: string }) {
  const { as_of, age_seconds, data_mode } = reply;
  return { as_of, age_seconds, data_mode, about_untrusted: ABOUT_UNTRUSTED };
}

export const assetInput = Type.String({
  minLength: 1,
  maxLength: 150,
  description: 'CAIP-19 id, chain:address, mint or contract address, or symbol of a rated asset.',
});
