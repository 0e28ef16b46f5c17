import { calibrateTrust } from '../research/trust/calibrate.ts';
import type { Truths } from '../research/trust/reliability.ts';
import { createWorld, type World } from '../sandbox/world/world.ts';
import type { EvidenceRecord } from '../src/domain/evidence.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { worldEvidence } from './world-evidence.ts';

/**
 * Calibration of confidence, trust and intervals under errors of sources: the archived evidence of every token of the sandbox, rated
 * again with errors of seven kinds in four amounts, against the truth of the sandbox's world. Limit: an expected calibration
 * error of 0.05: of confidence read through the curve of the methodology, of confidence and trust through curves fitted on
 * other assets.
 */
const LIMIT = 0.05;
const settings = {
  seed: Number(process.env.ASSAY_BENCH_SEED ?? 1),
  amounts: [0.05, 0.15, 0.3, 0.5],
  repeats: Number(process.env.ASSAY_BENCH_REPEATS ?? 3),
  folds: 10,
};

const records = await worldEvidence();
const world = createWorld({ seed: 1, anchor: Date.parse(records[0]?.asOf ?? '') });
const started = process.hrtime.bigint();
const found = calibrateTrust(
  records.map((evidence) => ({ asset: nameOf(evidence), evidence, known: knownOf(world, evidence) })),
  settings,
  loadMethodology(),
);
const seconds = Number(process.hrtime.bigint() - started) / 1e9;
const { values, trust, score } = found;
const short = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (_, entry) =>
    typeof entry === 'number' ? Math.round(entry * 10_000) / 10_000 : entry,
  );
console.log(
  JSON.stringify(
    short({
      assets: found.assets,
      replays: found.replays,
      seconds,
      limit_ece: LIMIT,
      ece_values: values.published.ece,
      ece_values_held_out: values.restated.ece,
      ece_trust: trust.restated.ece,
      values,
      trust,
      score,
    }),
    null,
    1,
  ),
);
if (values.published.ece > LIMIT || values.restated.ece > LIMIT || trust.restated.ece > LIMIT) process.exitCode = 1;

function nameOf(evidence: EvidenceRecord): string {
  const { asset } = evidence.identification;
  return `${asset.chain}:${asset.address}`;
}

/** Quantities of an asset that the world and its sources define alike. */
function knownOf(world: World, evidence: EvidenceRecord): Truths {
  const { chain, address } = evidence.identification.asset;
  const asset = chain === null || address === null ? null : world.byAddress(chain, address);
  if (asset === null) return {};
  const market = world.market(asset, Date.parse(evidence.asOf));
  return {
    price_usd: market.priceUsd,
    total_supply: market.totalSupply,
    circulating_supply: market.circulatingSupply,
    market_cap_usd: market.marketCapUsd,
    holder_count: market.holders,
    liquidity_dex_usd: market.liquidityUsd,
    volume_24h_usd: market.volumeUsd,
    volume_24h_dex_usd: market.dexVolumeUsd,
    volume_24h_cex_usd: market.cexVolumeUsd,
    fdv_usd: market.fdvUsd,
    ath_usd: world.ath(asset, Date.parse(evidence.asOf)).usd,
    decimals: asset.decimals,
    honeypot: asset.traits.honeypot,
    buy_tax: asset.traits.buyTax,
    sell_tax: asset.traits.sellTax,
    lp_locked_share: asset.traits.lpLockedShare,
    lp_creator_share: asset.traits.lpCreatorShare,
    ...(market.tvlUsd === null ? {} : { tvl_usd: market.tvlUsd }),
  };
}
