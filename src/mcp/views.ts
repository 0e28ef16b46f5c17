import Type, { type Static } from 'typebox';
import type { AssetView, FailureProbabilityView, Reply, RiskFlag, ToolAsset } from '../contract/index.ts';
import { SEVERITIES } from '../domain/index.ts';
import { ABOUT_UNTRUSTED, outside, outsideHost, plainWord } from './outside-text.ts';

export function assetOut(asset: Omit<Reply<typeof AssetView>, 'category'>): Static<typeof ToolAsset> {
  return {
    id: plainWord(asset.id),
    chain: plainWord(asset.chain),
    address: plainWord(asset.address),
    symbol: outside(asset.symbol, 32),
    name: outside(asset.name, 80),
    website: outsideHost(asset.website),
  };
}

/** The asset of a rating, with its class; the reason quotes terms of registries. */
export function ratedAssetOut({
  class: of = null,
  category_reason: reason = null,
  ...asset
}: Parameters<typeof assetOut>[0] & { readonly class?: string | null; readonly category_reason?: string | null }) {
  return { ...assetOut(asset), class: plainWord(of), category_reason: outside(reason, 240) };
}

const MOST_FLAGS = 8;

/** The worst flags first, and the number of the others. */
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

/** Probabilities of failure without their texts, which the calibration has. */
export function failureOut(rows: readonly Reply<typeof FailureProbabilityView>[]) {
  return rows.map(({ horizon, value, interval, basis }) => ({
    horizon,
    value,
    interval: interval && [...interval],
    basis,
  }));
}

export function ageOut(reply: { readonly as_of: string; readonly age_seconds: number; readonly data_mode: string }) {
  const { as_of, age_seconds, data_mode } = reply;
  return { as_of, age_seconds, data_mode, about_untrusted: ABOUT_UNTRUSTED };
}

export const assetInput = Type.String({
  minLength: 1,
  maxLength: 150,
  description: 'CAIP-19 id, chain:address, mint or contract address, or a symbol that identifies one rated asset.',
});
