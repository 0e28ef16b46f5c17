import { ATTACKS, TARPIT } from './attacks.ts';
import type { Trial } from './campaign.ts';

/** One line of the result: an attack over all assets it was tried on. */
export interface Line {
  readonly attack: string;
  readonly title: string;
  readonly assets: number;
  /** Points, at most and in the middle. */
  readonly most: number;
  readonly median: number;
  readonly least: number;
  /** Where the most was gained. */
  readonly worst: string;
  readonly bandsLifted: number;
  /** Results that were published at all. */
  readonly published: number;
  readonly costUsd: readonly [number, number];
}

/** Trials by attack, in the order in which they were first tried. */
export function linesOf(trials: readonly Trial[]): readonly Line[] {
  const names = [...new Set(trials.map((trial) => trial.attack))];
  return names.map((attack) => {
    const rows = trials.filter((trial) => trial.attack === attack);
    const gains = rows.map((row) => row.gain).sort((a, b) => a - b);
    const best = rows.reduce((most, row) => (row.gain > most.gain ? row : most));
    const costs = rows.map((row) => row.costUsd);
    return {
      attack,
      title: [...ATTACKS, TARPIT].find((row) => row.code === attack)?.title ?? '',
      assets: rows.length,
      most: gains.at(-1) ?? 0,
      median: gains[Math.floor((gains.length - 1) / 2)] ?? 0,
      least: gains[0] ?? 0,
      worst: `${best.asset} ${best.honest.band} ${best.honest.score} to ${best.attacked ? `${best.attacked.band} ${best.attacked.score}` : 'nothing'}`,
      bandsLifted: rows.filter((row) => row.liftsBand).length,
      published: rows.filter((row) => row.attacked !== null).length,
      costUsd: [Math.min(...costs), Math.max(...costs)],
    };
  });
}

const BY_WORDS = new Set(ATTACKS.filter((attack) => attack.byWords).map((attack) => attack.code));

/**
 * What broke the targets: nothing free gains more than a point, nothing under 1,000 US dollars lifts a band, and the words of
 * a request change nothing at all.
 */
export function breaches(trials: readonly Trial[]): readonly string[] {
  return trials
    .filter(
      (trial) =>
        (trial.costUsd === 0 && trial.gain > 1) ||
        (trial.costUsd < 1_000 && trial.liftsBand) ||
        (BY_WORDS.has(trial.attack) && (trial.attacked?.score !== trial.honest.score || trial.liftsBand)),
    )
    .map(
      ({ attack, asset, costUsd, honest, attacked, gain }) =>
        `${attack} on ${asset}: ${honest.band} ${honest.score} to ${attacked?.band} ${attacked?.score} (${gain > 0 ? '+' : ''}${gain}) for ${Math.round(costUsd)} USD`,
    );
}

/** The lines as a Markdown table. */
export function tableOf(lines: readonly Line[]): string {
  const money = (usd: number) => (usd < 1 ? (usd === 0 ? '0' : '<1') : Math.round(usd).toLocaleString('en-US'));
  return [
    '| attack | assets | published | most | median | least | bands lifted | cost, USD | worst case |',
    '|---|---|---|---|---|---|---|---|---|',
    ...lines.map(
      (line) =>
        `| ${line.attack}${line.title === '' ? '' : `: ${line.title}`} | ${line.assets} | ${line.published} | ${line.most.toFixed(1)} | ${line.median.toFixed(1)} | ${line.least.toFixed(1)} | ${line.bandsLifted} | ${line.costUsd[0] === line.costUsd[1] ? money(line.costUsd[0]) : `${money(line.costUsd[0])} to ${money(line.costUsd[1])}`} | ${line.worst} |`,
    ),
  ].join('\n');
}
