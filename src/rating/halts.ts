import { type Consensus, DAY_MS } from '../domain/index.ts';
import { type Context, consensusOf, fieldsOf } from './context.ts';

/** A halt of a chain in a kept register. */
export interface Halt {
  readonly list: Consensus;
  readonly at: number;
  readonly hours: number;
}

/** Halts within the last `days` from the registers, in their order; a loss of finality is none. */
export function haltsWithin(context: Context, days: number): readonly Halt[] {
  return ['outages', 'natives']
    .flatMap((register) => {
      const list = consensusOf(context, 'register_row', `register:${register}`);
      const rows = fieldsOf(list?.value).outages;
      return list !== null && Array.isArray(rows) ? rows.map((row) => ({ list, ...haltOf(row) })) : [];
    })
    .filter(({ at, isHalt }) => isHalt && context.now - at >= 0 && context.now - at <= days * DAY_MS);
}

function haltOf(row: unknown) {
  const { date, hours, kind } = fieldsOf(row);
  return { at: Date.parse(String(date)), hours: Number(hours), isHalt: kind !== 'finality' };
}
