import { findChain } from '../chains/index.ts';
import { failureWords, type ReplyContext } from '../contract/index.ts';
import {
  counted,
  type Factor,
  type Feature,
  type PublishedRating,
  type ScoreReport,
  withSourceTitles,
} from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { absencesOf, changeOf, closingOf } from './beyond.ts';
import type { CommitteeReport, FactorRow, Figure, History, Moves, Reason, Scale, Shown } from './document.ts';
import { depthPart, factsOf, fadingCap, flagRows, holdersPart } from './evidence.ts';
import { cut, day, moment, percent, rawText, sentence, signed } from './format.ts';
import { failureOf, receiptsOf } from './receipts.ts';

/**
 * Input of the report besides the record of the job. All of it is older than the record and never changes, so the same
 * record gives the same bytes.
 */
export interface ReportContext {
  readonly ties: ReplyContext['ties'];
  /** Titles of the sources by their names. */
  readonly sourceTitles: ReadonlyMap<string, string>;
  /** Computed from the record's own evidence; null where that is not possible. */
  readonly moves: Moves | null;
  /** Rating actions up to the record, oldest first. */
  readonly actions: readonly Pick<PublishedRating, 'asOf' | 'action' | 'band' | 'score' | 'actionReason'>[];
  /**
   * Distribution of the peers at the time of the record; without quartiles if there are too few peers. Null if it was
   * not read.
   */
  readonly peers: {
    readonly count: number;
    readonly factors: Readonly<Record<string, NonNullable<FactorRow['peers']>>>;
  } | null;
}

const MOST_REASONS = 3;
const MOST_ALERTS = 3;
/** Points from which factors and findings are not listed as limits. */
const SOUND = 70;
const MOST_ACTIONS = 5;

/** The committee report of one rating: two pages and an appendix of receipts. Pure. */
export function committeeReport(report: ScoreReport, beside: ReportContext, methodology: Methodology): CommitteeReport {
  const { evidence, rating, published, decision } = report;
  const { asset } = evidence.identification;
  const shown: Shown = decision.published
    ? { report, isPublished: true, band: published.band, score: published.score, interval: published.scoreInterval }
    : { report, isPublished: false, band: rating.band, score: rating.score, interval: rating.interval };
  const chain = asset.chain === null ? null : (findChain(asset.chain)?.title ?? asset.chain);
  const name = `${asset.name}${asset.symbol ? ` (${asset.symbol})` : ''}`;
  const flags = decision.published ? published.flags : rating.flags;
  const flagPart = flagRows(shown, methodology, beside.sourceTitles);
  const severe = flags.filter(({ severity }) => severity === 'critical' || severity === 'high');
  return {
    title: name,
    subject: `${methodology.classes[rating.class].title}${published.stage === 'pre_tge' ? ', before its token' : ''}${chain === null ? '' : ` · ${chain}`}`,
    address: asset.address ?? asset.website ?? asset.id,
    dated: `Rating of ${moment(evidence.asOf)}`,
    method: `Methodology ${evidence.methodologyVersion} · unsolicited · job ${evidence.jobId}`,
    banners: [
      ...(evidence.dataMode === 'sandbox'
        ? ['SANDBOX: every project, price and reply in this report is fictional.']
        : []),
      ...(decision.published
        ? []
        : [
            `Not published: ${decision.because.map(({ detail }) => detail).join('; ') || 'the collection was partial'}.`,
          ]),
    ],
    alerts: [
      ...(published.default === null
        ? []
        : [
            `In default since ${day(published.default.since)}: ${cut(published.defaultTests.map(({ detail }) => detail).join('; ') || 'waiting to be cured', 90)}.`,
          ]),
      ...severe
        .slice(0, MOST_ALERTS)
        .map(({ severity, title, detail }) =>
          cut(`${title} (${severity}): ${withSourceTitles(detail, beside.sourceTitles)}.`, 118),
        ),
      ...(severe.length > MOST_ALERTS ? [`${severe.length - MOST_ALERTS} more severe on page 2.`] : []),
    ],
    band: shown.band,
    verdict: verdictOf(shown, severe.length, methodology),
    scale: scaleOf(shown, methodology),
    figures: figuresOf(shown, methodology),
    reasons: reasonsOf(shown),
    factors: rating.factors.map(({ code, name: title, score, weight, points }) => ({
      code,
      name: title,
      score,
      weight,
      points,
      peers: beside.peers?.factors[code] ?? null,
    })),
    peers: peersText(beside.peers, methodology.classes[rating.class].title),
    history: historyOf(report),
    facts: factsOf(report),
    flags: flagPart,
    holders: holdersPart(report, methodology),
    depth: depthPart(report, methodology),
    change: changeOf(shown, beside.moves, methodology),
    actions: actionsOf(beside.actions),
    absences: absencesOf(report, flagPart.rows.length),
    closing: closingOf(shown, methodology),
    footer: `${name} · job ${evidence.jobId} · methodology ${evidence.methodologyVersion}`,
    receipts: { title: 'Appendix: receipts', sections: receiptsOf(report, beside.ties) },
  };
}

/** Explains the chart of factors, and the source of the peers' marks or why there are none. */
function peersText(peers: ReportContext['peers'], of: string): string {
  const bars = 'Bars: points of each factor, 0 to 100. Right column: what it adds to the score.';
  if (peers !== null && Object.keys(peers.factors).length > 0)
    return `${bars} Line: median of ${counted(peers.count, 'peer')} (${of}) as they were rated then; grey: their middle half.`;
  const few =
    peers === null
      ? 'Peers were not read.'
      : peers.count === 0
        ? `No other asset of the class (${of}) was rated then.`
        : `Only ${peers.count} of the class (${of}) ${peers.count === 1 ? 'was' : 'were'} rated then: too few for a median.`;
  return `${bars} ${few}`;
}

function verdictOf(shown: Shown, severe: number, methodology: Methodology): string {
  const { report, band, score } = shown;
  const { rating, published } = report;
  if (score === null || band === 'NR')
    return cut(`Not rated: ${rating.notRatedReasons.join('; ') || published.actionReason}.`, 330);
  const sorted = rating.factors.toSorted((a, b) => b.points - a.points);
  const [best, worst] = [sorted[0], sorted.at(-1)];
  const binding = rating.caps.find((cap) => cap.binding);
  const carried =
    best && best.points > 0 && severe === 0 && published.default === null
      ? `${best.name} supports the rating most (${signed(best.points)} points).`
      : '';
  const fading = fadingCap(shown, methodology);
  const held =
    fading !== null && fading.cap === score
      ? `The ceiling ${fading.cap} still limits it: ${fading.code} has ended, and fades.`
      : binding
        ? `The ceiling ${binding.cap} limits it: ${binding.detail}.`
        : worst && worst !== best
          ? `${worst.name} ${worst.points < 0 ? 'takes away most' : 'adds least'} (${signed(worst.points)}).`
          : '';
  const flags =
    severe === 0 ? 'No severe flag is raised.' : `${severe} severe flag${severe === 1 ? ' is' : 's are'} raised.`;
  const state = published.default === null ? '' : 'The asset is in default.';
  return cut([state, flags, carried, held].filter((part) => part !== '').join(' '), 400);
}

function scaleOf(shown: Shown, methodology: Methodology): Scale {
  const { report, score, interval } = shown;
  const caps = [...report.rating.caps, fadingCap(shown, methodology)].flatMap((one) => one?.cap ?? []);
  const bands = methodology.bands.map(({ band, from }) => ({ band, from }));
  return { bands, score, interval, ceiling: caps.length === 0 ? null : Math.min(...caps) };
}

/** Why a published rating has no outlook. */
function noOutlookWords(band: string, { publication }: Methodology): string {
  const { minimumPoints, days } = publication.outlook;
  return band === 'D' || band === 'NR'
    ? `a rating of ${band} has none`
    : `${minimumPoints} days with a score within ${days} days are needed to see a direction`;
}

function figuresOf({ report, isPublished, band, score, interval }: Shown, methodology: Methodology): readonly Figure[] {
  const { rating, published } = report;
  const meaning = methodology.bands.find((row) => row.band === band)?.meaning ?? '';
  const { coverage, agreement, independence, freshness, identity } = rating.trust.components;
  const { vfr } = rating;
  const [failure] = failureOf(report).slice(-1);
  // A rating that is published again on weak evidence keeps the trust in the evidence that it rests on.
  const isOlder = isPublished && published.trust !== rating.trust.score;
  const { watch, outlook } = published;
  const outlookNote =
    watch !== null
      ? `watch ${watch.direction} until ${day(watch.deadline)}: ${watch.detail}`
      : outlook === null
        ? noOutlookWords(band, methodology)
        : outlook === 'provisional'
          ? 'no market shows a direction before the token'
          : 'no event is pending';
  return [
    {
      label: 'Score, 80 % interval',
      value: score === null ? 'none' : score.toFixed(1),
      note:
        score === null
          ? 'not rated: no score is stated'
          : `${interval ? `${interval[0]} to ${interval[1]}; ` : ''}${meaning}`,
    },
    { label: 'Outlook', value: outlook ?? 'none yet', note: cut(outlookNote, 110) },
    {
      label: 'Trust in the evidence',
      value: isOlder ? published.trust.toFixed(1) : `${rating.trust.score.toFixed(1)} ${rating.trust.tier}`,
      note: `${isOlder ? `this collection alone: ${rating.trust.score.toFixed(1)}; ` : ''}coverage ${two(coverage)}, agreement ${two(agreement)}, independence ${two(independence)}, age ${two(freshness)}, identity ${two(identity)}`,
    },
    {
      label: 'Value against peers (vfr)',
      value: vfr.value === null ? 'none' : `${vfr.value.toFixed(2)} ${vfr.zone.toLowerCase().replaceAll('_', ' ')}`,
      note:
        vfr.value === null
          ? cut(vfr.reason ?? 'no fair value could be computed', 110)
          : `${vfr.interval ? `80 % interval ${vfr.interval[0].toFixed(2)} to ${vfr.interval[1].toFixed(2)}; ` : ''}${vfr.method === 'peg' ? 'against its peg' : counted(vfr.peers, 'peer')}; no forecast`,
    },
    ...(failure === undefined
      ? []
      : [
          {
            label: `Failure ${failureWords(failure).horizon}`,
            value: failure.value === null ? (failureWords(failure).value.split(' (')[0] ?? '') : percent(failure.value),
            note: cut(
              failure.interval !== null && failure.value !== null
                ? `80 %: ${percent(failure.interval[0])} to ${percent(failure.interval[1])}; no part of the score`
                : failure.detail,
              90,
            ),
          },
        ]),
  ];
}

const two = (share: number) => share.toFixed(2);

/**
 * Factors that add most and least, each with its decisive findings. Ceilings and a default are the first of the limits.
 */
function reasonsOf({ report: { rating, published } }: Shown): readonly Reason[] {
  const sorted = rating.factors.toSorted((a, b) => b.points - a.points);
  const supporting = sorted.filter(({ points }) => points > 0).slice(0, MOST_REASONS);
  const short = ({ weight, score }: Factor) => weight * (100 - score);
  const limiting = rating.factors
    .filter((factor) => !supporting.includes(factor) && factor.score < SOUND)
    .toSorted((a, b) => short(b) - short(a))
    .slice(0, MOST_REASONS);
  const binding = rating.caps.filter(({ binding: binds }) => binds).slice(0, 1);
  const ceilings: readonly Reason[] = binding.map((cap) => ({
    supports: false,
    text: cut(sentence(`Ceiling: ${cap.detail}`), 150),
    acts: `at most ${cap.cap} (${cap.band})`,
  }));
  const defaults: readonly Reason[] = published.defaultTests.slice(0, 1).map(({ code, detail }) => ({
    supports: false,
    text: cut(sentence(`Default test ${code}: ${detail}`), 150),
    acts: 'band D',
  }));
  const unrated: readonly Reason[] =
    rating.band === 'NR'
      ? rating.notRatedReasons.slice(0, 2).map((text) => ({
          supports: false,
          text: cut(sentence(text), 170),
          acts: 'no rating',
        }))
      : [];
  return [
    ...supporting.map((factor) => ({ supports: true, text: findings(factor, true), acts: actsOn(factor) })),
    ...unrated,
    ...defaults,
    ...ceilings,
    ...limiting.map((factor) => ({ supports: false, text: findings(factor, false), acts: actsOn(factor) })),
  ].slice(0, 2 * MOST_REASONS);
}

const actsOn = ({ code, score, points }: Factor) => `${code} ${score.toFixed(1)}, ${signed(points)}`;

/** The two findings with the largest effect on the factor in that direction. */
function findings(factor: Factor, upwards: boolean): string {
  const counted = factor.features.filter(({ status, weight }) => status !== 'not_applicable' && weight > 0);
  const pull = (feature: Feature) => feature.weight * ((feature.score ?? feature.rest) - 50);
  const sorted = counted.toSorted((a, b) => (upwards ? pull(b) - pull(a) : pull(a) - pull(b)));
  const fits = sorted.filter((feature) => (upwards ? pull(feature) >= 0 : (feature.score ?? feature.rest) < SOUND));
  const chosen = (fits.length > 0 ? fits : sorted).slice(0, 2);
  const words = chosen.map((feature) => {
    const value = feature.status === 'observed' || feature.score !== null ? rawText(feature) : null;
    if (value !== null) return `${feature.name}: ${value} (${Math.round(feature.score ?? feature.rest)} points)`;
    return `${feature.name}: ${feature.silent ? 'the project shows none' : 'not known'} (counts ${Math.round(feature.rest)})`;
  });
  return cut(sentence(`${factor.name}. ${words.join('; ')}`), 190);
}

/** Score and price by day, and a note about the chart. */
export function historyOf({
  state,
  published,
  decision,
}: Pick<ScoreReport, 'state' | 'published' | 'decision'>): History {
  const days = state.days.map(({ day: of, score, priceUsd }) => ({ day: of, score, priceUsd }));
  const scored = days.filter(({ score }) => score !== null).length;
  const first = days[0]?.day ?? '';
  const held =
    decision.published && published.default !== null && published.score !== null
      ? ` In default the published score is held at ${published.score.toFixed(1)}; the line shows what the evidence of each day alone gives.`
      : '';
  const note =
    days.length < 2
      ? 'No history yet: this is the first day on which it was rated. The chart begins with the second day.'
      : `${days.length} days since ${first}, ${scored} with a score; one point a day, the last of each day.${held}`;
  return { days, note };
}

function actionsOf(actions: ReportContext['actions']): CommitteeReport['actions'] {
  const rows = actions
    .slice(-MOST_ACTIONS)
    .reverse()
    .map(({ asOf, action, band, score, actionReason }) => ({
      date: day(asOf),
      action: `${ACTIONS[action]} ${band}`,
      score: score === null ? 'none' : score.toFixed(1),
      reason: cut(actionReason, 90),
    }));
  const more = actions.length - rows.length;
  const note =
    actions.length === 0
      ? 'No action was published: the result was not published, or nothing was published before.'
      : more > 0
        ? `${more} earlier ${more === 1 ? 'action is' : 'actions are'} in GET /v1/rms/{asset}/actions.`
        : 'All actions since the first rating.';
  return { rows, note };
}

const ACTIONS: Readonly<Record<PublishedRating['action'], string>> = {
  new: 'Initiated',
  affirm: 'Affirmed',
  upgrade: 'Raised to',
  downgrade: 'Lowered to',
  withdraw: 'Withdrawn',
};
