import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReply } from '../evidence/read-reply.ts';
import { ecb } from './ecb.ts';
import { immunefi } from './immunefi.ts';
import { l2beat } from './l2beat.ts';
import { ofac } from './ofac.ts';
import type { Source } from './source.ts';
import { wayback } from './wayback.ts';

const META = { status: 200, headers: {}, fetchedAt: '2026-02-01T00:00:00.000Z', url: '' };

function endpointOf(source: Source, name: string) {
  const found = source.endpoints.find((row) => row.name === name);
  assert.ok(found?.list, name);
  return { ...found, list: found.list };
}

/** What a score reads of the list: outcome of the list, and of the row that `params` mean, live and out of the archive. */
function rowOf(source: Source, name: string, reply: unknown, params: object) {
  const { list, ...endpoint } = endpointOf(source, name);
  const body = typeof reply === 'string' ? reply : JSON.stringify(reply);
  const whole = readReply(source, endpoint, {}, Buffer.from(body), META, 'x');
  const rows = (list.rowsOf?.(reply) ?? []) as readonly unknown[];
  const row = rows.find((one) => list.keysOf(one).includes(list.keyOf(params as never) ?? ''));
  if (row === undefined) return { list: whole.outcome, observed: null, learned: {} };
  const archived = readReply(source, endpoint, params as never, Buffer.from(JSON.stringify([row])), META, 'x');
  assert.equal(archived.outcome, 'ok');
  return {
    list: whole.outcome,
    observed: archived.observations.map(({ quantity, scope, value }) => [quantity, scope, value]),
    learned: archived.learned,
  };
}

const rates = (quote: string) => `<?xml version="1.0"?><gesmes:Envelope><Cube>
  <Cube time=${quote}2026-01-30${quote}><Cube currency=${quote}USD${quote} rate=${quote}1.25${quote}/>
  <Cube currency=${quote}JPY${quote} rate=${quote}200${quote}/></Cube>
  <Cube time=${quote}2026-01-29${quote}><Cube currency=${quote}USD${quote} rate=${quote}9${quote}/></Cube></Cube></gesmes:Envelope>`;

test('ECB: dollars for one unit of each currency of the newest day, in either kind of quotes', () => {
  for (const quote of ['"', "'"]) {
    const found = rowOf(ecb, 'daily', rates(quote), { currency: 'EUR' });
    assert.deepEqual(found, {
      list: 'ok',
      observed: [['currency_usd', 'currency:EUR', 1.25]],
      learned: { 'ecb.usdPer': { EUR: 1.25, JPY: 0.00625 } },
    });
  }
  assert.deepEqual(rowOf(ecb, 'daily', rates('"'), { currency: 'RUB' }).observed, [], 'left out is not 0');
  assert.equal(rowOf(ecb, 'daily', '<html>Service unavailable</html>', {}).list, 'malformed');
});

test('ECB: rates of a file that is no longer renewed convert no market of today', () => {
  const endpoint = endpointOf(ecb, 'daily');
  const row = [{ date: '2026-01-30', usdPer: { EUR: 1.25 } }];
  const learnedOn = (fetchedAt: string) =>
    readReply(ecb, endpoint, { currency: 'EUR' }, Buffer.from(JSON.stringify(row)), { ...META, fetchedAt }, 'x')
      .learned;
  const known = { 'ecb.usdPer': { EUR: 1.25 } };
  // Good Friday, a weekend and Easter Monday are the longest time without rates.
  for (const day of ['2026-01-30', '2026-02-04', '2026-02-08'])
    assert.deepEqual(learnedOn(`${day}T20:00:00.000Z`), known, day);
  for (const day of ['2026-02-10', '2027-01-30']) assert.deepEqual(learnedOn(`${day}T20:00:00.000Z`), {}, day);
});

test('ECB: a symbol that names a currency has its rate observed; another symbol none', () => {
  const { plan } = endpointOf(ecb, 'daily');
  const planned = (symbol: string) => plan({ symbol } as never)[0]?.currency;
  for (const [symbol, currency] of [
    ['EURC', 'EUR'],
    ['EURCV', 'EUR'],
    ['agEUR', 'EUR'],
    ['XSGD', 'SGD'],
    ['JPYC', 'JPY'],
    ['BRL1', 'BRL'],
    ['ZCHF', 'CHF'],
  ] as const)
    assert.equal(planned(symbol), currency, symbol);
  for (const word of ['UNI', 'AUDIO', 'ENTRY', 'CADENCE', 'ARCADE', 'NEURO', 'EURUSD'])
    assert.equal(planned(word), null, word);
});

const ARB = { chain: 'arbitrum', address: '0x912ce59144191c1204e64559fe8253a0e49e6548' };
const project = (change: object = {}) => ({
  id: 'arbitrum',
  slug: 'arbitrum',
  stage: 'Stage 1',
  isArchived: false,
  isUnderReview: false,
  tvs: { breakdown: { total: 1 }, associatedTokens: [{ symbol: 'ARB' }] },
  risks: [{ name: 'Sequencer Failure', value: 'Self sequence', sentiment: 'good' }],
  ...change,
});
const summaries = (row: object) => [
  { projects: { arbitrum: row } },
  { success: true, data: { projects: { arbitrum: row } } },
];

test('L2BEAT: stage and sequencer of the project whose token it is, in both shapes of the reply', () => {
  for (const reply of summaries(project()))
    assert.deepEqual(rowOf(l2beat, 'scaling_summary', reply, ARB).observed, [
      ['l2_stage', 'asset', 'stage1'],
      ['l2_sequencer_state', 'asset', 'forced_inclusion'],
    ]);
});

test('L2BEAT: a symbol counts in any case (recorded: `Metis` for METIS)', () => {
  const METIS = { chain: 'ethereum', address: '0x9e32b13ce7f2e80a01932b42553652e053d6ed8e' };
  const row = project({
    id: 'metis',
    slug: 'metis',
    stage: 'Stage 0',
    tvs: { associatedTokens: [{ symbol: 'Metis' }] },
  });
  for (const reply of summaries(row))
    assert.deepEqual(rowOf(l2beat, 'scaling_summary', reply, METIS).observed?.[0], ['l2_stage', 'asset', 'stage0']);
});

test('L2BEAT: a symbol without the address, and an address without the symbol, match nothing', () => {
  const [reply] = summaries(project());
  const fake = { chain: 'bsc', address: ARB.address };
  assert.equal(rowOf(l2beat, 'scaling_summary', reply, fake).observed, null);
  assert.deepEqual(
    endpointOf(l2beat, 'scaling_summary').plan({ chain: { name: 'bsc' }, address: ARB.address } as never),
    [],
  );
  for (const tvs of [{ associatedTokens: [] }, { associatedTokens: ['ETH'] }, null]) {
    const [other] = summaries(project({ tvs }));
    assert.equal(rowOf(l2beat, 'scaling_summary', other, ARB).observed, null);
  }
});

test('L2BEAT: a value under review has no stage, a warning is worse than the value, an unknown word is not interpreted', () => {
  const seen = (change: object) =>
    rowOf(l2beat, 'scaling_summary', summaries(project(change))[0], ARB).observed?.map((row) => row[2]);
  const warned = { name: 'Sequencer Failure', sentiment: 'good', warning: { value: 'x', sentiment: 'bad' } };
  assert.deepEqual(seen({ isUnderReview: true }), ['forced_inclusion']);
  assert.deepEqual(seen({ stage: 'Stage 0', risks: [warned] }), ['stage0', 'single']);
  assert.deepEqual(seen({ stage: 'Not applicable', risks: [] }), ['none']);
  assert.deepEqual(seen({ stage: 'Stage 7', risks: [{ name: 'Exit Window', sentiment: 'bad' }] }), []);
});

const SDN = `1,"DOE, Jane","individual","CYBER2",-0- ,"x; Digital Currency Address - ETH 0xABCDEF0000000000000000000000000000000001; alt. Digital Currency Address - XBT bc1qvhnfknw852ephxyc5hm4q520zmvf9maphetc9z; Secondary sanctions"`;

test('OFAC: an address in the remarks is sanctioned, whatever its letters; one that is not there is not cleared', () => {
  const { plan } = endpointOf(ofac, 'sdn');
  const [params] = plan({ chain: {}, address: '0xABCDEF0000000000000000000000000000000001', learned: {} } as never);
  assert.ok(params);
  assert.deepEqual(rowOf(ofac, 'sdn', SDN, params), {
    list: 'ok',
    observed: [['sanctioned', 'asset', true]],
    learned: {},
  });
  assert.equal(rowOf(ofac, 'sdn', SDN, { address: '0xabcdef0000000000000000000000000000000002' }).observed, null);
  assert.equal(rowOf(ofac, 'sdn', SDN, { address: 'bc1qvhnfknw852ephxyc5hm4q520zmvf9maphetc9z' }).observed?.length, 1);
  assert.equal(rowOf(ofac, 'sdn', '<html>moved</html>', params).list, 'malformed');
});

test('OFAC: the people behind the token are looked up too, each once; the finding names the person', () => {
  const { plan } = endpointOf(ofac, 'sdn');
  const [token, owner, creator] = [1, 2, 3].map((digit) => `0x${String(digit).repeat(40)}`);
  const learned = { 'evm_rpc.owner': owner, 'evm_rpc.slot.admin': owner, 'goplus.creator': creator };
  const planned = plan({ chain: {}, address: token, learned } as never);
  assert.deepEqual(planned, [
    { address: token },
    { address: owner, role: 'owner' },
    { address: creator, role: 'creator' },
  ]);
  const mint = 'TideMint11111111111111111111111111111111111';
  const keys = { 'solana_rpc.authorities': { mint: 'MintKey1111111111111111111111111111111111111', freeze: null } };
  assert.deepEqual(plan({ chain: {}, address: mint, learned: keys } as never).slice(1), [
    { address: 'MintKey1111111111111111111111111111111111111', role: 'mint authority' },
  ]);
  const reply = `1,"DOE",-0- ,"x; Digital Currency Address - ETH ${owner}; alt. Digital Currency Address - USDT ${owner}."`;
  const { list: _, ...endpoint } = endpointOf(ofac, 'sdn');
  const read = readReply(ofac, endpoint, planned[1] ?? {}, Buffer.from(reply), META, 'x');
  assert.deepEqual(
    read.observations.map(({ quantity, meaning }) => [quantity, meaning]),
    [['sanctioned', `${owner} (owner) is on the list of designated persons`]],
  );
  assert.deepEqual(readReply(ofac, endpoint, planned[2] ?? {}, Buffer.from(reply), META, 'x').observations, []);
});

const programme = (change: object = {}) => ({
  slug: 'tide',
  project: 'Tide',
  maxBounty: 250_000,
  launchDate: '2024-02-03T10:00:00.000Z',
  endDate: null,
  inviteOnly: false,
  programOverview: 'See https://tide.example/docs.',
  assets: [
    { type: 'smart_contract', url: 'https://arbiscan.io/token/0x912CE59144191C1204E64559FE8253A0E49E6548#code' },
    { type: 'smart_contract', url: 'https://github.com/tide/core' },
    { type: 'websites_and_applications', url: 'https://app.tidewell.example/swap' },
  ],
  ...change,
});
const PLACE = { place: `${ARB.chain}:${ARB.address}`, domain: 'tidewell.example' };

test('Immunefi: a programme is an asset’s by its contract or its domain in scope, or by the link of its site when the text names the domain', () => {
  const bounty = (params: object, change: object = {}) =>
    rowOf(immunefi, 'bounties', [programme(change)], params).observed;
  const found = [['bounty_max_usd', 'asset', 250_000]];
  assert.deepEqual(bounty(PLACE), found);
  assert.deepEqual(bounty({ domain: 'tidewell.example' }), found);
  assert.deepEqual(bounty({ slug: 'tide', domain: 'tide.example' }), found);
  assert.deepEqual(bounty({ slug: 'tide', domain: 'impostor.example' }), [], 'a link alone');
  assert.equal(bounty({ domain: 'tide.example' }), null, 'a name in the text alone');
  assert.deepEqual(bounty({ ...PLACE, domain: 'tide.example' }), found, 'the text names the domain');
  assert.equal(bounty({ ...PLACE, place: `bsc:${ARB.address}` }), null, 'another chain');
  assert.equal(bounty({ domain: 'github.com' }), null);
});

test('Immunefi: a token in the scope of a protocol that uses it has not the bounty of the protocol', () => {
  const seen = (params: object, change: object = {}) =>
    rowOf(immunefi, 'bounties', [programme(change)], params).observed;
  // A lending protocol lists the markets of its collateral: the token of an oracle, a stablecoin.
  assert.deepEqual(seen({ ...PLACE, domain: 'oracle.example' }), []);
  assert.deepEqual(seen({ place: PLACE.place }), [], 'a project without a known domain');
  const nameless = { programOverview: 'A lending market.', assets: programme().assets.slice(0, 2) };
  assert.deepEqual(seen(PLACE, nameless), [], 'a programme that names no domain');
});

test('Immunefi: of several programmes of a domain the largest counts, whatever their order; a contract in the scope of several is of none', () => {
  const all = [
    programme({ slug: 'site', maxBounty: 5_000 }),
    programme({ slug: 'core', maxBounty: 900_000 }),
    programme({ slug: 'none', maxBounty: null }),
  ];
  for (const order of [all, all.toReversed()]) {
    const seen = (params: object) => rowOf(immunefi, 'bounties', order, params).observed;
    assert.deepEqual(seen({ domain: 'tidewell.example' }), [['bounty_max_usd', 'asset', 900_000]]);
    assert.equal(seen(PLACE), null);
  }
});

test('Immunefi: contests and invitations are not a standing bounty; an unfit programme is skipped; HTML is no list', () => {
  const list = (reply: unknown) => rowOf(immunefi, 'bounties', reply, PLACE);
  assert.equal(list([programme({ endDate: '2026-09-01' }), programme({ slug: 'x' })]).observed?.length, 1);
  for (const change of [{ endDate: '2026-09-01' }, { inviteOnly: true }, { slug: '../x' }])
    assert.equal(list([programme(change)]).list, 'malformed');
  assert.deepEqual(list([programme({ maxBounty: 'a lot' })]).observed, []);
  assert.equal(list([{ slug: 7, assets: 'x' }, null, programme()]).observed?.length, 1);
  assert.equal(list('<html>Just a moment</html>').list, 'malformed');
});

test('Immunefi: the programmes that the site links are looked for with its domain, no others', () => {
  const { plan } = endpointOf(immunefi, 'bounties');
  const link = (url: string) => ({ kind: 'bounty', subject: 'Immunefi', url });
  const learned = {
    'third_parties.website:https://tide.example/': [
      link('https://immunefi.com/bug-bounty/tide/'),
      link('https://immunefi.com.evil.example/bug-bounty/other/'),
      link('https://hackenproof.com/tide'),
    ],
    'third_parties.coingecko': [link('https://immunefi.com/bug-bounty/elsewhere')],
  };
  const facts = { chain: { name: 'base' }, address: '0x1', registrableDomain: 'tide.example', learned };
  assert.deepEqual(plan(facts as never), [
    { place: 'base:0x1', domain: 'tide.example' },
    { domain: 'tide.example' },
    { slug: 'tide', domain: 'tide.example' },
  ]);
  assert.deepEqual(plan({ ...facts, registrableDomain: null } as never), []);
});

test('Wayback: the oldest capture that was not an error; none is not found, a page of HTML is no list', () => {
  const [cdx] = wayback.endpoints;
  assert.ok(cdx);
  const read = (text: string) => readReply(wayback, cdx, { domain: 'tide.example' }, Buffer.from(text), META, 'x');
  const line = (at: string, status: string) =>
    `example,tide)/ ${at} https://tide.example:80/ text/html ${status} ABC 1024`;
  const found = read(
    [line('20190101000000', '404'), line('20200304050607', '301'), line('20210304050607', '200')].join('\n'),
  );
  assert.deepEqual(
    found.observations.map(({ quantity, value }) => [quantity, value]),
    [['site_archived_at', '2020-03-04T05:06:07.000Z']],
  );
  assert.equal(read('').outcome, 'not_found');
  assert.equal(read('<html>429</html>').outcome, 'malformed');
  assert.equal(read(line('00010101000000', '200')).outcome, 'malformed');
});
