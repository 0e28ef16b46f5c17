import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, QuantityId } from '../domain/index.ts';
import { observeRegisters, type RegisterRows } from './observe.ts';
import type { RegisterRow } from './state.ts';

const AT = '2025-11-03T00:00:00Z';

/** What rows state, by quantity; the row itself by its scope. */
function stated(rows: RegisterRows, at = AT): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    observeRegisters(rows, at).map((draft) => [
      draft.scope ?? draft.quantity,
      draft.quantity === 'register_row' ? 'row' : draft.value,
    ]),
  );
}
const draftOf = (rows: RegisterRows, quantity: QuantityId, at = AT) =>
  observeRegisters(rows, at).find((draft) => draft.quantity === quantity);

const ISSUER = {
  issuer: 'Tide Money',
  tier: 'supervised',
  regulators: [{ authority: 'ACPR', permission: 'electronic money institution', seen: '2025-10-01' }],
  powers: ['mint', 'freeze'],
  reports: { firm: 'Deloitte & Touche', cadence: 'monthly', newest_date: '2025-10-30' },
  reserve_mix: { treasury_bills: 0.8, cash: 0.15, bitcoin: 0.05 },
  segregation: 'statute',
  redemption: { who: 'verified customers', minimum_usd: 100_000 },
  insolvency: null,
};

test('a row of a native coin states who makes blocks, who changes the rules and what was created before it began', () => {
  const natives = {
    open: 'permissionless',
    control: 'many_teams',
    process: 'open_specs',
    contracts: true,
    premine_share: 0,
  };
  assert.deepEqual(stated({ natives, issuer: null, protocol: null }), {
    consensus_entry_state: 'permissionless',
    consensus_control_state: 'many_teams',
    rule_change_state: 'open_specs',
    native_contracts: true,
    insider_allocation_share: 0,
    'register:natives': 'row',
  });
  assert.equal(stated({ natives: { premine_share: 0.42 } }).insider_allocation_share, undefined);
});

test('a row of an issuer states tier, licence, powers, report, backing, redemption and that no proceedings are open', () => {
  assert.deepEqual(stated({ issuer: ISSUER }), {
    segregation_state: 'statute',
    issuer_powers: ['mint', 'freeze'],
    issuer_tier: 'supervised',
    licence_state: 'supervised',
    insolvency_state: 'none',
    redemption_state: 'high_minimum',
    reserve_report_state: 'monthly_big_firm',
    attestation_at: '2025-10-30T00:00:00.000Z',
    backing_quality_share: 0.965,
    'register:issuers': 'row',
  });
});

test('an unconfirmed or expired licence is disclosed and registered, and an unconfirmed cell is worth half', () => {
  const unconfirmed = { ...ISSUER, unconfirmed: ['regulators', 'segregation'] };
  assert.equal(stated({ issuer: unconfirmed }).issuer_tier, 'disclosed');
  assert.equal(stated({ issuer: unconfirmed }).licence_state, 'registered');
  assert.equal(draftOf({ issuer: unconfirmed }, 'segregation_state')?.reliability, 0.5);
  assert.equal(draftOf({ issuer: unconfirmed }, 'insolvency_state')?.reliability, undefined);
  const expired = { ...ISSUER, expires: '2025-10-01' };
  assert.equal(stated({ issuer: expired }).issuer_tier, 'disclosed');
  assert.equal(draftOf({ issuer: expired }, 'segregation_state')?.observedAt, '2025-10-01');
  assert.equal(stated({ issuer: { ...ISSUER, tier: null, regulators: [] } }).licence_state, 'none');
});

test('a licence counts from the day of the register it was read in, whenever the row was reviewed', () => {
  const looked = { ...ISSUER, seen: '2026-03-01', expires: '2026-08-28' };
  const tier = (at: string, row: RegisterRow = looked) => stated({ issuer: row }, at).issuer_tier;
  assert.equal(tier('2026-03-29T00:00:00Z'), 'supervised');
  assert.equal(tier('2026-03-31T00:00:00Z'), 'disclosed');
  assert.equal(stated({ issuer: looked }, '2026-03-31T00:00:00Z').licence_state, 'registered');
});

test('a report that is late by its cadence and 45 days counts as self-declared, by twice that as missing', () => {
  const report = (at: string) => stated({ issuer: ISSUER }, at).reserve_report_state;
  assert.equal(report('2026-01-10T00:00:00Z'), 'monthly_big_firm');
  assert.equal(report('2026-01-20T00:00:00Z'), 'self_declared');
  assert.equal(report('2026-04-20T00:00:00Z'), 'none');
  const with_ = (reports: Json) => stated({ issuer: { ...ISSUER, reports } }).reserve_report_state;
  assert.equal(with_({ firm: 'Eyland Partners', cadence: 'monthly', newest_date: '2025-10-30' }), 'monthly_firm');
  assert.equal(with_({ cadence: 'monthly', newest_date: '2025-10-30' }), 'self_declared');
  assert.equal(with_({ firm: 'KPMG', cadence: 'irregular' }), 'self_declared');
  assert.equal(with_(null), 'none');
});

test('proceedings are open until a plan extinguishes the claim', () => {
  const state = (insolvency: Json) => stated({ issuer: { insolvency } }).insolvency_state;
  assert.equal(state({ court: 'Delaware', docket: '22-11068', opened: '2022-11-11' }), 'proceedings');
  assert.equal(state({ court: 'Delaware', docket: '22-11068', extinguished: '2024-10-08' }), 'extinguished');
});

test('a protocol states claim, control and stage; texts that are not a state are left to the row', () => {
  const protocol = { kind: 'governance', claim: 'fees_by_vote', control: 'multisig with timelock', stage: 1 };
  assert.deepEqual(stated({ protocol }), {
    claim_state: 'fees_by_vote',
    l2_stage: 'stage1',
    'register:protocols': 'row',
  });
  assert.equal(stated({ protocol: { ...protocol, control: 'immutable' } }).protocol_control_state, 'immutable');
  assert.equal(stated({ protocol: { suspended: '2025-11-03' } }).redemption_state, 'none');
});

test('a receipt states its custodian and its redemption time; a suspended one is redeemed by no one', () => {
  const exit = { operators: 30, exit_days: 5 };
  const whole = { operators_effective: 30, exit_days: 5 };
  assert.deepEqual(stated({ issuer: exit }), { ...whole, 'register:issuers': 'row' });
  const protocol = { ...exit, redemption: 'onchain_par' };
  const kept = { ...whole, 'register:protocols': 'row' };
  assert.deepEqual(stated({ protocol }), { ...kept, redemption_state: 'onchain_par' });
  assert.deepEqual(stated({ protocol: { ...protocol, suspended: '2025-11-03' } }), {
    ...kept,
    redemption_state: 'none',
  });
});

test('what of the backing is the own token is known where the quality of the rest is not', () => {
  const share = (mix: Json) => stated({ protocol: { backing: mix } }).backing_own_share;
  assert.equal(share({ own_token: 0.25, USDC: 0.75 }), 0.25);
  assert.equal(share({ cash: 1 }), undefined);
});

test('outages count by their hours and age, and a loss of finality a quarter', () => {
  const outages: Json = [
    { date: '2023-11-04', hours: 8 },
    { date: '2025-11-03', hours: 4, kind: 'finality' },
    { date: '2019-01-01', hours: 100 },
  ];
  assert.equal(stated({ outages: { outages } }).outage_hours, 5);
  assert.equal(stated({ outages: { outages: [] } }).outage_hours, 0);
  assert.equal(stated({ natives: { open: 'elected' } }).outage_hours, undefined);
});

test('of reorganisations the one counts that replaced most, halved by its age; a row without a look states neither', () => {
  const reorganisations: Json = [
    { date: '2025-11-03', blocks: 18, hours: 0.5 },
    { date: '2023-11-04', blocks: 3_000, hours: 12 },
    { date: '2027-01-01', blocks: 9, hours: 90 },
  ];
  const found = stated({ outages: { reorganisations } });
  assert.equal(found.reorganisation_hours, 6);
  assert.equal(found.outage_hours, undefined, 'nobody looked for halts');
  assert.equal(stated({ outages: { reorganisations: [] } }).reorganisation_hours, 0);
  assert.equal(stated({ outages: { outages: [] } }).reorganisation_hours, undefined);
});

test('unlocks of the next year are counted by the day of the schedule', () => {
  const unlocks: Json = [
    { start: '2025-05-03', end: '2026-05-03', tokens: 100 },
    { start: '2026-01-01', tokens: 20 },
    { start: '2027-01-01', tokens: 1_000 },
  ];
  const share = stated({ allocation: { insider_share: 0.4, unlocks, circulating: 1_000 } });
  assert.equal(share.insider_allocation_share, 0.4);
  assert.ok(Math.abs(Number(share.unlock_next_12m_share) - 0.0696) < 0.0005, String(share.unlock_next_12m_share));
});

test('a venue states its grade and what it shows of its reserves', () => {
  assert.deepEqual(stated({ venue: { grade: 'BBB', reserves: 'por_assets_only' } }), {
    exchange_grade: 'BBB',
    exchange_reserves_state: 'por_assets_only',
    'register:venues': 'row',
  });
});

test('a protocol with reports on its backing is reported, and one without is not', () => {
  const protocol = {
    kind: 'issuer_protocol',
    reports: { firm: 'a firm', cadence: 'monthly', newest_date: '2025-10-20' },
  };
  assert.equal(stated({ protocol }).reserve_report_state, 'monthly_firm');
  assert.equal(
    stated({ protocol: { ...protocol, reports: { cadence: 'monthly' } } }).reserve_report_state,
    'self_declared',
  );
  assert.equal(stated({ protocol: { kind: 'issuer_protocol' } }).reserve_report_state, undefined);
});
