import type { Rating, Vfr } from '../../domain/index.ts';
import { type Context, numberOf } from '../context.ts';
import { driversOf, smoothed } from './drivers.ts';
import { marketValueOf } from './market-value.ts';
import { noVfr } from './none.ts';
import { subjectOf } from './own.ts';
import { againstPeers } from './peers.ts';
import { byPeg } from './peg.ts';

/** Value against peers, or the reason why there is none. It never enters the score and is no forecast (methodology 0.5). */
export function vfrOf(context: Context, rating: Pick<Rating, 'band'> & { readonly trust: number }): Vfr {
  const rules = context.methodology.vfr;
  if (rating.band === 'D') return noVfr('the asset has defaulted');
  if (rating.trust < rules.minimumTrust)
    return noVfr(`trust in the evidence is ${rating.trust}, below ${rules.minimumTrust}`);
  if (context.category === 'stablecoin' || context.category === 'lst_wrapped') return byPeg(context);
  if (!numberOf(context, 'price_usd')) return noVfr('there is no price');
  const marketValue = marketValueOf((quantity) => numberOf(context, quantity)?.value ?? null);
  if (marketValue === null) return noVfr('the market value is not known');
  const today = driversOf(context.category, rules).flatMap((quantity) => {
    const found = numberOf(context, quantity);
    return found === null ? [] : [{ quantity, value: found.value, confidence: found.confidence }];
  });
  return againstPeers(
    {
      ...subjectOf(context.input.identification),
      category: context.category,
      marketValue,
      drivers: smoothed(today, context.input.driverDays ?? [], context.input.asOf, rules),
    },
    context.input.peers,
    rules,
  );
}
