import type { Consensus, FundingRound, PeerRow, Vfr } from '../../domain/index.ts';
import { DAY_MS, median, robustSd } from '../../domain/index.ts';
import type { VfrRounds } from '../../methodology/index.ts';
import { type Context, consensusOf, fieldsOf } from '../context.ts';
import { peersFor, subjectOf } from './panel.ts';
import { fourDigits, noVfr, zoneOf } from './result.ts';
import { shrunk } from './robust.ts';

/**
 * Values a project before its token: its last public round compared with what rounds of that stage and category pay,
 * adjusted for its score (methodology 5). Null when no public list has a round of it; a round that only its site claims
 * is not a price. Pure.
 */
export function vfrBeforeToken(context: Context, rating: { readonly score: number; readonly trust: number }): Vfr {
  const { vfr } = context.methodology;
  const { rounds: rules, intervalZ, zones, pseudoCount, minimumTrust } = vfr;
  if (rating.trust < minimumTrust) return noVfr(`trust in the evidence is ${rating.trust}, below ${minimumTrust}`);
  const { asOf, identification, peers } = context.input;
  const round = lastRound(consensusOf(context, 'raises'), asOf, rules);
  if (round === null) return noVfr('there is no token and no price, and no public list has a funding round');
  const panel = peersFor(subjectOf(identification), peers, vfr).filter((peer) => isRecent(peer, asOf, rules));
  const logs = (rows: readonly PeerRow[]) => rows.map((peer) => Math.log(peer.round?.postMoneyUsd ?? 1));
  const ofStage = panel.filter((peer) => peer.round?.stage === round.stage);
  if (ofStage.length < rules.minimumRounds)
    return {
      ...noVfr(
        `${ofStage.length} rounds of the same stage (${round.stage}) in the ${rules.maximumAgeDays} days before, ${rules.minimumRounds} are needed`,
      ),
      peers: ofStage.length,
    };
  const cell = ofStage.filter((peer) => peer.category === context.category);
  const stageCentre = shrunk(median(logs(ofStage)) ?? 0, ofStage.length, median(logs(panel)) ?? 0, pseudoCount);
  const centre = shrunk(median(logs(cell)) ?? 0, cell.length, stageCentre, pseudoCount);
  const sd =
    Math.max(rules.sdFloor, robustSd(logs(ofStage), centre) ?? 0) + (round.isEstimated ? rules.amountOnlySd : 0);
  const lnFair = centre + ((rules.scoreEffect * (rating.score - rules.scoreCentre)) / rules.scoreSpread) * sd;
  const ln = Math.log(round.postMoneyUsd) - lnFair;
  const width = intervalZ * sd;
  return {
    ...noVfr(''),
    value: fourDigits(Math.exp(ln)),
    zone: zoneOf(ln, sd, zones),
    interval: [fourDigits(Math.exp(ln - width)), fourDigits(Math.exp(ln + width))],
    z: fourDigits(ln / sd),
    method: 'rounds',
    peers: ofStage.length,
    reason: null,
    fairValueUsd: fourDigits(Math.exp(lnFair)),
    sd: fourDigits(sd),
    notes: notesOn(round, asOf, rules),
  };
}

/**
 * The newest priced round of a public list up to `asOf`; null when it has none. `raises` is the value from consensus.
 */
export function lastRound(raises: Consensus | null, asOf: string, rules: VfrRounds): FundingRound | null {
  const rows: readonly unknown[] = Array.isArray(raises?.value) ? raises.value : [];
  const rounds = rows.flatMap((row) => readRound(row, rules) ?? []);
  const before = rounds.filter(({ date }) => date === null || Date.parse(date) <= Date.parse(asOf));
  const [round] = before.sort((a, b) => (b.date ?? '').localeCompare(a.date ?? '') || b.postMoneyUsd - a.postMoneyUsd);
  return round ?? null;
}

function readRound(row: unknown, rules: VfrRounds): FundingRound | null {
  const { date, round, amountUsd, valuationUsd } = fieldsOf(row);
  const isAmount = (value: unknown): value is number =>
    typeof value === 'number' && value > 0 && value < rules.largestUsd;
  const postMoneyUsd = isAmount(valuationUsd) ? valuationUsd : isAmount(amountUsd) ? amountUsd / rules.soldShare : null;
  if (postMoneyUsd === null) return null;
  return {
    date: typeof date === 'string' && !Number.isNaN(Date.parse(date)) ? date : null,
    stage: stageOf(typeof round === 'string' ? round : ''),
    postMoneyUsd,
    isEstimated: !isAmount(valuationUsd),
  };
}

function stageOf(name: string): FundingRound['stage'] {
  if (/public|ico|ido|ieo|token sale|launchpad|community/i.test(name)) return 'public';
  if (/seed|angel|pre-?series|accelerator|incubator/i.test(name)) return 'seed';
  if (/series\s*a/i.test(name)) return 'early';
  if (/series\s*[b-z]|late|growth/i.test(name)) return 'late';
  if (/strategic|private|otc|extended|bridge/i.test(name)) return 'strategic';
  return 'other';
}

function isRecent({ round }: PeerRow, asOf: string, rules: VfrRounds): boolean {
  if (!round || !(round.postMoneyUsd > 0 && round.postMoneyUsd < rules.largestUsd) || round.date === null) return false;
  const age = (Date.parse(asOf) - Date.parse(round.date)) / DAY_MS;
  return age >= 0 && age <= rules.maximumAgeDays;
}

function notesOn(round: FundingRound, asOf: string, rules: VfrRounds): readonly string[] {
  const days = round.date === null ? 0 : Math.floor((Date.parse(asOf) - Date.parse(round.date)) / DAY_MS);
  return [
    `The value is that of its last public round (${round.stage}${round.date === null ? '' : `, ${round.date.slice(0, 10)}`}): a price a few agreed on, not a market's.`,
    ...(days > rules.maximumAgeDays
      ? [`That round is ${days} days old; those it is compared with are of the last ${rules.maximumAgeDays}.`]
      : []),
    ...(round.isEstimated
      ? [`Only the amount is public: the round is taken to have sold ${100 * rules.soldShare} % of the project.`]
      : []),
  ];
}
