import { type ConsensusObservation, SUPPLY_OF_ALL_CHAINS, sourcesFor } from '../../domain/index.ts';
import { pointsOf } from '../../methodology/index.ts';
import type { Concentration } from '../../metrics/index.ts';
import { ageOf } from '../age.ts';
import {
  type Context,
  consensusOf,
  type FeatureReading,
  holdersOf,
  isHardened,
  isRevised,
  type Known,
  notApplicable,
  numberOf,
  observed,
  readOr,
  unknown,
} from '../context.ts';
import { burnedOf, circulatingOf, supplyOnChain, wholeSupplyOf } from '../whole-supply.ts';

const REGISTRIES = sourcesFor('supply');

/** SD: float, unlocks, insiders, growth, integrity of the declared supply. */
export function supplyFeatures(context: Context): readonly FeatureReading[] {
  return [float(context), unlocks(context), insiders(context), growth(context), integrity(context)];
}

/** Circulating over maximum supply (total if there is no maximum); null if either is unknown. */
export function floatOf(
  context: Context,
): { readonly share: number; readonly support: readonly Known<number>[]; readonly method: string } | null {
  const circulating = circulatingOf(context);
  const max = numberOf(context, 'max_supply');
  const most = max === null ? wholeSupplyOf(context) : { value: max.value, support: [max] };
  if (!circulating || !most || most.value <= 0) return null;
  return {
    share: Math.min(1, circulating.value / most.value),
    support: [...circulating.support, ...most.support],
    method: `circulating over ${max === null ? 'total' : 'maximum'} supply`,
  };
}

function float(context: Context): FeatureReading {
  const found = floatOf(context);
  if (found) return observed('sd_circ', found.share, found.support, found.method);
  // Registries track no float for a fully minted memecoin. The total supply on chain and the missing mint authority are
  // the only evidence.
  const mint = consensusOf(context, 'mint_authority_state');
  const total = numberOf(context, 'total_supply');
  if ((context.class === 'memecoin' || context.class === 'default') && total && mint?.value === 'none')
    return observed(
      'sd_circ',
      1,
      [total],
      'all tokens exist and nobody can mint; no registry tracks a float',
      total.confidence * context.methodology.featureRules.mintedFloat,
    );
  return unknown(context, 'sd_circ', REGISTRIES);
}

function unlocks(context: Context): FeatureReading {
  const found = numberOf(context, 'unlock_next_12m_share');
  const least = leastOfUnlocks(context);
  if (found) {
    const row = observed('sd_unlock', found.value, [found], 'scheduled unlocks of the next 12 months');
    return least === null ? row : { ...row, atLeast: least };
  }
  const circulating = floatOf(context);
  if (circulating && circulating.share >= context.methodology.featureRules.wholeFloat)
    return {
      ...observed('sd_unlock', 0, circulating.support, 'everything circulates already'),
      ...(least !== null && isRevised(context) ? { atLeast: least } : {}),
    };
  const row = unknown(context, 'sd_unlock', []);
  return least === null ? row : { ...row, atLeast: least };
}

/**
 * Points that hold whatever the schedule is: no more tokens can be unlocked than are not yet circulating. Null:
 * unknown.
 */
function leastOfUnlocks(context: Context): number | null {
  const found = floatOf(context);
  const definition = context.methodology.features.find((row) => row.id === 'sd_unlock');
  return found === null || found.share <= 0 || definition === undefined
    ? null
    : pointsOf(definition, (1 - found.share) / found.share);
}

function insiders(context: Context): FeatureReading {
  const found = numberOf(context, 'insider_allocation_share') ?? numberOf(context, 'insider_share');
  return found
    ? observed(
        'sd_insider',
        found.value,
        [found],
        found.consensus.quantity === 'insider_share' ? 'wallets the sources tie to insiders' : 'declared allocation',
      )
    : unknown(context, 'sd_insider', sourcesFor('insiders'));
}

/** A shrinking supply dilutes no holder and counts as zero growth. */
function growth(context: Context): FeatureReading {
  const found = numberOf(context, 'supply_growth_365d');
  return found
    ? observed('sd_infl', Math.max(0, found.value), [found], 'net growth of the circulating supply over a year')
    : unknown(context, 'sd_infl', REGISTRIES);
}

function integrity(context: Context): FeatureReading {
  if (context.native) return notApplicable('sd_integrity', 'the chain itself is what registries count');
  const gap = supplyGap(context);
  return gap
    ? observed('sd_integrity', Math.max(gap.gap, context.methodology.featureRules.smallestGap), gap.support, gap.method)
    : unknown(context, 'sd_integrity', [...REGISTRIES, ...sourcesFor('chain')]);
}

/**
 * Median difference between the supply read on chain, with or without burned tokens, and the values of the registries.
 * What a registry adds up over several chains contradicts one chain only if it is smaller. Null without both.
 */
export function supplyGap(context: Context): {
  readonly gap: number;
  readonly support: readonly Known<unknown>[];
  readonly method: string;
  readonly families: number;
} | null {
  const total = numberOf(context, 'total_supply');
  if (!total) return null;
  const onChain = supplyOnChain(context, total.consensus);
  const burned = burnedOf(context);
  const net = burned !== null && burned.value < onChain ? onChain - burned.value : onChain;
  const ofAll = consensusOf(context, 'total_supply', SUPPLY_OF_ALL_CHAINS)?.voices ?? [];
  const declared = [
    ...total.consensus.voices.filter((voice) => voice.tier !== 'chain' && isUsable(voice)),
    ...ofAll.filter((voice) => isUsable(voice) && Number(voice.value) < net),
  ];
  if (onChain <= 0 || declared.length === 0) return null;
  const gapTo = (supply: number, value: unknown) => Math.abs(Number(value) / supply - 1);
  const gaps = declared.map(({ value }) => Math.min(gapTo(onChain, value), gapTo(net, value))).sort((a, b) => a - b);
  const middle = gaps[Math.floor((gaps.length - 1) / 2)] ?? 0;
  return {
    gap: middle,
    support: burned === null ? [total] : [total, burned],
    method: `chain supply against ${declared.length} registries`,
    families: new Set(declared.map((voice) => voice.family)).size,
  };
}

/** True for a supply that was stated for this asset now, in its unit. */
function isUsable({ value, unitPower, reason }: ConsensusObservation): boolean {
  return (
    typeof value === 'number' && value > 0 && unitPower === null && reason !== 'weak_binding' && reason !== 'too_old'
  );
}

const HOLDER_SOURCES = sourcesFor('holders');

/** HD: largest holder, ten largest, effective holders, holder count, creator share. */
export function holderFeatures(context: Context): readonly FeatureReading[] {
  const found = holdersOf(context);
  const count = numberOf(context, 'holder_count') ?? numberOf(context, 'token_account_count');
  const creator = numberOf(context, 'creator_share');
  // The holder count of a very new token reflects how it was distributed, not its value: the sign differs between forms
  // of launch.
  const age = ageOf(context);
  const exposure = age === null ? 1 : Math.min(1, age.value / context.methodology.aggregation.holderExposureDays);
  const ten = numberOf(context, 'top10_share');
  // Where pools, locks and exchanges fill the list, nobody on it is a holder: how the rest is spread is not known.
  const isEmpty = isRevised(context) && found !== null && found.top1 <= 0;
  const top = (id: string, of: keyof Concentration) => {
    const raw = found === null || isEmpty ? null : creditedShare(context, id, found[of], found.worst[of]);
    return found === null || raw === null
      ? unknown(context, id, HOLDER_SOURCES)
      : observed(id, raw, [found.support], found.method, found.confidence);
  };
  return [
    top('hd_top1', 'top1'),
    // A holder list identifies the ten largest; a stated share alone may include exchanges and pools.
    found === null && ten !== null
      ? observed('hd_top10', ten.value, [ten], 'ten largest as a source states them')
      : top('hd_top10', 'top10'),
    top('hd_neff', 'effective'),
    count
      ? observed(
          'hd_count',
          count.value,
          [count],
          count.consensus.quantity === 'holder_count'
            ? 'owners with a balance'
            : 'token accounts, an upper bound of owners',
          count.confidence * exposure,
        )
      : unknown(context, 'hd_count', HOLDER_SOURCES),
    readOr(context, 'hd_creator', creator, 'creator and wallets the sources link to it', HOLDER_SOURCES),
  ];
}

/**
 * The listed concentration if the list proves it bad, or good: what is not listed cannot make it bad then. Null if it
 * proves neither.
 */
function creditedShare(context: Context, id: string, listed: number, worst: number): number | null {
  const definition = context.methodology.features.find((row) => row.id === id);
  if (!isHardened(context) || definition === undefined) return listed;
  const { prior } = context.methodology.aggregation;
  const isGood = (value: number) => (pointsOf(definition, value) ?? prior) >= prior;
  if (!isGood(listed)) return listed;
  return isGood(worst) ? listed : null;
}
