import { escapeHtml, escapeMarkdown, type ScoreReport, type TieState } from '../domain/index.ts';
import { citedRows } from '../registers/index.ts';
import { failureWords } from './failure.ts';
import type { AnswerView } from './score.ts';
import { round } from './view.ts';

/** A report as a person reads it, before it becomes HTML or Markdown. All texts are plain and unescaped. */
export interface ReportDocument {
  readonly title: string;
  readonly banner: string | null;
  readonly headline: readonly { readonly label: string; readonly value: string; readonly note: string }[];
  readonly summary: string;
  readonly sections: readonly DocumentSection[];
}

export interface DocumentSection {
  readonly title: string;
  readonly note: string | null;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Lays a score report out for people: headline, caps, factors, flags, features, observations, sources, replies. */
export function documentOf(report: ScoreReport, { ties }: Pick<AnswerView, 'ties'>): ReportDocument {
  const { evidence, rating } = report;
  const { asset } = evidence.identification;
  const interval = rating.interval ? `80 % interval ${rating.interval[0]} to ${rating.interval[1]}` : 'no interval';
  return {
    title: `${asset.name}${asset.symbol ? ` (${asset.symbol})` : ''}`,
    banner:
      evidence.dataMode === 'sandbox' ? 'SANDBOX: every project, price and reply in this report is fictional.' : null,
    headline: [
      {
        label: 'Rating',
        value: rating.band,
        note: rating.score === null ? rating.notRatedReasons.join('; ') : `score ${rating.score}, ${interval}`,
      },
      { label: 'Trust in the evidence', value: String(round(rating.trust.score, 1)), note: rating.trust.tier },
      {
        label: 'Value against peers (vfr)',
        value: rating.vfr.value === null ? 'not known' : String(round(rating.vfr.value, 2)),
        note: rating.vfr.value === null ? (rating.vfr.reason ?? '') : rating.vfr.zone,
      },
      ...(rating.failure ?? []).slice(-1).map((row) => {
        const { horizon, value } = failureWords(row);
        return { label: `Probability of failure ${horizon}`, value, note: '' };
      }),
    ],
    summary: rating.summary,
    sections: [
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
    ],
  };
}

function identitySection({ evidence }: ScoreReport): DocumentSection {
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

function capSection({ rating }: ScoreReport): DocumentSection {
  return {
    title: 'Caps',
    note: rating.caps.length === 0 ? 'No cap applies.' : 'The lowest cap sets the final score.',
    columns: ['cap', 'limit', 'band', 'reason', 'decides'],
    rows: rating.caps.map((cap) => [cap.code, String(cap.cap), cap.band, cap.detail, cap.binding ? 'yes' : 'no']),
  };
}

function factorSection({ rating }: ScoreReport): DocumentSection {
  return {
    title: `Factors: an unknown asset starts at ${rating.prior}; these add and take away`,
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

function flagSection({ rating }: ScoreReport): DocumentSection {
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

function tieSection(ties: AnswerView['ties']): DocumentSection {
  return {
    title: 'What others confirm',
    note:
      ties.length === 0
        ? 'The project shows no repository, audit, governance or person that somebody else could confirm.'
        : 'A link is a claim: it counts only where its other end names the project.',
    columns: ['what', 'who', 'state', 'by'],
    rows: ties.map((tie) => [tie.kind, tie.subject, STATES[tie.state], tie.by]),
  };
}

function failureSection({ rating: { failure = [] } }: ScoreReport): DocumentSection {
  return {
    title: 'Probability of failure',
    note: 'By what became of assets whose outcome is known; it is no part of the score. The interval is as wide as files of outcomes differ.',
    columns: ['horizon', 'probability', 'rests on'],
    rows: failure.map((row) => {
      const { horizon, value, detail } = failureWords(row);
      return [horizon, value, detail];
    }),
  };
}

function valueSection({ rating: { vfr } }: ScoreReport): DocumentSection {
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
          'It is no forecast and does not enter the score.',
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

function featureSection({ rating }: ScoreReport): DocumentSection {
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

function quantitySection({ consensus, evidence }: ScoreReport): DocumentSection {
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
    title: 'What the sources said',
    note: 'Outvoted and uncounted voices carry their reason.',
    columns: ['quantity', 'agreed value', 'status', 'confidence', 'voices'],
    rows,
  };
}

function registerSection({ evidence, consensus, rating }: ScoreReport): DocumentSection {
  const rows = citedRows(consensus, evidence.asOf, rating.categoryReason);
  return {
    title: 'Rows of kept registers',
    note:
      rows.length === 0
        ? 'No register has a row of this asset.'
        : 'unconfirmed: no source that was read says so, or nobody reviewed it.',
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

function sourceSection({ evidence }: ScoreReport): DocumentSection {
  return {
    title: 'Sources asked',
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

function replySection({ evidence }: ScoreReport): DocumentSection {
  return {
    title: 'Receipts: every archived reply',
    note: `Recompute this rating with: assay replay ${evidence.jobId}`,
    columns: ['reply', 'address', 'fetched', 'sha-256'],
    rows: evidence.responses
      .filter((row) => row.sha256 !== null)
      .map((row) => [row.id, row.url, row.fetchedAt, row.sha256 ?? '']),
  };
}

function noteSection({ evidence, rating }: ScoreReport): DocumentSection {
  const rows = [
    ...rating.limitations.map((text) => ['limitation', text]),
    ...evidence.attributions.map((row) => ['data', `${row.text} ${row.url}`]),
    ['methodology', `${evidence.methodologyVersion} (${evidence.methodologyHash})`],
    ['as of', evidence.asOf],
    ['job', evidence.jobId],
  ];
  return { title: 'Limits, attributions, version', note: null, columns: ['what', 'detail'], rows };
}

/** A raw value as a person reads it: shares in percent, states and counts without a unit. */
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

/** The report as one self-contained page: no script, no outside request, prints well. All outside text is escaped. */
export function htmlOf(report: ReportDocument): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(report.title)} - Assay rating report</title>
<style>
:root{color-scheme:light dark;--line:light-dark(#d0d4da,#3a4048);--soft:light-dark(#f4f5f7,#1d2126);--warn:light-dark(#8a4b00,#ffb454)}
body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:0 auto;padding:1.5rem}
h1{margin:0 0 .5rem}h2{margin:2rem 0 .5rem;font-size:1.1rem}
.banner{border:2px solid var(--warn);color:var(--warn);padding:.5rem 1rem;font-weight:600;margin-bottom:1rem}
.head{display:flex;flex-wrap:wrap;gap:1rem}.card{background:var(--soft);padding:.75rem 1rem;flex:1 1 14rem}
.card b{display:block;font-size:1.9rem;line-height:1.2;overflow-wrap:anywhere}
.wrap{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.87rem}
th,td{border-bottom:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{white-space:nowrap}@media print{body{max-width:none;padding:0}.wrap{overflow:visible}h2{break-after:avoid}tr{break-inside:avoid}}
</style></head><body>
${report.banner ? `<p class="banner" role="alert">${escapeHtml(report.banner)}</p>` : ''}
<h1>${escapeHtml(report.title)}</h1>
<div class="head">${report.headline.map((row) => `<div class="card">${escapeHtml(row.label)}<b>${escapeHtml(row.value)}</b>${escapeHtml(row.note)}</div>`).join('')}</div>
<p>${escapeHtml(report.summary)}</p>
${report.sections.map(htmlSection).join('\n')}
</body></html>
`;
}

function htmlSection(part: DocumentSection): string {
  const head = part.columns.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  const rows = part.rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
    .join('');
  const table =
    part.rows.length === 0
      ? ''
      : `<div class="wrap"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
  return `<section><h2>${escapeHtml(part.title)}</h2>${part.note ? `<p>${escapeHtml(part.note)}</p>` : ''}${table}</section>`;
}

/** The report as Markdown. Outside text cannot start markup: the characters that could are escaped. */
export function markdownOf(report: ReportDocument): string {
  const parts = [
    ...(report.banner ? [`> **${escapeMarkdown(report.banner)}**`] : []),
    `# ${escapeMarkdown(report.title)}`,
    report.headline
      .map((row) => `- ${escapeMarkdown(row.label)}: **${escapeMarkdown(row.value)}** ${escapeMarkdown(row.note)}`)
      .join('\n'),
    escapeMarkdown(report.summary),
    ...report.sections.map(markdownSection),
  ];
  return `${parts.join('\n\n')}\n`;
}

function markdownSection(part: DocumentSection): string {
  const table = [
    `| ${part.columns.map(escapeMarkdown).join(' | ')} |`,
    `|${part.columns.map(() => '---|').join('')}`,
    ...part.rows.map((row) => `| ${row.map(escapeMarkdown).join(' | ')} |`),
  ];
  return [
    `## ${escapeMarkdown(part.title)}`,
    ...(part.note ? [escapeMarkdown(part.note)] : []),
    ...(part.rows.length > 0 ? [table.join('\n')] : []),
  ].join('\n\n');
}
