import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { CliContext } from '../src/cli/context.ts';
import { runCommand } from '../src/cli/run.ts';
import { QUANTITIES } from '../src/domain/quantities.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { statesOf } from './cell-forms.ts';
import { proposeMapping } from './propose-mapping.ts';
import { quantityRows, quantityTable } from './quantity-list.ts';
import { seededRandom } from './random.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-propose-'));
});
after(() => rm(folder, { recursive: true, force: true }));

interface Coin {
  readonly address: string;
  readonly mint: string;
  readonly isRug: boolean;
  readonly holders: number;
  readonly liquidity: number;
  readonly locked: number;
  readonly tax: number;
  readonly isHoneypot: boolean;
  readonly at: number;
  readonly createdAt: number;
}

/** Five hundred coins: rugs have fewer holders, less liquidity and seldom a lock. */
function coins(): readonly Coin[] {
  const random = seededRandom(11);
  const letters = (from: string, count: number) =>
    Array.from({ length: count }, () => from[Math.floor(random() * from.length)]).join('');
  return Array.from({ length: 500 }, () => {
    const isRug = random() < 0.45;
    const at = 1_704_067_200 + Math.floor(random() * 300) * 86_400;
    return {
      address: `0x${letters('0123456789abcdefABCDEF', 40)}`,
      mint: letters('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 44),
      isRug,
      holders: Math.round(10 ** (isRug ? 1.2 + 1.8 * random() : 2 + 2.5 * random())),
      liquidity: Math.round(100 * 10 ** (isRug ? 3 + 2 * random() : 4 + 2.5 * random())) / 100,
      locked: isRug && random() < 0.8 ? 0 : Math.round(100 * random()) / 100,
      tax: isRug ? Math.round(25 * random()) : Math.round(4 * random()),
      isHoneypot: isRug && random() < 0.3,
      at,
      createdAt: at - 3_600 - Math.floor(random() * 30) * 86_400,
    };
  });
}

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();
const comma = (value: number) => value.toFixed(2).replace('.', ',');
const grouped = (value: number) => value.toLocaleString('en-US');

/** The same coins as five people would write them down. */
const FORMS: Readonly<
  Record<
    string,
    {
      readonly header: string;
      readonly row: (coin: Coin, index: number) => readonly (string | number)[];
      readonly mark: string;
    }
  >
> = {
  semicolons: {
    header: 'Token Address;Status;Holders;Liquidity USD;LP locked %;Buy tax %;Honeypot;Mintable;Snapshot date;Created',
    row: (c, i) => [
      c.address,
      c.isRug ? 'Rug' : 'OK',
      c.holders,
      comma(c.liquidity),
      comma(100 * c.locked),
      comma(c.tax),
      c.isHoneypot ? 'yes' : 'no',
      i % 3 ? 'no' : 'yes',
      iso(c.at).slice(0, 10),
      iso(c.createdAt).slice(0, 10),
    ],
    mark: ';',
  },
  unix: {
    header: 'address,is_rug,holder_count,liquidity,lpLockedPct,buyTax,is_honeypot,creator,timestamp,created_at',
    row: (c, i) => [
      c.address,
      c.isRug ? 1 : 0,
      c.holders,
      c.liquidity,
      100 * c.locked,
      c.tax,
      c.isHoneypot ? 1 : 0,
      `dev${i % 90}`,
      c.at,
      c.createdAt,
    ],
    mark: ',',
  },
  signs: {
    header: 'contract,label,holders,liquidity_usd,lp_locked,buy_tax,measured_at,outcome_at',
    row: (c, i) => [
      c.address,
      c.isRug ? 'Rug' : i % 10 === 0 ? 'unsure' : 'OK',
      `"${grouped(c.holders)}"`,
      `"$${grouped(c.liquidity)}"`,
      `${Math.round(100 * c.locked)}%`,
      `${c.tax}%`,
      iso(c.at),
      iso(c.at + 20 * 86_400),
    ],
    mark: ',',
  },
  tabs: {
    header: 'name\talive\tholders\tvolume 24h\tsomething else\ttoken_created',
    row: (c, i) => [
      `Coin ${i}`,
      c.isRug ? 'FALSE' : 'TRUE',
      c.holders,
      i % 9 ? Math.round(c.liquidity / 3) : 'n/a',
      i,
      1_000 * c.createdAt,
    ],
    mark: '\t',
  },
  solana: {
    header: 'mint,fate,market_cap,holders,lp_creator_share,mint_authority,freeze_authority,first_trade_at,observed_at',
    row: (c, i) => [
      c.mint,
      c.isRug ? 'dead' : 'alive',
      c.liquidity * 8,
      c.holders,
      c.isRug ? 0.9 : 0.1,
      i % 3 ? 'false' : 'true',
      'false',
      iso(c.createdAt),
      iso(c.at),
    ],
    mark: ',',
  },
};

async function validate(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = {
    out: (line: string) => out.push(line),
    err: (line: string) => err.push(line),
    progress: () => undefined,
  };
  const code = await runCommand('validate', args, { terminal } as unknown as CliContext);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** Writes a form down, has a mapping proposed, and validates with it as it is. */
async function firstTry(name: string) {
  const form = FORMS[name];
  assert.ok(form);
  const dir = join(folder, name);
  await mkdir(dir, { recursive: true });
  await writeFile(
    join(dir, `${name}.csv`),
    [form.header, ...coins().map((coin, index) => form.row(coin, index).join(form.mark)), ''].join('\n'),
  );
  const proposed = await validate('--init', join(dir, `${name}.csv`), '--out', join(folder, `${name}.json`));
  assert.equal(proposed.code, 0, proposed.err);
  const found = await validate(
    '--data',
    dir,
    '--mapping',
    join(folder, `${name}.json`),
    '--out',
    join(folder, `out-${name}`),
    '--bootstrap',
    '20',
  );
  assert.equal(found.code, 0, found.err);
  const mapping = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8'));
  return { mapping, proposed: proposed.err, found, auc: Number(/AUC (\d\.\d+)/.exec(found.out)?.[1]) };
}

test('a file with semicolons, decimal commas, percent and "Rug" or "OK" is validated at the first try', async () => {
  const { mapping, proposed, found, auc } = await firstTry('semicolons');
  assert.deepEqual(mapping.outcome, { column: 'Status', failed: ['Rug'], survived: ['OK'] });
  assert.deepEqual(
    [mapping.id, mapping.featureTime, mapping.chain, mapping.number],
    ['Token Address', 'Snapshot date', 'ethereum', { decimal: ',' }],
  );
  assert.deepEqual(mapping.quantities.lp_locked_share, { column: 'LP locked %', scale: 0.01 });
  assert.deepEqual(mapping.quantities.mint_authority_state, { column: 'Mintable', states: { no: 'none', yes: 'eoa' } });
  assert.deepEqual(mapping.quantities.token_created_at, { column: 'Created' });
  assert.match(proposed, /check that failed and survived are not exchanged/);
  assert.match(found.err, /note: semicolons\.csv: read with ";" between columns/);
  assert.ok(auc > 0.9, String(auc));
});

test('a file with unix seconds, 0 and 1, camel case and percent is validated at the first try', async () => {
  const { mapping, auc } = await firstTry('unix');
  assert.deepEqual(mapping.outcome, { column: 'is_rug', failed: ['1'], survived: ['0'] });
  assert.deepEqual([mapping.group, mapping.featureTime], ['creator', 'timestamp']);
  assert.deepEqual(Object.keys(mapping.quantities), [
    'holder_count',
    'liquidity_dex_usd',
    'lp_locked_share',
    'buy_tax',
    'honeypot',
    'token_created_at',
  ]);
  assert.equal(mapping.quantities.buy_tax.scale, 0.01);
  assert.ok(auc > 0.9, String(auc));
});

test('a file with signs of units, thousands, ISO times and unsure outcomes is validated at the first try', async () => {
  const { mapping, found, auc } = await firstTry('signs');
  assert.deepEqual(mapping.outcome, { column: 'label', failed: ['Rug'], survived: ['OK'], leftOut: ['unsure'] });
  assert.deepEqual(mapping.number, { thousands: ',', strip: ['%', '$'] });
  assert.equal(mapping.outcomeTime, 'outcome_at');
  assert.doesNotMatch(found.err, /gives no times/);
  assert.ok(auc > 0.85, String(auc));
});

test('a file with tabs, n/a and a survival column is validated at the first attempt; its ages need a moment', async () => {
  const { mapping, proposed, auc } = await firstTry('tabs');
  assert.deepEqual(mapping.outcome, { column: 'alive', failed: ['FALSE'], survived: ['TRUE'] });
  assert.deepEqual([mapping.missing, mapping.featureTime], [['n/a'], null]);
  assert.match(proposed, /"token_created" could be token_created_at, and needs featureTime/);
  assert.match(proposed, /not mapped: "something else", "token_created"/);
  assert.ok(auc > 0.8, String(auc));
});

test('a file of Solana mints is validated at the first try; its authorities become states', async () => {
  const { mapping, auc } = await firstTry('solana');
  assert.equal(mapping.chain, 'solana');
  assert.deepEqual(mapping.quantities.mint_authority_state, {
    column: 'mint_authority',
    states: { false: 'none', true: 'eoa' },
  });
  assert.deepEqual(mapping.quantities.freeze_authority_state, {
    column: 'freeze_authority',
    states: { false: 'none' },
  });
  assert.ok(auc > 0.9, String(auc));
});

test('without an outcome column or any known column the proposal states what to complete, and a missing file is reported', async () => {
  const file = join(folder, 'bare.csv');
  await writeFile(file, 'foo,bar\n1,2\n3,4\n');
  const bare = await validate('--init', file);
  assert.equal(bare.code, 0);
  assert.match(bare.err, /outcome: no column was found/);
  assert.match(bare.err, /to be completed by hand: features, quantities: at least one column must be mapped/);
  assert.equal(JSON.parse(bare.out).outcome, null);
  assert.equal((await validate('--init', join(folder, 'nowhere.csv'))).code, 66);
  assert.equal((await validate('--init', file, '--out', join(folder, 'no', 'where.json'))).code, 73);
});

test('texts for an authority that is held or renounced become states; any other text excludes the column', () => {
  const proposed = (words: readonly string[]) =>
    proposeMapping({
      files: [{ name: 'coins.csv', sha256: '', bytes: 0, rows: words.length, separator: undefined }] as never,
      columns: ['token', 'mint_authority'],
      rows: words.map((word, line) => ({ file: 'coins.csv', line, cells: [`t${line}`, word] })),
    });
  const told = proposed(['renounced', 'owner', 'Revoked', 'owner', '']);
  assert.deepEqual((told.mapping.quantities as Record<string, unknown>).mint_authority_state, {
    column: 'mint_authority',
    states: { renounced: 'none', owner: 'eoa', Revoked: 'none' },
  });
  assert.match(
    told.notes.join('\n'),
    /owner is read as a plain key that can \(eoa\), Revoked, renounced as nobody \(none\)/,
  );
  const odd = proposed(['renounced', 'owner', 'perhaps']);
  assert.equal((odd.mapping.quantities as Record<string, unknown>).mint_authority_state, undefined);
  assert.match(odd.notes.join('\n'), /not mapped: .*"mint_authority"/);
});

test('--quantities lists every quantity that a rating reads, with unit and example, and the docs have the same table', async () => {
  const { code, out } = await validate('--quantities');
  assert.equal(code, 0);
  assert.match(out, /^lp_locked_share +fraction +0\.25 +share of fungible LP that is locked or burned/m);
  assert.match(out, /^mint_authority_state +state +none /m);
  assert.match(out, /^first_trade_at +date +2025-03-01 /m);
  assert.doesNotMatch(out, /^(fdv_usd|top_holders|pool_price_usd) /m);
  const rows = quantityRows(loadMethodology());
  const page = fileURLToPath(new URL('../docs/validation.md', import.meta.url));
  const text = await readFile(page, 'utf8');
  const [start, end] = ['<!-- quantities -->', '<!-- end of quantities -->'];
  const written = `${text.slice(0, text.indexOf(start))}${start}\n${quantityTable(rows).join('\n')}\n${text.slice(text.indexOf(end))}`;
  if (process.env.UPDATE_DOCS === '1') await writeFile(page, written);
  else assert.equal(text, written, 'UPDATE_DOCS=1 node --test research/propose-mapping.test.ts writes it');
});

test('every quantity of states lists them in its meaning', () => {
  for (const [id, { kind }] of Object.entries(QUANTITIES))
    if (kind === 'enum') assert.ok(statesOf(id as keyof typeof QUANTITIES).length > 1, id);
});
