import type { PublishedRating } from '../domain/published.ts';

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
