import type { Flag, TrustScore } from '../../domain/index.ts';
import { type Context, consensusOf } from '../context.ts';

/** What a reader must know about the limits of this rating, plainly. */
export function limitationsOf(context: Context, trust: TrustScore, flags: readonly Flag[]): readonly string[] {
  const single = Object.values(context.input.consensus).filter(
    (row) =>
      row.scope === 'asset' &&
      row.status === 'single_source' &&
      [
        'price_usd',
        'volume_24h_usd',
        'liquidity_dex_usd',
        'total_supply',
        'holder_count',
        'fees_30d_usd',
        'tvl_usd',
      ].includes(row.quantity),
  );
  const silent = context.input.sources.filter((row) => row.asked > 0 && row.answered === 0);
  const notAsked = context.input.sources
    .filter((row) => row.failures.some((failure) => failure.outcome === 'budget_spent'))
    .map((row) => row.name);
  const failedSources = silent
    .filter((row) => row.outcome !== 'budget_spent')
    .map((row) => `${row.name} (${row.outcome})`);
  return [
    'Asset risk rating, unsolicited; not a credit rating and not investment advice.',
    ...(single.length > 0
      ? [`Known from one independent source only: ${single.map((row) => row.quantity).join(', ')}.`]
      : []),
    ...(failedSources.length > 0 ? [`These sources did not answer: ${failedSources.join(', ')}.`] : []),
    ...(notAsked.length > 0
      ? [`Not all was asked of these sources, because request budgets were spent: ${notAsked.join(', ')}.`]
      : []),
    ...(trust.gaps.length > 0 ? [`${trust.gaps.length} features are not known or not found; see gaps.`] : []),
    ...(context.category === 'lst_wrapped'
      ? ['The band should not exceed those of the underlying asset and the custodian, which are not rated here.']
      : []),
    ...(consensusOf(context, 'public_notice', 'registry:coingecko')
      ? ['A registry shows a notice about this asset.']
      : []),
    ...(flags.some((flag) => flag.code === 'HOLDERS_UNLABELLED')
      ? ['Large holders are unlabelled: concentration may be exchanges or contracts.']
      : []),
    ...(context.category === 'defi_protocol'
      ? ['The cross-section of fees and value locked in DeFi is thinly evidenced.']
      : []),
  ];
}
