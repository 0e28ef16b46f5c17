import { type Json, type Observation, QUANTITIES, type QuantityId } from '../../src/domain/index.ts';
import { observeRegisters, type RegisterRows } from '../../src/registers/index.ts';
import { SOURCES } from '../../src/sources/index.ts';
import type { PanelAsset } from './assets.ts';

type Teller = Pick<Observation, 'family' | 'tier' | 'reliability'> & { readonly name: string };

/** A fact that no source states today is given as one observation of a kept register. */
const REGISTER: Teller = { name: 'registers', family: 'register', tier: 'registry', reliability: 0.9 };
const reading = (name: string): Teller => ({ name, family: `chain:${name}`, tier: 'chain', reliability: 0.95 });
const listing = (name: string): Teller => ({ name, family: name, tier: 'aggregator', reliability: 0.8 });

/** Who must state a feature for the program to believe it about as much as the file says. */
function tellersFor(confidence: number): readonly Teller[] {
  if (confidence >= 0.94) return [reading('operator-a'), reading('operator-b')];
  if (confidence >= 0.9) return [REGISTER];
  if (confidence >= 0.85) return [reading('operator-a')];
  if (confidence >= 0.75) return [listing('list-a'), listing('list-b'), listing('list-c')];
  return confidence >= 0.65 ? [listing('list-a'), listing('list-b')] : [listing('list-a')];
}

/** Quantity of a feature that the program reads and the facts do not hold. */
const QUANTITY_OF: Readonly<Record<string, readonly [QuantityId, string]>> = {
  mq_graded: ['graded_volume_share', 'fraction'],
  mq_vola365: ['volatility_365d', 'fraction_per_day'],
  hd_top10: ['top10_share', 'fraction'],
  cs_nakamoto: ['consensus_nakamoto', 'count'],
  cs_attack: ['consensus_attack_usd', 'usd'],
  cs_open: ['consensus_entry_state', 'state'],
  cs_clients: ['client_top_share', 'fraction'],
  cs_outage: ['outage_hours', 'hours'],
  cs_control: ['consensus_control_state', 'state'],
  l2_stage: ['l2_stage', 'state'],
  ps_control: ['protocol_control_state', 'state'],
  ts_bounty: ['bounty_max_usd', 'usd'],
  sd_infl: ['supply_growth_365d', 'fraction_per_year'],
  fu_fees: ['fees_30d_usd', 'usd'],
  fu_tvl: ['tvl_usd', 'usd'],
  fu_tx: ['transactions_24h', 'count'],
  fu_claim: ['claim_state', 'state'],
  fu_attest: ['reserve_report_state', 'state'],
  fu_assets: ['backing_quality_share', 'fraction'],
  fu_segreg: ['segregation_state', 'state'],
  fu_redeem: ['redemption_state', 'state'],
  fu_riskadj: ['backing_risk_adjusted', 'ratio'],
  fu_proof: ['backing_onchain_share', 'fraction'],
  fu_backing: ['backing_ratio', 'ratio'],
  fu_nav: ['nav_discount_30d_max', 'fraction'],
  fu_operators: ['operators_effective', 'count'],
  fu_exit: ['exit_days', 'days'],
  fu_exchange: ['exchange_grade', 'state'],
  fu_por: ['exchange_reserves_state', 'state'],
  fu_legal: ['legal_form_state', 'state'],
  gt_licence: ['licence_state', 'state'],
  gt_accounts: ['issuer_accounts_state', 'state'],
  gt_process: ['rule_change_state', 'state'],
  tr_depeg: ['depeg_aged_sum', 'fraction'],
};

/** All observations of a file at its date: facts by those who state them, rows of registers, features that facts do not give. */
export function observationsOf(asset: PanelAsset, asOf: string): readonly Observation[] {
  const observations: Observation[] = [];
  const observe = (quantity: string, scope: string, value: unknown, unit: string, from: Teller) =>
    observations.push({
      quantity: quantity as QuantityId,
      scope,
      value: value as Json,
      unit,
      meaning: '',
      source: from.name,
      endpoint: 'panel',
      family: from.family,
      tier: from.tier,
      observedAt: asOf,
      fetchedAt: asOf,
      reliability: from.reliability,
      binding: 1,
      responseId: `${from.name}.panel#${observations.length}`,
    });
  const stated = new Set<string>();
  const depth = asset.features?.find((row) => row.feature === 'mq_depth2');
  for (const teller of depth === undefined ? [] : tellersFor(depth.confidence))
    for (const quantity of ['venue_depth_up_2pct_usd', 'venue_depth_down_2pct_usd'])
      observe(quantity, `venue:any:${asset.symbol}-USD`, depth?.value, 'usd', teller);
  for (const { quantity, scope, value, unit, told_by } of asset.facts) {
    if (scope === 'asset') stated.add(quantity);
    for (const name of told_by.length === 0 ? [REGISTER.name] : told_by)
      observe(quantity, scope, value, unit, tellerNamed(name));
  }
  for (const { feature, value, confidence } of asset.features ?? []) {
    const known = QUANTITY_OF[feature];
    if (known === undefined || stated.has(known[0])) continue;
    stated.add(known[0]);
    for (const teller of tellersFor(confidence)) observe(known[0], 'asset', value, known[1], teller);
  }
  for (const draft of observeRegisters((asset.registers ?? {}) as RegisterRows, asOf))
    if (!stated.has(draft.quantity))
      observe(draft.quantity, draft.scope ?? 'asset', draft.value, QUANTITIES[draft.quantity].unit, {
        ...REGISTER,
        reliability: draft.reliability ?? REGISTER.reliability,
      });
  if (lossOf(asset) === 0 && !stated.has('incidents')) observe('incidents', 'asset', [], 'incidents', DEFILLAMA);
  for (const [name, words] of Object.entries(asset.registry_words))
    if (Array.isArray(words) && words.length > 0) observe('categories', 'asset', words, 'text', tellerNamed(name));
  return observations;
}

/** A source as it speaks in the service; what a node reads is of the family of its operator, and the file's one word for nodes is one operator. */
function tellerNamed(name: string): Teller {
  const source = SOURCES.find((row) => row.name === name);
  if (source === undefined) return REGISTER;
  return source.family === 'chain' ? { ...reading(name), reliability: source.reliability } : source;
}

const DEFILLAMA: Teller = tellerNamed('defillama');
/** Losses by the file: none are a list of incidents without entries. */
const lossOf = (asset: PanelAsset) => asset.features?.find((row) => row.feature === 'si_loss')?.value;
