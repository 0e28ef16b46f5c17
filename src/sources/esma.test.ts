import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findChain } from '../chains/index.ts';
import type { Json } from '../domain/index.ts';
import { readReply } from '../evidence/read-reply.ts';
import { esma } from './esma.ts';
import { registers } from './registers.ts';
import type { Facts } from './source.ts';

/** Circle, as the register of issuers names it, and the white papers that its rows cite. */
const LEI = '969500OYUDADGZKCR583';
const PAPER = 'https://www.circle.com/fr/legal/mica-usdc-whitepaper';
const HEAD = 'ae_lei_name,ae_lei,ac_authorisationEndDate,ae_authorisation_other_emt,wp_url,wp_comments,wp_lastupdate';
const CIRCLE = `Circle,${LEI},,Electronic money institution,${PAPER},"Notified, in two parts",20/11/2026`;
const others = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => `Tide ${at},TIDE${at},,Credit institution,https://tide.example/${at}.pdf,,01/02/2025`,
  );
const fileOf = (...rows: readonly string[]) => `\uFEFF${[HEAD, ...rows].join('\r\n')}\r\n`;
const WITH = fileOf(...others(40), CIRCLE);

const AT = '2026-11-24T09:00:00.000Z';
const META = { status: 200, headers: {}, fetchedAt: AT, url: 'https://www.esma.europa.eu/' };
const [emt] = esma.endpoints;
assert.ok(emt?.list);
const { list } = emt;
const USDC = {
  chain: findChain('ethereum'),
  address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  keys: { coingeckoId: null },
  learned: {},
} as unknown as Facts;

const outcomeOf = (text: string) => readReply(esma, emt, {}, Buffer.from(text), META, 'x');

/** The list as a score reads it: the row of its issuer is archived and read again out of the archive; what that teaches. */
function taught(text: string, headers: Readonly<Record<string, string>> = {}): Facts['learned'] {
  const [row] = list.rowsOf?.(text) ?? [];
  if (row === undefined || outcomeOf(text).outcome !== 'ok') return {};
  assert.deepEqual(list.keysOf(row), [list.keyOf({ lei: LEI })]);
  const [params, ...more] = emt?.plan(USDC) ?? [];
  assert.deepEqual([params, more], [{ lei: LEI }, []]);
  const read = readReply(
    esma,
    emt as never,
    params ?? {},
    Buffer.from(JSON.stringify([row])),
    { ...META, headers },
    'x',
  );
  assert.equal(read.outcome, 'ok', read.detail ?? '');
  assert.deepEqual(
    read.observations.map(({ quantity, scope }) => [quantity, scope]),
    [['register_row', 'register:esma_emt']],
  );
  return read.learned;
}

/** What the register of issuers states of the tier, read from archived bytes as a replay reads them. */
function tierOf(learned: Facts['learned'], change: (issuer: Record<string, Json>) => object = () => ({})) {
  const rows = registers.endpoints.find(({ name }) => name === 'rows');
  const [params] = rows?.plan({ ...USDC, learned }) ?? [];
  assert.ok(rows?.made && params);
  const made = structuredClone(rows.made(params)) as { shipped: { issuer: Record<string, Json> } };
  Object.assign(made.shipped.issuer, change(made.shipped.issuer));
  const body = Buffer.from(JSON.stringify(made));
  const read = () => readReply(registers, rows, structuredClone(params), body, META, 'x').observations;
  assert.deepEqual(read(), read());
  const found = new Map(read().map((row) => [row.quantity, row]));
  return {
    tier: found.get('issuer_tier')?.value,
    licence: found.get('licence_state')?.value,
    meaning: found.get('issuer_tier')?.meaning,
  };
}
const seen = (day: string) => (issuer: Record<string, Json>) => ({
  regulators: (issuer.regulators as readonly Record<string, Json>[]).map((one) =>
    one.document === undefined ? one : { ...one, seen: day },
  ),
});

test('an issuer in today’s file is supervised, whenever its row was read, and the evidence names the file', () => {
  assert.equal(tierOf({}).tier, 'disclosed', 'the row’s own file is of 2026-02-09');
  assert.deepEqual(tierOf(taught(WITH)), {
    tier: 'supervised',
    licence: 'supervised',
    meaning: 'row of the register issuers; ESMA’s register of 2026-11-20 has the issuer',
  });
  assert.equal(tierOf(taught(WITH, { 'last-modified': 'Mon, 23 Nov 2026 10:00:00 GMT' })).tier, 'supervised');
});

test('an issuer that the file does not have, or not as authorised, is disclosed at once', () => {
  for (const [why, gone] of [
    ['left', fileOf(...others(41), others(1)[0]?.replace('01/02/2025', '20/11/2026') ?? '')],
    ['ended', WITH.replace(`${LEI},,`, `${LEI},01/11/2026,`)],
    ['no white paper', WITH.replace(PAPER, 'EMT_NO_WP')],
    ['limited network', WITH.replace('Notified, in two parts', 'limited network exception')],
  ] as const) {
    const found = tierOf(taught(gone), seen('2026-11-10'));
    assert.deepEqual([found.tier, found.licence], ['disclosed', 'registered'], why);
    assert.match(found.meaning ?? '', /2026-11-20 does not have the issuer/, why);
  }
  assert.equal(tierOf({}, seen('2026-11-10')).tier, 'supervised', 'without a file the row’s own day counts');
});

test('a file older than the row’s reading withdraws nothing, and an unmaintained one proves nothing', () => {
  const gone = fileOf(...others(41));
  assert.equal(tierOf(taught(gone), seen('2026-11-10')).tier, 'supervised', 'of 2025-02-01');
  assert.equal(tierOf(taught(WITH, { 'last-modified': 'Tue, 10 Feb 2026 10:00:00 GMT' })).tier, 'disclosed');
});

test('a white paper at another address dates the licence of its issuer, and confirms none that was found unconfirmed', () => {
  const moved = taught(WITH.replace(PAPER, 'https://www.circle.com/usdc-v2.pdf'));
  assert.equal(tierOf(moved).tier, 'supervised');
  const unconfirmed = () => ({ unconfirmed: ['tier', 'regulators'] });
  assert.equal(tierOf(moved, unconfirmed).tier, 'disclosed');
  assert.equal(tierOf(taught(WITH), unconfirmed).tier, 'supervised');
});

test('a page, an empty, truncated or short file, one without a column, and a forged row are rejected: no licence is withdrawn', () => {
  for (const [why, text] of [
    ['page', '<!doctype html><title>Just a moment</title>'],
    ['empty', ''],
    ['header only', fileOf()],
    ['short', fileOf(...others(20))],
    ['cut in a cell', WITH.slice(0, WITH.indexOf('Notified, in'))],
    ['cut in a row', WITH.slice(0, WITH.indexOf(PAPER))],
    ['no column', WITH.replaceAll('wp_url', 'paper')],
    ['a row of the archive', '[{"rows":[]}]'],
    ['JSON', '[1]'],
  ] as const) {
    assert.equal(outcomeOf(text).outcome, 'malformed', why);
    assert.deepEqual(taught(text), {}, why);
    assert.deepEqual(list.rowsOf?.(text), [], why);
  }
  const whole = JSON.stringify(list.rowsOf?.(WITH));
  assert.deepEqual(list.rowsOf?.(whole), [], 'what only the archive holds never comes over the wire');
});

test('beside the file in use one that lost more than a fifth of its rows is refused', () => {
  const long = fileOf(...others(100));
  assert.equal(list.refuses?.(fileOf(...others(80)), long), null);
  assert.match(list.refuses?.(fileOf(...others(79)), long) ?? '', /79 rows, and the previous one had 100/);
  assert.equal(list.refuses?.(long, fileOf(...others(40))), null);
});

test('a token without a row, or whose row cites no white paper, needs nothing of the list', () => {
  for (const address of ['0x00000000000000000000000000000000000000aa', '0xdac17f958d2ee523a2206206994597c13d831ec7'])
    assert.deepEqual(emt.plan({ ...USDC, address }), []);
});
