import Type from 'typebox';
import type { ObservationDraft } from '../../domain/index.ts';
import { placeOn } from '../on-chain.ts';

/** An amount by currency. */
export const Usd = Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]));
/** Addresses by the platform's own name. */
export const Platforms = Type.Optional(
  Type.Union([Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])), Type.Null()]),
);

/** Addresses of the coin on chains of ours. */
export function addressesOf(coin: {
  readonly platforms?: Readonly<Record<string, string | null>> | null | undefined;
}): readonly { chain: string; address: string }[] {
  return Object.entries(coin.platforms ?? {})
    .map(([platform, address]) => placeOn('coingecko', platform, address))
    .filter((place) => place !== null)
    .sort((a, b) => (a.chain < b.chain ? -1 : 1));
}

/** A number as an observation; null for none. */
export function of(
  quantity: ObservationDraft['quantity'],
  value: number | null,
  meaning: string,
  observedAt?: string,
  reliability?: number,
  scope?: string,
): ObservationDraft | null {
  return value === null
    ? null
    : {
        quantity,
        value,
        meaning,
        ...(observedAt ? { observedAt } : {}),
        ...(reliability ? { reliability } : {}),
        ...(scope ? { scope } : {}),
      };
}

/** A date as an observation; null for none. */
export function dated(quantity: ObservationDraft['quantity'], value: string | null): ObservationDraft | null {
  return value === null ? null : { quantity, value };
}
