import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createCliContext } from '../compose/cli-context.ts';
import { loadConfig } from '../config/load.ts';
import { rowsOf, SHIPPED_FOLDER, useOwnRegisters } from '../registers/load.ts';
import { registersCommand } from './registers.ts';

const HEAD =
  'ae_lei,ac_authorisationEndDate,ae_authorisation_other_emt,wp_url,wp_comments,ae_commercial_name,wp_lastupdate';
const LEI = '969500TIDEWELL000001';
const emtOf = (...rows: string[]) => `\uFEFF${[HEAD, ...rows].join('\r\n')}\r\n`;
const TIDE = `${LEI},,Electronic money institution,https://tide.example/wp.pdf,"Notified, in two parts",Tide`;

/** Public registers on loopback, as they stand when they are read. */
const served = {
  emt: emtOf(TIDE),
  noncompliant: `${HEAD}\r\n,,,,,Someone\r\n`,
  lei: 'ISSUED',
  modified: null as string | null,
};
const server = createServer((request, response) => {
  const path = request.url ?? '';
  if (path.includes('/lei-records/'))
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ data: { attributes: { registration: { status: served.lei } } } }));
  else {
    if (served.modified !== null) response.setHeader('last-modified', served.modified);
    response.setHeader('content-type', 'text/csv').end(path.endsWith('EMTWP.csv') ? served.emt : served.noncompliant);
  }
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(() => server.close());

const row = (id: string, change: object = {}) => ({
  id,
  name: 'Tide Euro',
  symbol: 'TIDE',
  kind: 'stable_fiat',
  issuer: 'Tide',
  lei: LEI,
  tier: 'supervised',
  regulators: [
    { authority: 'NYDFS', permission: 'BitLicense', document: 'https://tide.example/terms' },
    {
      authority: 'ACPR',
      permission: 'electronic money institution',
      document: 'https://tide.example/wp.pdf',
      source: 'esma-emt',
    },
  ],
  tokens: [{ chain: 'eip155:1', address: '0x00000000000000000000000000000000000711de' }],
  powers: ['mint'],
  insolvency: null,
  sources: ['esma-emt'],
  unconfirmed: ['tier', 'regulators', 'powers'],
  reviewed_by: [],
  seen: '2026-11-01',
  expires: '2099-01-01',
  ...change,
});
const fileOf = (...rows: object[]) => ({
  updated: '2026-11-01',
  sources: { 'esma-emt': { url: 'https://www.esma.europa.eu', licence: 'ESMA, reuse with source', seen: null } },
  rows,
});

function folderWith(issuers: object, copies: object = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'registers-'));
  writeFileSync(join(folder, 'issuers.json'), JSON.stringify(issuers));
  writeFileSync(join(folder, 'public.json'), JSON.stringify(copies));
  return folder;
}

async function run(...args: string[]): Promise<{ readonly code: number; readonly out: string }> {
  const lines: string[] = [];
  const terminal = {
    out: (line: string) => lines.push(line),
    err: (line: string) => lines.push(line),
    progress: () => undefined,
  };
  const loaded = loadConfig({ ASSAY_LOG_LEVEL: 'silent' }, []);
  assert.ok(loaded.ok);
  const { context, close } = createCliContext(loaded.value, terminal);
  try {
    return { code: await registersCommand.run(args, context), out: lines.join('\n') };
  } finally {
    await close();
  }
}
const issuerIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'issuers.json'), 'utf8')).rows[0];

test('the shipped registers pass their own check, which counts unreviewed rows', async () => {
  const { code, out } = await run('check', '--dir', SHIPPED_FOLDER);
  assert.equal(code, 0, out);
  assert.match(out, /note +issuers +\d+ rows, \d+ without two reviewers, \d+ cells unconfirmed/);
});

test('a row that expired, that one person reviewed twice or that no register proves fails the check', async () => {
  const failing = async (change: object) => (await run('check', '--dir', folderWith(fileOf(row('tide', change))))).out;
  assert.match(await failing({ expires: '2026-01-01' }), /error .*expired on 2026-01-01/);
  assert.match(await failing({ reviewed_by: ['ada', 'ada'] }), /error .*one person reviewed it twice/);
  assert.match(await failing({ reviewed_by: ['ada'] }), /warning .*a second person/);
  assert.match(await failing({ unconfirmed: [] }), /error .*supervised by no register that was read/);
  assert.match(await failing({ tier: 'blessed' }), /error .*\/rows\/0\/tier/);
  assert.match(await failing({ sources: ['hearsay'] }), /error .*hearsay, which is no source/);
});

test('a date after today, which would keep a report or a licence new for years, fails the check', async () => {
  const failing = async (change: object) => (await run('check', '--dir', folderWith(fileOf(row('tide', change))))).out;
  const reports = { firm: 'Deloitte', cadence: 'monthly', newest_date: '2062-05-01' };
  assert.match(await failing({ reports }), /error .*tide: reports\.newest_date is 2062-05-01, after today/);
  assert.match(await failing({ seen: '2062-11-01' }), /error .*tide: seen is 2062-11-01, after today/);
  const [, esma] = row('tide').regulators;
  const regulators = [{ ...esma, seen: '2062-11-01' }];
  assert.match(await failing({ regulators }), /error .*tide: regulators\.seen is 2062-11-01, after today/);
  assert.doesNotMatch(await failing({}), /after today/);
});

test('online, an issuer in the register of e-money tokens is confirmed and kept, and one that left it is unconfirmed', async () => {
  served.emt = emtOf(TIDE);
  const folder = folderWith(fileOf(row('tide')));
  const confirmed = await run('check', '--dir', folder, '--online', '--write', '--from', base);
  assert.equal(confirmed.code, 0, confirmed.out);
  assert.deepEqual(issuerIn(folder).unconfirmed, ['powers']);
  assert.match(issuerIn(folder).regulators[1].seen, /^\d{4}-\d{2}-\d{2}$/);
  assert.equal(JSON.parse(readFileSync(join(folder, 'public.json'), 'utf8')).esma_emt.rows, 1);
  for (const [why, entry] of [
    ['ended', TIDE.replace(',,Electronic', ',01/01/2026,Electronic')],
    ['without a white paper', TIDE.replace('https://tide.example/wp.pdf', 'EMT_NO_WP')],
    ['in a limited network', TIDE.replace('Notified, in two parts', 'limited network exception')],
    ['with the paper of another coin', TIDE.replace('tide.example', 'ebb.example')],
    ['another issuer', TIDE.replace(LEI, '969500OTHER000000001')],
  ] as const) {
    served.emt = emtOf(entry);
    const gone = await run('check', '--dir', folder, '--online', '--write', '--from', base);
    assert.equal(gone.code, 1, why);
    assert.ok(issuerIn(folder).unconfirmed.includes('tier'), why);
  }
});

test('a licence counts from the date of the file: its Last-Modified, else the newest change in it, never the time of reading', async () => {
  const confirmed = async (entry: string, modified: string | null) => {
    served.emt = emtOf(entry);
    served.modified = modified;
    const folder = folderWith(fileOf(row('tide')));
    const { out } = await run('check', '--dir', folder, '--online', '--write', '--from', base);
    served.modified = null;
    const kept = issuerIn(folder);
    return { out, seen: kept.regulators[1].seen, row: [kept.seen, kept.expires] };
  };
  const dated = await confirmed(`${TIDE},06/02/2026`, null);
  assert.match(dated.out, /confirmed by ESMA's register of 2026-02-06/);
  assert.deepEqual([dated.seen, dated.row], ['2026-02-06', ['2026-11-01', '2099-01-01']]);
  assert.equal((await confirmed(`${TIDE},01/01/2126`, null)).seen.slice(0, 2), '20', 'a day to come is none');
  const modified = await confirmed(`${TIDE},06/02/2026`, 'Mon, 09 Feb 2026 10:00:00 GMT');
  assert.equal(modified.seen, '2026-02-09');
});

test('a licence that was read too long ago is announced', async () => {
  const regulators = [{ authority: 'ACPR', permission: 'e-money', source: 'esma-emt', seen: '2025-01-01' }];
  const { code, out } = await run('check', '--dir', folderWith(fileOf(row('tide', { regulators, unconfirmed: [] }))));
  assert.equal(code, 0, out);
  assert.match(out, /warning .*licence was proven until 2025-06-30 and counts as disclosed/);
});

test('a public file that shrinks by more than a fifth, lost a column or is a page is refused and changes nothing', async () => {
  const folder = folderWith(fileOf(row('tide')), { esma_emt: { rows: 10, sha256: 'x', seen: '2026-11-01' } });
  for (const [text, why] of [
    [emtOf(...Array.from({ length: 7 }, () => TIDE)), /7 rows, and had 10 .* shrinks by more than 20 %/],
    [emtOf(TIDE).replaceAll('wp_url', 'paper'), /no column wp_url/],
    ['<!doctype html><title>Not found</title>', /no CSV/],
  ] as const) {
    served.emt = text;
    const { code, out } = await run('check', '--dir', folder, '--online', '--write', '--from', base);
    assert.equal(code, 1);
    assert.match(out, why);
    assert.ok(issuerIn(folder).unconfirmed.includes('tier'));
  }
  served.emt = emtOf(...Array.from({ length: 8 }, () => TIDE));
  assert.equal((await run('check', '--dir', folder, '--online', '--from', base)).code, 0);
});

test('an issuer among the firms that do not comply is an error, a lapsed LEI a warning', async () => {
  Object.assign(served, { emt: emtOf(TIDE), noncompliant: `${HEAD}\r\n${LEI},,,,,Tide\r\n`, lei: 'LAPSED' });
  const { code, out } = await run('check', '--dir', folderWith(fileOf(row('tide'))), '--online', '--from', base);
  Object.assign(served, { noncompliant: `${HEAD}\r\n,,,,,Someone\r\n`, lei: 'ISSUED' });
  assert.equal(code, 1);
  assert.match(out, /error .*not complying/);
  assert.match(out, /warning .*LAPSED/);
});

test('public registers are read through the guard of addresses: loopback only where the operator names it', async () => {
  const loaded = loadConfig({ ASSAY_LOG_LEVEL: 'silent' }, []);
  assert.ok(loaded.ok);
  const quiet = { out: () => undefined, err: () => undefined, progress: () => undefined };
  const { context, close } = createCliContext(loaded.value, quiet);
  assert.equal((await context.fetchPublic(`${base}/EMTWP.csv`, false)).ok, false);
  assert.equal((await context.fetchPublic(`${base}/EMTWP.csv`, true)).ok, true);
  await close();
});

const RECORDED = join(process.env.ASSAY_REFERENCE_DATA ?? '../shared/data', 'replies-new', 'esma_mica');
const recorded = join(RECORDED, 'emt', 'emt-2026-02-09.csv');
test('the recorded register of ESMA confirms every shipped issuer that cites it', {
  skip: existsSync(recorded) ? false : 'no reference data',
}, async () => {
  Object.assign(served, {
    emt: readFileSync(recorded, 'utf8'),
    noncompliant: readFileSync(join(RECORDED, 'ncasp', 'ncasp-2026-02-09.csv'), 'utf8'),
  });
  const { code, out } = await run('check', '--dir', SHIPPED_FOLDER, '--online', '--from', base);
  assert.equal(code, 0, out);
  assert.ok(out.split('\n').filter((line) => line.includes('confirmed by ESMA')).length >= 20, out);
});

test('an operator’s own rows are read together with ours, and their differences are shown', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'registers-'));
  const file = join(folder, 'new.json');
  writeFileSync(file, JSON.stringify(fileOf(row('tide'))));
  assert.equal((await run('add', 'issuers', file)).code, 64, 'without a folder');
  for (const [change, why] of [
    [{ powers: ['everything'] }, /powers/],
    [{ sources: [] }, /sources .*fewer than 1 items/],
    [{ sources: ['hearsay'] }, /hearsay, which is no source/],
  ] as const) {
    writeFileSync(join(folder, 'bad.json'), JSON.stringify(fileOf(row('tide', change))));
    const refused = await run('add', 'issuers', join(folder, 'bad.json'), '--dir', folder);
    assert.equal(refused.code, 1);
    assert.match(refused.out, why);
  }
  assert.equal((await run('add', 'issuers', file, '--dir', folder)).code, 0);
  useOwnRegisters(folder);
  const rows = rowsOf(['eip155:1/0x00000000000000000000000000000000000711de']);
  useOwnRegisters(null);
  assert.equal(rows.own.issuer?.id, 'tide');
  assert.equal(rows.shipped.issuer, undefined);
  assert.match((await run('diff', 'issuers', '--dir', folder)).out, /added +tide/);
  writeFileSync(file, JSON.stringify(fileOf(row('tide', { powers: ['mint', 'freeze'] }))));
  assert.equal((await run('diff', 'issuers', join(folder, 'issuers.json'), file)).out, 'changed  tide: powers');
});
