import type { ScoreRecord } from '../contract/index.ts';
import { plain } from './service.ts';

/** A record in a few lines. */
export function recordLines(record: ScoreRecord): readonly string[] {
  const { asset } = record;
  const interval = record.score_interval === null ? '' : ` (${record.score_interval.join(' to ')})`;
  return [
    `${asset.id}  ${plain(asset.name)}${asset.symbol === null ? '' : ` (${plain(asset.symbol)})`}`,
    `  ${record.band}  ${record.score ?? 'no score'}${interval}  trust ${record.trust_score}  as of ${record.as_of}`,
    `  ${record.rating_action}: ${plain(record.action_reason)}`,
    `  outlook ${record.outlook ?? 'none yet'}${record.watch === null ? '' : `, watch: ${plain(record.watch.detail)}`}`,
    ...record.drivers.map((driver) => `  ${signed(driver.points)}  ${plain(driver.name)}`),
    ...record.risk_flags.map((flag) => `  ${flag.severity.padEnd(8)} ${flag.code}  ${plain(flag.detail)}`),
  ];
}

/** A record as a line of a history. */
export function historyLine(record: ScoreRecord): string {
  return `${record.as_of}  ${record.band.padEnd(3)}  ${(record.score ?? '-').toString().padStart(5)}  trust ${record.trust_score}  ${record.rating_action}  ${plain(record.action_reason)}`;
}

function signed(points: number): string {
  return `${points > 0 ? '+' : ''}${points}`.padStart(6);
}
