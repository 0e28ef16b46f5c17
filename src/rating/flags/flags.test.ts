import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agree } from '../../consensus/agree.ts';
import type { Json, QuantityId } from '../../domain/index.ts';
import type { Observation } from '../../domain/observation.ts';
import { loadMethodology } from '../../methodology/load.ts';
import { AS_OF, consensusOf, daysAgo, fromOneGroup, observationOf, onChain, soundProtocol } from '../fixtures/asset.ts';
import { FLAG_CASES } from '../fixtures/flag-cases.ts';
import { HISTORY_CASES, hourly, MARKETS_REMAIN, NOT_RAISED } from '../fixtures/history-cases.ts';
import { rate } from '../rate.ts';
import { FLAG_RULES } from './raise.ts';

const methodology = loadMethodology();
const CASES = [...FLAG_CASES, ...HISTORY_CASES];
const rated = (change: Parameters<typeof soundProtocol>[0]) => rate(soundProtocol(change), methodology);
const codes = (change: Parameters<typeof soundProtocol>[0]) => rated(change).flags.map((flag) => flag.code);

/** Caps that follow from findings: not the ceiling of the class. */
const struck = (change: Parameters<typeof soundProtocol>[0]) =>
  rated(change).caps.filter(({ code }) => code !== 'CLASS_GOVERNANCE');

test('the sound protocol raises nothing and no cap applies', () => {
  const rating = rated({});
  assert.deepEqual(rating.flags, []);
  assert.deepEqual(struck({}), []);
});

test('every flag that public data can raise has a rule and a case, and the others state the reason', () => {
  const raisable = methodology.flags.filter((flag) => flag.notRaisedBecause === null).map((flag) => flag.code);
  assert.deepEqual(FLAG_RULES.map((rule) => rule.code).sort(), [...raisable].sort());
  assert.deepEqual([...new Set(CASES.map((row) => row.code))].sort(), [...raisable].sort());
});

for (const row of [...CASES.map((row) => ({ ...row, why: 'by its condition' })), ...MARKETS_REMAIN]) {
  test(`${row.code} is raised (${row.why}) and not by the near miss${row.cap ? `, and caps by ${row.cap}` : ''}`, () => {
    const rating = rated(row.raises);
    const flag = rating.flags.find((found) => found.code === row.code);
    assert.ok(flag, 'not raised');
    const needed = flag.severity === 'critical' ? 0.7 : 0.5;
    assert.ok(flag.confidence >= needed && flag.confidence <= 1, `confidence ${flag.confidence}`);
    assert.ok(flag.detail.length > 0 && flag.title.length > 0);
    assert.ok(!codes(row.quiet).includes(row.code), 'raised by the near miss');
    if (row.cap === undefined) return;
    const cap = rating.caps.find((found) => found.code === row.cap);
    assert.ok(cap, 'no cap');
    assert.ok(rating.score !== null && rating.score <= cap.cap);
  });
}

for (const { code, why, change } of NOT_RAISED)
  test(`${code} is not raised when ${why}`, () => {
    assert.ok(!codes(change).includes(code));
  });

test('a flag without enough confidence is not raised', () => {
  assert.ok(
    !codes({ set: [consensusOf('transfer_pausable', true, { confidence: 0.45 })] }).includes('TRANSFER_PAUSABLE'),
  );
});

const SEVERITY: readonly (readonly [
  code: string,
  severity: string,
  why: string,
  Parameters<typeof soundProtocol>[0],
])[] = [
  ['TOKEN_NEW', 'medium', 'younger than a week', { set: [onChain('token_created_at', daysAgo(6.9))] }],
  ['TOKEN_NEW', 'info', 'older than a week', { set: [onChain('token_created_at', daysAgo(7.1))] }],
  [
    'IMPERSONATION',
    'high',
    'one scanner, of a token that nothing ties to its project',
    { set: [fromOneGroup('fake_token', true)], identification: { match: 0.49 } },
  ],
  ['IMPERSONATION', 'critical', 'two scanners', { set: [consensusOf('fake_token', true)] }],
  ['BACKING_SHORTFALL', 'high', 'one page', { set: [fromOneGroup('collateral_ratio', 0.9)] }],
  ['BACKING_SHORTFALL', 'critical', 'two families', { set: [consensusOf('collateral_ratio', 0.9)] }],
  [
    'LIQUIDITY_DRAIN',
    'critical',
    'the newest snapshot shows it too',
    { set: [consensusOf('liquidity_dex_usd', 9e6)], history: hourly({ liquidityUsd: 9e6 }) },
  ],
  [
    'LIQUIDITY_DRAIN',
    'high',
    'the newest snapshot does not show it',
    { set: [consensusOf('liquidity_dex_usd', 9e6)], history: hourly({}) },
  ],
];

for (const [code, severity, why, change] of SEVERITY)
  test(`${code} is ${severity}: ${why}`, () => {
    assert.equal(rated(change).flags.find((flag) => flag.code === code)?.severity, severity);
  });

test('one scanner alone raises no critical flag and no cap', () => {
  for (const quantity of ['honeypot', 'balance_mutable', 'rug_executed', 'fake_token', 'sanctioned'] as const) {
    const change = { set: [fromOneGroup(quantity, true)] };
    assert.deepEqual(struck(change), [], quantity);
    assert.ok(!rated(change).flags.some((flag) => flag.severity === 'critical'), quantity);
  }
});

const ALONE: readonly (readonly [code: string, quantity: QuantityId, value: Json, cap: string | null])[] = [
  ['HONEYPOT', 'honeypot', true, 'CANNOT_SELL'],
  ['RUG_EXECUTED', 'rug_executed', true, null],
  ['BALANCE_MUTABLE', 'balance_mutable', true, 'BALANCE_MUTABLE'],
  ['SANCTIONS_EXPOSURE', 'sanctioned', true, 'SANCTIONS'],
  ['PERMANENT_DELEGATE', 'permanent_delegate', true, 'PERMANENT_DELEGATE'],
  ['SELL_TAX_EXTREME', 'sell_tax', 0.6, 'SELL_TAX_30'],
  ['TAX_HIGH', 'sell_tax', 0.2, 'SELL_TAX_10'],
  ['CREATOR_HOLDING_HIGH', 'creator_share', 0.9, null],
  ['IMPERSONATION', 'fake_token', true, null],
];
for (const [code, quantity, value, cap] of ALONE)
  test(`${code} is unconfirmed while one lineage group reports it and others could: shown, lowers trust, no cap`, () => {
    const [one, two] = [
      rated({ set: [fromOneGroup(quantity, value)] }),
      rated({ set: [consensusOf(quantity, value)] }),
    ];
    assert.ok(two.flags.some((flag) => flag.code === code));
    assert.ok(!one.flags.some((flag) => flag.code === code));
    const shown = one.flags.find((flag) => flag.code === 'ACCUSATION_UNCONFIRMED');
    assert.deepEqual(shown?.value, [code]);
    assert.match(shown?.detail ?? '', new RegExp(code));
    assert.ok(!two.flags.some((flag) => flag.code === 'ACCUSATION_UNCONFIRMED'));
    assert.ok(cap === null || !one.caps.some((row) => row.code === cap));
    assert.ok(one.trust.score < rated({}).trust.score);
  });

test('a flag is confirmed by a second group above the threshold, not by one below it', () => {
  const share = (second: number) =>
    rated({
      set: [
        consensusOf('creator_share', 0.3, {
          voices: [observationOf('alpha', 0.5), observationOf('beta', second)],
          status: 'disputed',
        }),
      ],
    }).flags.map((flag) => flag.code);
  assert.ok(share(0.2).includes('CREATOR_HOLDING_HIGH'));
  assert.ok(!share(0.01).includes('CREATOR_HOLDING_HIGH'));
  assert.ok(share(0.01).includes('ACCUSATION_UNCONFIRMED'));
});

test('a fact that one lineage group alone can state is raised, marked as from that one alone', () => {
  const change = {
    set: [
      consensusOf('volume_24h_dex_usd', 8_000_000),
      fromOneGroup('creator_dead_tokens_count', 5),
      fromOneGroup('hidden_owner', true),
    ],
  };
  const { flags } = rated(change);
  for (const code of ['SERIAL_DEPLOYER', 'HIDDEN_OWNER'])
    assert.match(flags.find((flag) => flag.code === code)?.detail ?? '', /\(alpha alone\)$/, code);
  assert.match(
    rated({ set: [consensusOf('hidden_owner', true)] }).flags.find((flag) => flag.code === 'HIDDEN_OWNER')?.detail ??
      '',
    /\(alpha, beta\)$/,
  );
});

test('a stablecoin far off its peg never goes without a flag because the worse one is uncertain', () => {
  const set = [
    consensusOf('peg_target_usd', 1),
    consensusOf('price_usd', 0.93),
    consensusOf('peg_deviation_24h_held', 0.07, { confidence: 0.6 }),
  ];
  const rating = rated({ category: null, set });
  assert.ok(rating.flags.some((flag) => flag.code.startsWith('DEPEG')));
  assert.ok(rating.caps.some((cap) => cap.code.startsWith('DEPEG')));
});

test('powers of a disclosed issuer raise no mint, freeze or delegate cap', () => {
  const set = [
    onChain('mint_authority_state', 'eoa'),
    onChain('freeze_authority_state', 'regulated_issuer'),
    onChain('permanent_delegate', true),
  ];
  assert.deepEqual(struck({ set }), []);
});

test('an issuer with a weak claim of disclosure has no exemption', () => {
  const rating = rated({
    set: [
      consensusOf('freeze_authority_state', 'regulated_issuer', { confidence: 0.2 }),
      onChain('permanent_delegate', true),
    ],
  });
  assert.ok(rating.caps.some((cap) => cap.code === 'PERMANENT_DELEGATE'));
});

test('a concealed owner without power over balances is a flag and not a knock-out', () => {
  assert.deepEqual(struck({ set: [consensusOf('hidden_owner', true)] }), []);
  const both = rated({ set: [consensusOf('hidden_owner', true), consensusOf('balance_mutable', true)] });
  assert.ok(both.caps.some((cap) => cap.code === 'HIDDEN_OWNER'));
});

test('two scanners that report a token unsellable are not outvoted by a third; one against one is no knock-out', () => {
  const say = (family: string, value: boolean): Observation => ({
    quantity: 'honeypot',
    scope: 'asset',
    value,
    unit: 'boolean',
    meaning: '',
    source: family,
    endpoint: 'token',
    family,
    tier: 'aggregator',
    observedAt: AS_OF,
    fetchedAt: AS_OF,
    reliability: 0.85,
    binding: 1,
    responseId: `${family}.token#1`,
  });
  const heard = (...voices: Observation[]) => rated({ set: Object.values(agree(voices, methodology, AS_OF)) });
  const outvoted = heard(say('goplus', true), say('honeypot_is', true), say('other', false));
  assert.ok(outvoted.caps.some((cap) => cap.code === 'CANNOT_SELL'));
  const even = heard(say('goplus', true), say('honeypot_is', false));
  assert.ok(!even.caps.some((cap) => cap.code === 'CANNOT_SELL'));
});

test('liquidity with the creator caps only where it is the one venue', () => {
  const elsewhere = rated({
    set: [consensusOf('lp_creator_share', 0.9), consensusOf('volume_24h_dex_usd', 8_000_000)],
  });
  assert.ok(elsewhere.flags.some((flag) => flag.code === 'LP_CREATOR_CONTROLLED'));
  assert.ok(!elsewhere.caps.some((cap) => cap.code === 'LP_CREATOR'));
});

test('text of outsiders reaches a flag without control, direction or invisible characters, and short', () => {
  const detail = `evil\u202e\u0000\u2028\u{e0041}${'x'.repeat(600)}`;
  const rating = rated({
    identification: { contradictions: [{ kind: 'confusable_domain', factor: 0.3, detail, sources: [] }] },
  });
  const flag = rating.flags.find((row) => row.code === 'IMPERSONATION');
  assert.ok(flag && flag.detail.length <= 300);
  assert.doesNotMatch(flag.detail, /[\p{Cc}\p{Cf}\u2028\u2029]/u);
});
