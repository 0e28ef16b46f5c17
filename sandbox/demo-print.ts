/** The part of a standard reply that the demo shows. */
export interface StandardReply {
  readonly job_id: string;
  readonly execution_time_seconds: number;
  readonly rating: {
    readonly band: string;
    readonly score: number | null;
    readonly interval: readonly [number, number] | null;
    readonly not_rated_reasons: readonly string[];
  };
  readonly trust_score: {
    readonly score: number;
    readonly tier: string;
    readonly components: Readonly<Record<string, number | null>>;
  };
  readonly vfr: { readonly value: number | null; readonly zone: string; readonly reason: string | null };
  readonly asset: { readonly id: string; readonly identification: { readonly match: number } };
  readonly risk_flags: readonly { readonly code: string; readonly severity: string; readonly title: string }[];
  readonly caps_applied: readonly { readonly code: string; readonly cap: number; readonly detail: string }[];
  readonly sources: readonly { readonly name: string; readonly outcome: string; readonly milliseconds: number }[];
}

/** How a demo request ended. */
export type Outcome =
  | { readonly ok: true; readonly report: StandardReply }
  | { readonly ok: false; readonly problem: Problem };

export interface Problem {
  readonly status?: number;
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly tried?: readonly string[];
  /** When to retry the request: `after` a while, for one. */
  readonly retry?: string;
}

/** One result with the fields that the demo shows. */
export function inFull(outcome: Outcome): string {
  const lines = outcome.ok ? reportLines(outcome.report) : problemLines(outcome);
  return lines.map((line) => `  ${line}`).join('\n');
}

/** One result in a line: verdict, trust, value against peers, and the decisive flags. */
export function inOneLine(project: string, title: string, outcome: Outcome): string {
  const head = `  ${project.padEnd(18)} ${title.padEnd(24)}`;
  if (!outcome.ok) return `${head} no rating: ${outcome.problem.code ?? outcome.problem.title ?? 'failed'}`;
  const { rating, trust_score: trust, vfr, risk_flags: flags } = outcome.report;
  const severe = flags.filter(({ severity }) => severity === 'critical' || severity === 'high');
  return [
    `${head} ${rating.band.padEnd(3)} ${String(rating.score ?? '').padStart(4)}`,
    `trust ${trust.score}`,
    severe.length > 0 ? severe.map(({ code }) => code).join(', ') : `vfr ${vfr.value ?? 'not known'} ${vfr.zone}`,
  ].join('  ');
}

function problemLines({ problem }: Extract<Outcome, { ok: false }>): readonly string[] {
  return [
    `No rating: ${problem.title ?? 'failed'} (${problem.status ?? '-'} ${problem.code ?? '-'})`,
    ...(problem.detail ? [problem.detail] : []),
    ...(problem.tried ?? []).map((line) => `tried: ${line}`),
  ];
}

function reportLines(report: StandardReply): readonly string[] {
  const { rating, trust_score: trust, vfr } = report;
  const slow = [...report.sources].sort((left, right) => right.milliseconds - left.milliseconds).slice(0, 3);
  const failing = report.sources.filter(
    (source) => !['ok', 'empty', 'not_found', 'disabled', 'unsupported'].includes(source.outcome),
  );
  const interval = rating.interval ? `, 80 % interval ${rating.interval[0]} to ${rating.interval[1]}` : '';
  return [
    `Asset   ${report.asset.id} (match ${report.asset.identification.match})`,
    `Rating  ${rating.band}${rating.score === null ? '' : `, score ${rating.score}`}${interval}`,
    ...rating.not_rated_reasons.map((reason) => `        not rated: ${reason}`),
    `Trust   ${trust.score} (${trust.tier}): ${components(trust.components)}`,
    `vfr     ${vfr.value ?? 'not known'} ${vfr.zone}${vfr.reason ? `: ${vfr.reason}` : ''}`,
    ...report.risk_flags.map((flag) => `Flag    ${flag.severity.padEnd(8)} ${flag.code}: ${flag.title}`),
    ...report.caps_applied.map((cap) => `Cap     ${cap.cap} ${cap.code}: ${cap.detail}`),
    `Slowest ${slow.map((source) => `${source.name} ${source.milliseconds} ms`).join(', ')}`,
    `Failing ${failing.length === 0 ? 'none' : failing.map((source) => `${source.name} (${source.outcome})`).join(', ')}`,
    `Time    ${report.execution_time_seconds} s, job ${report.job_id}`,
  ];
}

function components(parts: StandardReply['trust_score']['components']): string {
  return Object.entries(parts)
    .map(([name, value]) => `${name} ${value === null ? 'not known' : Math.round(value * 1000) / 1000}`)
    .join(', ');
}
