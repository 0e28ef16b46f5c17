import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factorWeights, featureWeights, loadMethodology } from '../methodology/index.ts';
import { classify } from './class.ts';
import { type Change, consensusOf, daysAgo, inputOf, onChain, soundProtocol } from './fixtures/asset.ts';
import { row } from './fixtures/class-cases.ts';
import { rate } from './rate.ts';

/** The amendments of version 1.0, by the number that decision 37 gives them. */
const methodology = loadMethodology();
const rated = (change: Change) => rate(soundProtocol(change), methodology);
const featureOf = (rating: ReturnType<typeof rate>, id: string) =>
  rating.factors.flatMap(({ features }) => features).find((feature) => feature.id === id);
const capsOf = (rating: ReturnType<typeof rate>) => rating.caps.map(({ code }) => code);
const state = (quantity: Parameters<typeof consensusOf>[0], value: string | number) =>
  consensusOf(quantity, value, { confidence: 0.9 });

test('amendment 1: a row that was never requested counts 40', () => {
  const control = featureOf(rated({ set: [row('protocols', { kind: 'governance' })] }), 'ps_control');
  assert.deepEqual([control?.status, control?.rest, control?.silent], ['unknown', 40, false]);
});

test('amendment 2: fees, value locked, licence and grade count the least where they are unknown', () => {
  const least = (id: string) => methodology.features.find((feature) => feature.id === id)?.silence.points;
  assert.deepEqual(['fu_fees', 'fu_tvl', 'gt_licence', 'fu_exchange'].map(least), [5, 10, 5, 0]);
});

test('amendment 3: a lending vault is rated by the features of its class, and calls from other accounts raise nothing', () => {
  const wrapped = (...rows: NonNullable<Change['set']>) =>
    rated({ set: [consensusOf('categories', ['Wrapped-Tokens']), ...rows] });
  const vault = wrapped(state('vault_held_share', 0.1));
  assert.ok(featureOf(vault, 'fu_assets') && featureOf(vault, 'fu_riskadj') && !featureOf(vault, 'fu_backing'));
  assert.ok(featureOf(wrapped(state('vault_held_share', 1)), 'fu_backing'));
  assert.ok((vault.score ?? 100) <= 54.9 && capsOf(vault).includes('CREDIT_VAULT_UNREAD'));
  const receipt = rated({ set: [row('protocols', { kind: 'receipt' }), state('vault_held_share', 0.1)] });
  assert.ok(
    !capsOf(receipt).some((code) => code.startsWith('CREDIT_VAULT')),
    'a registered receipt is what its row says',
  );
  const stranger = inputOf([
    consensusOf('categories', []),
    state('vault_held_share', 1),
    consensusOf('vault_asset', 'eip155:1/erc20:0x1'),
  ]);
  assert.equal(classify(stranger, methodology).class, 'default');
});

test('amendment 4: no class is rated as a memecoin and no better, a game as infrastructure, an exchange without development', () => {
  assert.deepEqual(factorWeights('default', methodology), factorWeights('memecoin', methodology));
  assert.deepEqual([...featureWeights('default', methodology)], [...featureWeights('memecoin', methodology)]);
  assert.deepEqual([...featureWeights('gaming', methodology)], [...featureWeights('infra', methodology)]);
  assert.ok(!factorWeights('exchange', methodology).some(({ code }) => code === 'DV'));
});

test('amendment 5: a vote over a memecoin is not a claim', () => {
  const meme = rated({ set: [consensusOf('categories', ['Meme']), state('claim_state', 'governance_of_fees')] });
  assert.equal(featureOf(meme, 'fu_claim')?.raw, 'none');
});

test('amendment 6: immutable code needs no operators; an issued wrapper has the features of an issuer', () => {
  const fixed = rated({ set: [row('protocols', { kind: 'receipt', control: 'immutable', underlying: 'ethereum' })] });
  assert.equal(featureOf(fixed, 'fu_operators')?.status, 'not_applicable');
  assert.ok(featureWeights('lst_wrapped', methodology, 'withIssuer').has('gt_licence'));
});

test('amendment 7: age caps a coin of a chain too', () => {
  const coin = {
    set: [row('natives', { symbol: 'HLD' }), onChain('token_created_at', daysAgo(3))],
    asset: { chain: null, address: 'native' },
  };
  assert.ok(
    capsOf(rate(soundProtocol({ ...coin, without: ['first_trade_at', 'listed_at'] }), methodology)).includes('AGE_7D'),
  );
});

test('amendment 8: volume that no counted exchange reports does not take a token out of the rules of launches', () => {
  const codes = (venue: string) =>
    rated({
      set: [
        consensusOf('categories', ['Meme']),
        consensusOf('lp_creator_share', 0.95),
        consensusOf('volume_24h_usd', 1e9),
        consensusOf('volume_24h_cex_usd', 1e9),
        consensusOf('venue_volume_24h_usd', 1e9, { scope: `venue:${venue}:HLD-USDT` }),
        ...(venue === 'binance' ? [] : [consensusOf('venue_volume_24h_usd', 0, { scope: 'venue:binance:HLD-USDT' })]),
      ],
    }).flags.map(({ code }) => code);
  assert.ok(codes('lbank').includes('LP_CREATOR_CONTROLLED'));
  assert.ok(!codes('binance').includes('LP_CREATOR_CONTROLLED'));
});

test('amendment 9: a chain with a replaced history gets no more than the cost of an attack, less for deeper and for younger ones', () => {
  const points = (hours: number | null) =>
    featureOf(
      rated({
        set: [
          row('natives', { symbol: 'HLD' }),
          state('consensus_attack_usd', 1e10),
          ...(hours === null ? [] : [state('reorganisation_hours', hours)]),
        ],
        asset: { chain: null, address: null },
      }),
      'cs_attack',
    )?.score;
  assert.deepEqual([points(null), points(0), points(0.5), points(5), points(100)], [90, 90, 50, 20, 0]);
});

test('amendment 9: what left the supply at par within a week proves redemption; one step, a lost peg or a suspension proves nothing', () => {
  const days = (tokens: readonly number[], priceUsd = 1) =>
    tokens.map((amount, at) => ({ at: daysAgo(20 - at), priceUsd, tokens: amount }));
  const points = (circulating: ReturnType<typeof days>, terms = 'high_minimum') =>
    featureOf(
      rated({
        set: [
          row('issuers', { kind: 'stable_fiat' }),
          consensusOf('peg_target_usd', 1),
          state('redemption_state', terms),
        ],
        history: { circulating },
      }),
      'fu_redeem',
    )?.score;
  const stated = (share: number, terms: string) =>
    featureOf(
      rated({
        set: [
          row('issuers', { kind: 'stable_fiat' }),
          consensusOf('peg_target_usd', 1),
          state('redemption_state', terms),
          consensusOf('redeemed_7d_max', share, { families: ['alpha'] }),
        ],
      }),
      'fu_redeem',
    )?.score;
  assert.equal(stated(0, 'high_minimum'), 45);
  // One observation counts half: 83 points of 17 % are less than the terms, 95 of 30 % are more.
  assert.ok((stated(0.3, 'high_minimum') ?? 0) > 45 && (stated(0.3, 'high_minimum') ?? 0) < 50);
  assert.equal(stated(0.3, 'none'), 0, 'suspended');
  const steady = days([100, 97, 94, 91, 88, 85]);
  assert.equal(points([]), 45);
  assert.ok((points(steady) ?? 0) > 75, `${points(steady)}: 12 % beside the largest step`);
  assert.equal(points(days([100, 85, 85])), 45, 'counted anew in one step');
  assert.equal(points(days([100, 97, 94, 91, 88, 85], 0.98)), 45, 'off its peg');
  assert.equal(points(steady, 'none'), 0, 'suspended');
  assert.equal(points(days([100, 99.9, 99.8, 99.7]), 'any_holder'), 100, 'nobody wanted to: no less than its terms');
});

test('amendment 10: the features that move no pair are weighed only where launches need them', () => {
  const used = new Set(methodology.features.map(({ id }) => id));
  for (const id of ['fu_trend', 'l2_sequencer', 'fu_revenue', 'gt_secpol', 'cs_top1', 'dv_commits'])
    assert.ok(!used.has(id), id);
});

test('amendment 11: what A needs of its sources is set class by class', () => {
  const { askedShare } = methodology.publication.floor;
  assert.ok(new Set(Object.values(askedShare).map(({ high }) => high)).size > 1);
});

test('amendment 12: adverse is below 40; of two classes the one whose ceiling binds today; a bridged copy is a wrapped asset', () => {
  assert.equal(methodology.publication.replacement.adversePoints, 40);
  const copy = (...rows: NonNullable<Change['set']>) =>
    classify(
      inputOf([
        consensusOf('categories', ['Bridged-Tokens', 'USD Stablecoin']),
        state('peg_mechanism', 'crypto_backed'),
        ...rows,
      ]),
      methodology,
    );
  assert.equal(copy().class, 'lst_wrapped', '54.9 without proof of what the bridge holds, below 73.9');
  const native = classify(
    inputOf([consensusOf('categories', ['USD Stablecoin']), state('peg_mechanism', 'crypto_backed')]),
    methodology,
  );
  assert.equal(native.class, 'stable_crypto');
});

test('owners of the liquidity: one provider besides creator and lockers earns 20 points, a second one of a thousandth adds little', () => {
  const points = (second: number | null) =>
    featureOf(
      rated({
        set: [
          consensusOf('categories', ['Meme']),
          onChain('token_created_at', daysAgo(100)),
          consensusOf('lp_creator_share', 0.1),
          consensusOf('lp_locked_share', 0.4),
          ...(second === null ? [] : [consensusOf('lp_second_provider_share', second)]),
        ],
      }),
      'ts_lp_others',
    )?.score;
  assert.deepEqual([points(0), points(0.0009)], [20, 20]);
  assert.equal(points(0.001), points(null));
  assert.ok((points(0.001) ?? 0) > 90);
});
