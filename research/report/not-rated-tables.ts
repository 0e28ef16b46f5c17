import type { NotRated, Share } from '../not-rated.ts';
import { count, fixed, percent, type ReportTable } from './format.ts';

/** How often an asset is not rated, and how often that was right. */
export function notRatedTables({ members, variants, curve }: NotRated): readonly ReportTable[] {
  const shown = ({ share, interval }: Share) =>
    share === null || interval === null
      ? '-'
      : `${percent(share)} (${percent(interval[0])} to ${percent(interval[1])})`;
  return [
    {
      title: 'Not rated',
      note: `${count(members)} members by the live rule. The rule asks for trust and for critical facts: price, volume or liquidity, supply. Misplaced: what is left gives another band than all facts, or a place more than a tenth of the file away. Right to refuse: it failed, or it would have been misplaced. 95 %, Jeffreys.`,
      columns: [
        'facts',
        'not rated',
        'for want of facts',
        'of these failed',
        'misplaced',
        'right to refuse',
        'of the rated failed',
        'of the rated misplaced',
      ],
      rows: variants.map((row) => [
        row.name,
        shown(row.refused),
        shown(row.refusedForFacts),
        shown(row.refusedMembers.failed),
        shown(row.refusedMembers.misplaced),
        shown(row.refusedMembers.either),
        shown(row.ratedMembers.failed),
        shown(row.ratedMembers.misplaced),
      ]),
    },
    {
      title: 'Coverage against accuracy',
      note: 'With facts missing at random: those are rated whose evidence has at least so much trust.',
      columns: ['rated', 'least trust', 'AUC', 'misplaced', 'failed'],
      rows: curve.map((point) => [
        percent(point.coverage),
        fixed(point.leastTrust, 1),
        fixed(point.auc),
        percent(point.misplaced),
        percent(point.failed),
      ]),
    },
  ];
}
