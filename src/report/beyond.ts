import { absenceOf, gapIds } from '../contract/index.ts';
import { BANDS, counted, type Factor, type Feature, type ScoreReport } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import type { AbsenceRow, Change, CommitteeReport, Moves, Shown } from './document.ts';
import { cut, day, rawText, sentence, signed } from './format.ts';

const MOST_GAINS = 3;
const MOST_RAISES = 3;
const MOST_LOWERS = 1;
const MOST_CEILINGS = 2;

/**
 * What limits the rating: ceilings, a default, the distance to the neighbouring bands, and the factors with the most
 * missing points.
 */
export function changeOf(shown: Shown, moves: Moves | null, methodology: Methodology): Change {
  const { report, band, score } = shown;
  const { rating, published, state } = report;
  if (band === 'NR' || score === null)
    return {
      rows: rating.notRatedReasons.slice(0, 3).map((reason) => ['Needed first', cut(sentence(reason), 120)] as const),
      note: 'It is rated as soon as the evidence is enough. What is missing is listed below, with what to do.',
    };
  const { margin, snapshotsAbove } = methodology.publication.hysteresis;
  const fromOf = (name: string) => methodology.bands.find((row) => row.band === name)?.from ?? null;
  const better = BANDS[BANDS.indexOf(band) - 1];
  const [up, own] = [better === undefined ? null : fromOf(better), fromOf(band)];
  // The band follows the smoothed score. A result that is not published has none.
  const smoothed = shown.isPublished ? published.smoothedScore : null;
  const [at, now] = [smoothed ?? score, smoothed === null ? '' : `now ${smoothed.toFixed(1)}, `];
  const caps = rating.caps
    .filter(({ cap }) => up !== null && cap < up + margin)
    .toSorted((a, b) => a.cap - b.cap)
    .slice(0, MOST_CEILINGS);
  const definitions = [...methodology.caps, ...methodology.preTge.caps];
  const ceilings = caps.map(({ code, cap, detail }) => {
    const ends = definitions.find((row) => row.code === code)?.expiry ?? '';
    return [
      `Ceiling ${cap}`,
      cut(sentence(`${detail}; ends ${ends === '' ? 'with its condition' : ends}`), 130),
    ] as const;
  });
  const defaulted =
    published.default === null
      ? []
      : [
          [
            'Default',
            published.default.curesAt === null
              ? `Its tests have to be clear for ${counted(methodology.publication.cure.days, 'day')}.`
              : `Cured on ${day(published.default.curesAt)} at the earliest, to CCC at best.`,
          ] as const,
        ];
  const distance: Change['rows'] = [
    ...(better === undefined || up === null || published.default !== null
      ? []
      : [
          [
            `To ${better}`,
            `A smoothed score of ${(up + margin).toFixed(1)} on ${counted(snapshotsAbove, 'day')}; ${now}${Math.max(0, up + margin - at).toFixed(1)} points away${state.above ? `, ${counted(state.above.count, 'day')} counted` : ''}.`,
          ] as const,
        ]),
    ...(own === null || band === 'D' || own === 0
      ? []
      : [
          [
            'Down a band',
            `A smoothed score below ${(own - margin).toFixed(1)}; ${now}${Math.max(0, at - own + margin).toFixed(1)} points away. A ceiling acts at once.`,
          ] as const,
        ]),
  ];
  return {
    rows: [
      ...defaulted,
      ...ceilings,
      ...distance,
      ...(moves === null ? possibleGainsOf(rating.factors) : movesOf(moves)),
    ],
    note:
      moves === null
        ? 'Largest potential: known features on which most points are missing, by weight.'
        : 'Each change is of one feature, with all else as it is; ceilings are taken to have ended. What is enough was confirmed by rating it anew.',
  };
}

function movesOf({ raises, lowers }: Moves): Change['rows'] {
  const row = (what: string) => (move: Moves['raises'][number]) => {
    const now = rawText({ raw: move.now, unit: move.unit }) ?? 'not known';
    const needed = rawText({ raw: move.needed, unit: move.unit }) ?? '';
    const enough = move.reaches ? ', enough alone' : '';
    return [
      what,
      cut(
        `${move.name}: ${now} → ${needed}; ${signed(move.points)} points${enough} (${move.who.replaceAll('_', ' ')}).`,
        125,
      ),
    ] as const;
  };
  return [...raises.slice(0, MOST_RAISES).map(row('Raises it')), ...lowers.slice(0, MOST_LOWERS).map(row('Lowers it'))];
}

/** Features by their weighted points below 100. */
function possibleGainsOf(factors: readonly Factor[]): Change['rows'] {
  const all = factors.flatMap((factor) => {
    const counted = factor.features.filter(({ status }) => status !== 'not_applicable');
    const whole = counted.reduce((sum, { weight }) => sum + weight, 0);
    return counted.map((feature) => ({
      feature,
      share: whole === 0 ? 0 : (factor.weight * feature.weight) / whole,
    }));
  });
  // Missing values have a table of their own.
  const short = ({ feature, share }: { readonly feature: Feature; readonly share: number }) =>
    share * (100 - pointsOf(feature));
  return all
    .filter((row) => row.feature.raw !== null && short(row) > 0)
    .toSorted((a, b) => short(b) - short(a))
    .slice(0, MOST_GAINS)
    .map(({ feature, share }) => {
      const value = rawText(feature) ?? 'not known';
      return [
        'Most room',
        cut(
          `${feature.name}: ${value}; ${Math.round(pointsOf(feature))} of 100 points on ${share.toFixed(1)} % of the score.`,
          120,
        ),
      ] as const;
    });
}

const pointsOf = ({ score, rest }: Feature) => score ?? rest;

/** Row limit: flags and missing values share the second page. */
const MOST_ROWS = 9;

/**
 * The gaps of the rating, by their weight in the score, each with its reason, its cost and who can supply it. Value
 * against peers comes last, because it is not part of the score.
 */
export function absencesOf({ rating }: ScoreReport, flags: number): CommitteeReport['absences'] {
  const gaps = gapIds(rating);
  const all = rating.factors
    .flatMap((factor) =>
      factor.features.flatMap((feature) => {
        if (!gaps.has(feature.id)) return [];
        const absence = absenceOf(feature, factor);
        const row: AbsenceRow = {
          name: feature.name,
          why: cut(`${absence.why} ${absence.cost}`, 150),
          action: absence.action,
        };
        return [{ row, weight: factor.weight * feature.weight }];
      }),
    )
    .toSorted((a, b) => b.weight - a.weight);
  const value: readonly AbsenceRow[] =
    rating.vfr.value !== null
      ? []
      : [
          {
            name: 'Value against peers (vfr)',
            why: cut(`${sentence(rating.vfr.reason ?? 'No fair value could be computed')} Costs no points.`, 150),
            action: 'Operator: rate more assets of its class; it is computed again with each rating.',
          },
        ];
  const shown = all.slice(0, Math.max(1, MOST_ROWS - flags - value.length)).map(({ row }) => row);
  const rows = [...shown, ...value];
  const more = all.length - shown.length;
  const inapplicable = rating.factors
    .flatMap(({ features }) => features)
    .filter(({ status }) => status === 'not_applicable');
  const none = rows.length === 0 ? 'Every feature that the methodology uses for this asset is known.' : '';
  return {
    rows,
    note: [
      none,
      more > 0 ? `${more} more with less weight are in the appendix, under Features.` : '',
      inapplicable.length > 0
        ? `${inapplicable.length} ${inapplicable.length === 1 ? 'does not apply to this class and counts' : 'do not apply to this class and count'} nothing.`
        : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
  };
}

/** Method, sources and limits, in a few sentences. */
export function closingOf({ report, band: shownBand }: Shown, methodology: Methodology): readonly string[] {
  const { evidence, consensus, rating } = report;
  const rows = Object.values(consensus);
  const voices = rows.flatMap((row) => row.voices);
  const accepted = voices.filter((voice) => voice.accepted).length;
  const answered = evidence.sources.filter(({ outcome }) => outcome === 'ok').length;
  const silent = evidence.sources.filter(({ outcome }) => outcome === 'empty' || outcome === 'not_found').length;
  const failed = evidence.sources.length - answered - silent;
  const target = methodology.bands.find(({ band }) => band === shownBand)?.failureTarget;
  return [
    `${rating.factors.length} factors, each a mean of features with published curves, are combined into one score; the lowest ceiling binds. ${evidence.sources.length} sources were requested: ${answered} replied with values, ${silent} had no data, ${failed} failed or were not requested. ${counted(voices.length, 'observation')} of ${counted(rows.length, 'value')} ${voices.length === 1 ? 'was' : 'were'} read, ${accepted} of them ${accepted === 1 ? 'counts' : 'count'}.${target === undefined || target === null ? '' : ` The band is meant for at most ${Number((target * 100).toPrecision(2))} % of failures within a year.`}`,
    `The rating is recomputed from its archived evidence, to the same digits, by the command: assay replay ${evidence.jobId}. Methodology ${evidence.methodologyVersion}, SHA-256 ${evidence.methodologyHash.slice(0, 16)}…. Objections: POST /v1/disputes.`,
    'Asset risk rating, unsolicited. Not a credit rating and not investment advice.',
  ];
}
