import { failureWords, type ReplyContext, round } from '../contract/index.ts';
import type { ScoreReport, TieState } from '../domain/index.ts';
import { citedRows } from '../registers/index.ts';
import type { Section } from './document.ts';

/** All data behind the report: identity, caps, factors, flags, features, observations, sources, archived replies. */
export function receiptsOf(report: ScoreReport, ties: ReplyContext['ties']): readonly Section[] {
  return [
    identitySection(report),
    capSection(report),
    factorSection(report),
    flagSection(report),
    tieSection(ties),
    failureSection(report),
    valueSection(report),
    featureSection(report),
    registerSection(report),
    quantitySection(report),
    sourceSection(report),
    replySection(report),
    noteSection(report),
  ];
}

function identitySection({ evidence }: ScoreReport): Section {
  const { identification } = evidence;
  const { asset } = identification;
  const rows = [
    ['asset', asset.id],
    ['website', asset.website ?? 'none confirmed'],
    ['identity match', String(round(identification.match, 3))],
    ...identification.links.map((link) => [`link: ${link.kind}`, link.detail]),
    ...identification.contradictions.map((row) => [`contradiction: ${row.kind}`, row.detail]),
    ...identification.rejected.map((row) => [`set aside: ${row.asset.id}`, row.reason]),
  ];
  return { title: 'Which asset this is, and how sure that is', note: null, columns: ['what', 'detail'], rows };
}

function capSection({ rating }: ScoreReport): Section {
  return {
    title: 'Caps',
    note: rating.caps.length === 0 ? 'No cap applies.' : 'The lowest cap sets the final score.',
    columns: ['cap', 'limit', 'band', 'reason', 'decides'],
    rows: rating.caps.map((cap) => [cap.code, String(cap.cap), cap.band, cap.detail, cap.binding ? 'yes' : 'no']),
  };
}

function factorSection({ rating }: ScoreReport): Section {
  return {
    title: `Factors: an unknown asset starts at ${rating.prior}; these add and subtract points`,
    note: rating.uncappedScore === null ? null : `Before caps: ${rating.uncappedScore}.`,
    columns: ['factor', 'score', 'weight', 'confidence', 'points', 'why'],
    rows: rating.factors.map((factor) => [
      `${factor.code} ${factor.name}`,
      String(round(factor.score, 1)),
      String(factor.weight),
      String(round(factor.confidence, 2)),
      signed(factor.points),
      factor.rationale,
    ]),
  };
}

function flagSection({ rating }: ScoreReport): Section {
  return {
    title: 'Risk flags',
    note: rating.flags.length === 0 ? 'No flag was raised. That is not a promise that nothing is wrong.' : null,
    columns: ['flag', 'severity', 'detail', 'confidence'],
    rows: rating.flags.map((flag) => [flag.code, flag.severity, flag.detail, String(round(flag.confidence, 2))]),
  };
}

const STATES: Readonly<Record<TieState, string>> = {
  confirmed: 'confirmed',
  linked: 'linked by the project, not confirmed',
  claimed: 'claimed by the project, not confirmed',
};

function tieSection(ties: ReplyContext['ties']): Section {
  return {
    title: 'What others confirm',
    note:
      ties.length === 0
        ? 'The project shows no repository, audit, governance or person that another party could confirm.'
        : 'A link is a claim: it counts only where its other end names the project.',
    columns: ['what', 'who', 'state', 'by'],
    rows: ties.map((tie) => [tie.kind, tie.subject, STATES[tie.state], tie.by]),
  };
}

/** The probability of failure of the record if it is published, otherwise of the result; [] in records from before it. */
export function failureOf({
  rating,
  published,
  decision,
}: Pick<ScoreReport, 'rating' | 'published' | 'decision'>): NonNullable<ScoreReport['rating']['failure']> {
  return (decision.published ? published.failure : rating.failure) ?? rating.failure ?? [];
}

function failureSection(report: ScoreReport): Section {
  return {
    title: 'Probability of failure',
    note: 'Based on assets whose outcome is known; it is not part of the score. The width of the interval is the difference between files of outcomes.',
    columns: ['horizon', 'probability', 'rests on'],
    rows: failureOf(report).map((row) => {
      const { horizon, value, detail } = failureWords(row);
      return [horizon, value, detail];
    }),
  };
}

function valueSection({ rating: { vfr } }: ScoreReport): Section {
  const ratios = [
    `with the unlocks of the next 12 months ${amount(vfr.value)}`,
    `by what circulates ${amount(vfr.variants.circulating)}`,
    `fully diluted ${amount(vfr.variants.fullyDiluted)}`,
  ];
  const note =
    vfr.value === null
      ? `None: ${vfr.reason}.`
      : [
          ...(vfr.interval ? [`80 % interval ${vfr.interval[0]} to ${vfr.interval[1]}.`] : []),
          ...(vfr.drivers.length > 0 ? [`Market value over fair value: ${ratios.join(', ')}.`] : []),
          ...vfr.notes,
          'It is not a forecast and is not part of the score.',
        ].join(' ');
  return {
    title: 'Value against peers (vfr)',
    note,
    columns: ['estimate', 'days in the median', 'peers', 'fair value (USD)', 'standard deviation (ln)', 'weight'],
    rows: vfr.drivers.map((driver) => [
      driver.quantity === null ? 'regression on all drivers' : `multiple of ${driver.quantity}`,
      driver.quantity === null ? '' : String(driver.days),
      String(driver.peers),
      String(driver.fairValueUsd),
      String(driver.sd),
      String(round(driver.weight, 2)),
    ]),
  };
}

function amount(value: number | null): string {
  return value === null ? 'not known' : String(value);
}

function featureSection({ rating }: ScoreReport): Section {
  return {
    title: 'Features',
    note: null,
    columns: ['feature', 'status', 'value', 'score', 'confidence', 'how and why'],
    rows: rating.factors.flatMap((factor) =>
      factor.features.map((feature) => [
        `${factor.code} ${feature.name}`,
        feature.status,
        feature.raw === null ? 'not known' : withUnit(feature.raw, feature.unit),
        feature.score === null ? '' : String(round(feature.score, 1)),
        String(round(feature.confidence, 2)),
        feature.rationale,
      ]),
    ),
  };
}

function quantitySection({ consensus, evidence }: ScoreReport): Section {
  const withheld = new Set(evidence.notRedistributable);
  const rows = Object.values(consensus)
    .filter((row) => row.scope === 'asset' && typeof row.value !== 'object')
    .map((row) => [
      row.quantity,
      row.voices.every((voice) => withheld.has(voice.source)) && row.families < 2
        ? 'withheld by its source’s terms'
        : shown(row.value),
      row.status,
      String(round(row.confidence, 2)),
      row.voices
        .map(
          (voice) =>
            `${voice.source}${withheld.has(voice.source) ? '' : ` ${shown(voice.value)}`}${voice.accepted ? '' : ` (${voice.reason ?? 'not counted'})`}`,
        )
        .join('; '),
    ]);
  return {
    title: 'What the sources stated',
    note: 'Observations that were outvoted or not counted have a reason.',
    columns: ['quantity', 'agreed value', 'status', 'confidence', 'voices'],
    rows,
  };
}

function registerSection({ evidence, consensus, rating }: ScoreReport): Section {
  const rows = citedRows(consensus, evidence.asOf, rating.categoryReason);
  return {
    title: 'Rows of kept registers',
    note:
      rows.length === 0
        ? 'No register has a row of this asset.'
        : 'unconfirmed: no source that was read states it, or nobody reviewed it.',
    columns: ['row', 'state', 'decided', 'read on', 'expires', 'source'],
    rows: rows.map(({ register, id, own, state, decided, readOn, expires, sources }) => [
      `${register}/${id}${own ? ' (the operator’s own)' : ''}`,
      state,
      decided.map((one) => `${one.quantity} (${one.state})`).join(', ') || 'nothing that counted',
      readOn ?? '',
      expires ?? '',
      sources.map(({ url }) => url).join(', '),
    ]),
  };
}

function sourceSection({ evidence }: ScoreReport): Section {
  return {
    title: 'Sources requested',
    note: null,
    columns: ['source', 'outcome', 'ms', 'values', 'remark'],
    rows: evidence.sources.map((row) => [
      row.name,
      row.outcome,
      String(row.milliseconds),
      String(row.observations),
      row.detail ?? '',
    ]),
  };
}

function replySection({ evidence }: ScoreReport): Section {
  return {
    title: 'Receipts: every archived reply',
    note: `Recompute this rating with: assay replay ${evidence.jobId}`,
    columns: ['reply', 'address', 'fetched', 'sha-256'],
    rows: evidence.responses
      .filter((row) => row.sha256 !== null)
      .map((row) => [row.id, row.url, row.fetchedAt, row.sha256 ?? '']),
  };
}

function noteSection({ evidence, rating }: ScoreReport): Section {
  const rows = [
    ...rating.limitations.map((text) => ['limitation', text]),
    ...evidence.attributions.map((row) => ['data', `${row.text} ${row.url}`]),
    ['methodology', `${evidence.methodologyVersion} (${evidence.methodologyHash})`],
    ['as of', evidence.asOf],
    ['job', evidence.jobId],
  ];
  return { title: 'Limits, attributions, version', note: null, columns: ['what', 'detail'], rows };
}

/** A raw value for readers: shares in percent, states and counts without a unit. */
function withUnit(raw: number | string, unit: string): string {
  if (typeof raw === 'string' || unit === 'count' || unit === 'boolean') return shown(raw);
  if (unit.startsWith('fraction')) return `${shown(raw * 100)} %`;
  return `${shown(raw)} ${unit === 'usd' ? 'USD' : unit.replaceAll('_', ' ')}`;
}

function signed(points: number): string {
  return points > 0 ? `+${points}` : String(points);
}

function shown(value: unknown): string {
  if (typeof value === 'number')
    return Math.abs(value) >= 1000
      ? value.toLocaleString('en-US', { maximumFractionDigits: 0 })
      : String(Number(value.toPrecision(5)));
  return value === null || value === undefined ? 'not known' : String(value).slice(0, 200);
}
