import type { Rating, Vfr } from '../../domain/rating.ts';
import { type Context, numberOf } from '../context.ts';
import { byMultiples } from './multiples.ts';
import { noVfr } from './none.ts';
import { byPeg } from './peg.ts';

/** Value against peers, or the reason why there is none. It never enters the score and is no forecast (methodology 0.5). */
export function vfrOf(context: Context, rating: Pick<Rating, 'band'> & { readonly trust: number }): Vfr {
  if (rating.band === 'D') return noVfr('the asset has defaulted');
  if (rating.trust < context.methodology.vfr.minimumTrust)
    return noVfr(`trust in the evidence is ${rating.trust}, below ${context.methodology.vfr.minimumTrust}`);
  if (context.category === 'stablecoin' || context.category === 'lst_wrapped') return byPeg(context);
  if (!numberOf(context, 'price_usd')) return noVfr('there is no price');
  return byMultiples(context);
}
