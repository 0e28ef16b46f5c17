import type { FeatureInput } from '../../domain/index.ts';
import { tellersOf } from '../../domain/index.ts';
import { type Context, notApplicable, numberOf, observed, unknown } from '../context.ts';
import { holdersOf } from '../measures.ts';
import { ageOf } from './market.ts';

const HOLDER_SOURCES = tellersOf('holders');

/** HD: largest holder, ten largest, effective holders, holder count, creator share. */
export function holderFeatures(context: Context): readonly FeatureInput[] {
  if (context.native)
    return ['hd_top1', 'hd_top10', 'hd_neff', 'hd_count', 'hd_creator'].map((id) =>
      notApplicable(id, 'fraction', 'a chain’s own coin has no token accounts'),
    );
  const found = holdersOf(context);
  const count = numberOf(context, 'holder_count') ?? numberOf(context, 'token_account_count');
  const creator = numberOf(context, 'creator_share');
  // How many hold a token of a day says how it was handed out, not what it is worth: the sign differs between launch forms.
  const age = ageOf(context);
  const exposure = age === null ? 1 : Math.min(1, age.value / context.methodology.aggregation.holderExposureDays);
  const top = (id: string, raw: number | undefined, unit: string) =>
    found && raw !== undefined
      ? observed(id, raw, unit, [found.support], found.method, found.confidence)
      : unknown(context, id, unit, HOLDER_SOURCES);
  return [
    top('hd_top1', found?.top1, 'fraction'),
    top('hd_top10', found?.top10, 'fraction'),
    top('hd_neff', found?.effective, 'count'),
    count
      ? observed(
          'hd_count',
          count.value,
          'count',
          [count],
          count.consensus.quantity === 'holder_count'
            ? 'owners with a balance'
            : 'token accounts, an upper bound of owners',
          count.confidence * exposure,
        )
      : unknown(context, 'hd_count', 'count', HOLDER_SOURCES),
    creator
      ? observed('hd_creator', creator.value, 'fraction', [creator], 'creator and wallets the sources link to it')
      : unknown(context, 'hd_creator', 'fraction', HOLDER_SOURCES),
  ];
}
