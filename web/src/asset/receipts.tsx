import type { ReactNode } from 'react';
import { inNumber } from '../format.ts';
import type { Receipt } from '../parts/receipt.tsx';
import { WithReceipt } from '../parts/receipt.tsx';
import type { Feature } from '../types.ts';
import type { Facts } from './facts.ts';
import { quantityWords, rejectionWords, scopeWords, valueWords } from './words.ts';

/** The receipt of an agreed quantity: each observation, and whether it counted. */
export function receiptOf({ quantities, rating }: Facts, key: string): Receipt | null {
  const row = quantities.get(key);
  if (row === undefined) return null;
  const scope = scopeWords(row.scope);
  return {
    title: scope === '' ? quantityWords(row.quantity) : `${quantityWords(row.quantity)}: ${scope}`,
    value: valueWords(row.value, row.unit, row.quantity),
    how: `${statusWords(row.status)}. Confidence ${row.confidence.toFixed(2)} of 1, ${row.independent_families} independent ${row.independent_families === 1 ? 'origin' : 'origins'}.`,
    observations: row.voices.map((voice) => ({
      source: voice.source,
      value: voice.withheld ? 'withheld by its terms' : valueWords(voice.value, row.unit, row.quantity),
      accepted: voice.accepted,
      reason: rejectionWords(voice.reason),
      evidence: voice.evidence,
    })),
    job: rating.job_id,
  };
}

/** The receipt of a feature: how it was computed, and the observations of all its quantities. */
export function featureReceipt(facts: Facts, feature: Feature): Receipt {
  const keys = [...new Set(feature.sources.map(({ quantity }) => quantity))];
  const known = keys.flatMap((key) => {
    const receipt = receiptOf(facts, key);
    return receipt === null ? [] : [{ key, receipt }];
  });
  const observations =
    known.length > 0
      ? known.flatMap(({ receipt }) =>
          (receipt.observations ?? []).map((one) => ({
            ...one,
            value: known.length === 1 ? one.value : `${receipt.title}: ${String(one.value)}`,
          })),
        )
      : feature.sources.map(({ source, quantity, accepted, evidence }) => ({
          source,
          value: quantityWords(quantity.split('@')[0] ?? quantity),
          accepted,
          evidence,
        }));
  return {
    title: feature.name,
    value: valueWords(feature.value, feature.unit, feature.id),
    how: `${inNumber(`${feature.rationale} ${feature.method}`)}. Weight ${(feature.weight * 100).toFixed(0)} % of its factor, confidence ${feature.confidence.toFixed(2)}.`,
    observations: observations.slice(0, 60),
    job: facts.full === null ? null : facts.rating.job_id,
  };
}

/** A number that opens the receipt of its quantity, once the score behind the rating is read. */
export function Receipted({
  facts,
  of,
  children,
}: {
  readonly facts: Facts;
  readonly of: string;
  readonly children: ReactNode;
}) {
  const receipt = receiptOf(facts, of);
  return receipt === null ? children : <WithReceipt receipt={receipt}>{children}</WithReceipt>;
}

export function ReceiptedFeature({
  facts,
  of,
  children,
}: {
  readonly facts: Facts;
  readonly of: Feature;
  readonly children: ReactNode;
}) {
  return <WithReceipt receipt={featureReceipt(facts, of)}>{children}</WithReceipt>;
}

export function statusWords(status: string): string {
  const known: Readonly<Record<string, string>> = {
    agreed: 'The sources agree',
    single_source: 'One origin alone states it',
    disputed: 'The sources disagree',
    missing: 'No source states it',
    not_applicable: 'It does not exist for this class',
  };
  return known[status] ?? status;
}
