import type { PublishedRating } from '../domain/index.ts';

/** The score record as it is stored, signed and served; what a reply adds (age, standing, signature) is not part of it. */
export function scoreRecord(published: PublishedRating, dataMode: 'live' | 'sandbox') {
  const { asset, previous, vfr, watch, issuerControl } = published;
  return {
    asset: {
      id: asset.id,
      chain: asset.chain,
      address: asset.address,
      symbol: asset.symbol,
      name: asset.name,
      category: published.category,
      website: asset.website,
    },
    stage: published.stage,
    score: published.score,
    band: published.band,
    trust_score: published.trust,
    risk_flags: published.flags.map(({ code, severity, title, detail, since }) => ({
      code,
      severity,
      title,
      detail,
      since,
    })),
    score_interval: published.scoreInterval,
    indicative_band: published.indicativeBand,
    smoothed_score: published.smoothedScore,
    outlook: published.outlook,
    watch: watch && {
      direction: watch.direction,
      reason: watch.reason,
      detail: watch.detail,
      since: watch.since,
      deadline: watch.deadline,
    },
    vfr: { value: vfr.value, zone: vfr.zone, interval: vfr.interval },
    previous: previous && { score: previous.score, band: previous.band, as_of: previous.asOf },
    rating_action: published.action,
    action_reason: published.actionReason,
    reversal: published.reversal,
    drivers: published.drivers.map(({ code, name, points, detail }) => ({ code, name, points, detail })),
    default: published.default && {
      since: published.default.since,
      cures_at: published.default.curesAt,
      tests: published.defaultTests.map(({ code, detail, since }) => ({ code, detail, since })),
    },
    issuer_control: issuerControl && {
      kind: issuerControl.kind,
      technical_score: issuerControl.technicalScore,
      technical_band: issuerControl.technicalBand,
    },
    gaps: published.gaps.map(({ feature, reason }) => ({ feature, reason })),
    conflicts: published.conflicts.map(({ quantity, detail }) => ({ quantity, detail })),
    market_cap_usd: published.marketCapUsd,
    methodology_version: published.methodologyVersion,
    methodology_hash: published.methodologyHash,
    job_id: published.jobId,
    participation: 'unsolicited',
    data_mode: dataMode,
    as_of: published.asOf,
  };
}

export type ScoreRecord = ReturnType<typeof scoreRecord>;

const WORST = ['critical', 'high', 'medium', 'low', 'info'];

/** A short form for agents: one flat object and one sentence, under a kilobyte. */
export function digestOf(record: ScoreRecord) {
  const flags = [...record.risk_flags]
    .sort((a, b) => WORST.indexOf(a.severity) - WORST.indexOf(b.severity))
    .map((flag) => flag.code);
  const rated =
    record.score === null
      ? `not rated (${record.action_reason.slice(0, 120)})`
      : `${record.band}, ${record.score} of 100`;
  return {
    asset_id: record.asset.id,
    symbol: record.asset.symbol,
    band: record.band,
    score: record.score,
    trust_score: record.trust_score,
    outlook: record.outlook,
    watch: record.watch?.reason ?? null,
    flags: flags.slice(0, 5),
    more_flags: Math.max(0, flags.length - 5),
    vfr_zone: record.vfr.zone,
    rating_action: record.rating_action,
    gaps: record.gaps.length,
    conflicts: record.conflicts.length,
    methodology_version: record.methodology_version,
    data_mode: record.data_mode,
    as_of: record.as_of,
    sentence: `Rated ${rated}; trust in the evidence ${record.trust_score} of 100${flags[0] ? `; worst flag ${flags[0]}` : ''}.`,
  };
}
