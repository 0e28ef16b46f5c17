import type { ReplyContext, ScoreRecord } from '../contract/index.ts';
import type { Band, PublishedRating, ScoreReport } from '../domain/index.ts';
import { counterfactualFor } from '../jobs/index.ts';
import { computableMethodology, type Methodology } from '../methodology/index.ts';
import { createPastPeers, type StoredRatings } from '../monitoring/index.ts';
import { type CommitteeReport, committeeReport, type ReportContext } from '../report/index.ts';
import { SOURCE_TITLES } from '../sources/index.ts';
import type { Database, ReadMoved } from '../store/index.ts';

const BEGINNING = '2000-01-01T00:00:00.000Z';
/** Actions that are read; the report shows the newest few and counts the others. */
const MOST_ACTIONS = 500;

export type CommitteeReports = (report: ScoreReport, ties: ReplyContext['ties']) => Promise<CommitteeReport>;

/**
 * Creates the report of a rating for people from its record and the data stored with it. The same record gives the same
 * report.
 */
export function openCommitteeReports(
  db: Database,
  reader: Pick<StoredRatings, 'history'>,
  methodology: Methodology,
  readMoved: ReadMoved,
): CommitteeReports {
  const peersOf = createPastPeers(db, readMoved);
  return async (report, ties) => {
    const [actions, peers] = await Promise.all([actionsUpTo(reader, report), peersOf(report)]);
    const band = report.decision.published ? report.published.band : report.rating.band;
    const found = counterfactualByItsMethodology(report, band);
    const moves = found === null || found.reason !== null ? null : found;
    return committeeReport(report, { ties, actions, moves, peers, sourceTitles: SOURCE_TITLES }, methodology);
  };
}

/**
 * What would move a published band, by the methodology that the rating was made with; null if this code cannot compute
 * that one any more.
 */
export function counterfactualByItsMethodology(
  report: ScoreReport,
  band: Band,
): ReturnType<typeof counterfactualFor> | null {
  const methodology = computableMethodology(report.evidence.methodologyHash);
  return methodology === null ? null : counterfactualFor(report, band, methodology);
}

/** Published actions up to the record; they never change. */
async function actionsUpTo(
  reader: Pick<StoredRatings, 'history'>,
  { evidence, published }: ScoreReport,
): Promise<ReportContext['actions']> {
  const { ratings } = await reader.history(published.asset.id, {
    from: BEGINNING,
    to: evidence.asOf,
    intervalSeconds: null,
    actionsOnly: true,
    limit: MOST_ACTIONS,
    cursor: null,
  });
  return ratings.map(({ record }): Pick<PublishedRating, 'asOf' | 'action' | 'band' | 'score' | 'actionReason'> => {
    const row = JSON.parse(Buffer.from(record).toString('utf8')) as ScoreRecord;
    return {
      asOf: row.as_of,
      action: row.rating_action,
      band: row.band,
      score: row.score,
      actionReason: row.action_reason,
    };
  });
}
