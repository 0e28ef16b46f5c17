import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../domain/observation.ts';
import { loadMethodology } from '../../methodology/load.ts';
import { consensusOf, daysAgo, onChain, soundProtocol } from '../fixtures/asset.ts';
import { rate } from '../rate.ts';

const methodology = loadMethodology();
type Rows = readonly ReturnType<typeof consensusOf>[];
const rated = (set: Rows, change: Parameters<typeof soundProtocol>[0] = {}) =>
  rate(soundProtocol({ ...change, set }), methodology);
const codes = (set: Rows, change: Parameters<typeof soundProtocol>[0] = {}) =>
  rated(set, change).flags.map((flag) => flag.code);
const row = (register: string, value: Json) => consensusOf('register_row', value, { scope: `register:${register}` });
const issuer = (tier: string, ...powers: string[]): Rows => [
  consensusOf('issuer_tier', tier),
  consensusOf('issuer_powers', powers),
];

const KEYS: Rows = [
  onChain('mint_authority_state', 'eoa'),
  onChain('freeze_authority_state', 'eoa'),
  onChain('proxy_admin_state', 'eoa'),
  onChain('permanent_delegate', true),
];
const TRAPS = ['MINT_AUTHORITY_EOA', 'FREEZE_AUTHORITY_EOA', 'PROXY_UPGRADEABLE_EOA', 'PERMANENT_DELEGATE'];

test('plain keys are traps, and those of a named issuer are its powers: shown as such, without a cap', () => {
  for (const code of TRAPS) assert.ok(codes(KEYS).includes(code), code);
  for (const tier of ['supervised', 'disclosed']) {
    const rating = rated([...KEYS, ...issuer(tier, 'mint', 'freeze', 'upgrade', 'seize')]);
    const raised = rating.flags.map((flag) => flag.code);
    for (const code of TRAPS) assert.ok(!raised.includes(code), `${code} for a ${tier} issuer`);
    for (const code of ['MINT_AUTHORITY_ACTIVE', 'FREEZE_AUTHORITY_ACTIVE', 'PROXY_UPGRADEABLE'])
      assert.ok(raised.includes(code), code);
    assert.deepEqual(
      rating.caps.map(({ code }) => code).filter((code) => !code.startsWith('CLASS_')),
      [],
    );
  }
});

test('a power that the register does not give the issuer stays a trap, and so does every power of no issuer', () => {
  const minter = codes([...KEYS, ...issuer('supervised', 'mint')]);
  assert.ok(!minter.includes('MINT_AUTHORITY_EOA') && minter.includes('PROXY_UPGRADEABLE_EOA'));
  assert.ok(minter.includes('PERMANENT_DELEGATE'));
  assert.ok(codes([...KEYS, ...issuer('none', 'mint', 'upgrade')]).includes('MINT_AUTHORITY_EOA'));
});

const STABLE: Rows = [
  consensusOf('peg_target_usd', 1),
  consensusOf('price_usd', 1, { families: ['alpha', 'beta', 'gamma'] }),
];

test('a report that the register has in its cadence is not contradicted by the text of a site; none in either raises a flag', () => {
  const site = consensusOf('reserve_attestation_state', 'self_declared');
  const has = (...rows: Rows) => codes([...STABLE, ...rows], { category: null }).includes('RESERVE_UNVERIFIED');
  assert.ok(has(site));
  assert.ok(!has(site, consensusOf('reserve_report_state', 'monthly_firm')));
  assert.ok(has(site, consensusOf('reserve_report_state', 'self_declared')));
  assert.ok(
    !has(consensusOf('reserve_attestation_state', 'monthly_by_firm'), consensusOf('reserve_report_state', 'none')),
  );
  assert.ok(
    !has(site, consensusOf('peg_mechanism', 'crypto_backed')),
    'collateral that code holds has no firm that reports on it',
  );
});

test('a chain’s own coin has no audit, no team and no one repository', () => {
  const rows: Rows = [
    consensusOf('team_state', 'anonymous'),
    onChain('last_commit_at', daysAgo(400)),
    consensusOf('audits_count', 0),
  ];
  const native = row('natives', { symbol: 'BTC' });
  const of = (set: Rows) => codes(set).filter((code) => ['TEAM_ANONYMOUS', 'DEV_INACTIVE', 'NO_AUDIT'].includes(code));
  assert.ok(of(rows).includes('TEAM_ANONYMOUS') && of(rows).includes('DEV_INACTIVE'));
  assert.deepEqual(of([...rows, native]), []);
});

test('an issuer holds its keys: no centralised governance', () => {
  const owner = onChain('owner_state', 'eoa');
  assert.ok(codes([owner]).includes('GOVERNANCE_CENTRALISED'));
  assert.ok(!codes([owner, ...issuer('disclosed', 'mint')]).includes('GOVERNANCE_CENTRALISED'));
});

test('few holders and thin markets do not count against a privately placed fund', () => {
  const rows: Rows = [consensusOf('holder_count', 60)];
  const fund = [...rows, ...issuer('supervised', 'mint'), row('issuers', { kind: 'rwa_sec' })];
  assert.ok(codes(rows).includes('HOLDER_BASE_TINY'));
  assert.ok(!codes(fund).includes('HOLDER_BASE_TINY'));
});

test('units issued only against a deposit in immutable code are not a power to mint', () => {
  const minted = onChain('mint_authority_state', 'contract');
  const has = (...rows: Rows) => codes([minted, ...rows]).includes('MINT_AUTHORITY_ACTIVE');
  assert.ok(has());
  assert.ok(!has(row('protocols', { control: 'immutable', collateral: { ETH: 1 } })));
  assert.ok(has(row('protocols', { control: 'multisig', collateral: { ETH: 1 } })));
});

test('a peg to another currency is measured in that currency, not in dollars', () => {
  const euro: Rows = [consensusOf('peg_currency', 'EUR'), consensusOf('price_usd', 1.16)];
  assert.ok(!codes(euro, { category: null }).some((code) => code.startsWith('DEPEG')));
  const off = codes([...euro, consensusOf('peg_deviation_24h_held', 0.04)], { category: null });
  assert.ok(off.includes('DEPEG') && !off.includes('DEPEG_SEVERE'));
});

test('a coin far off its peg by its chart and by the price of two families is severely off it', () => {
  const set = [
    consensusOf('peg_target_usd', 1),
    consensusOf('price_usd', 0.1, { confidence: 0.6 }),
    consensusOf('peg_deviation_24h_held', 0.85, { families: ['alpha'], confidence: 0.5 }),
  ];
  assert.ok(codes(set, { category: null }).includes('DEPEG_SEVERE'));
});

test('a coin that gathers its yield in its price is off its peg below it, not above it', () => {
  const at = (price: number) =>
    codes(
      [
        consensusOf('peg_target_usd', 1),
        consensusOf('price_usd', price, { families: ['alpha', 'beta', 'gamma'] }),
        consensusOf('categories', ['Yield-Bearing Stablecoin']),
      ],
      { category: null },
    );
  assert.ok(!at(1.2).some((code) => code.startsWith('DEPEG')));
  assert.ok(at(0.5).includes('DEPEG_SEVERE'));
});

test('a halt in the register of outages is a flag for 30 days, and a loss of finality is none', () => {
  const halt = (date: string, kind?: string) =>
    codes([row('outages', { outages: [{ date, hours: 5, ...(kind === undefined ? {} : { kind }) }] })]).includes(
      'CHAIN_HALT',
    );
  assert.ok(halt(daysAgo(10)));
  assert.ok(!halt(daysAgo(40)));
  assert.ok(!halt(daysAgo(10), 'finality'));
});
