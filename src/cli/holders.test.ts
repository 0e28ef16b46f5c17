import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { CliContext } from './context.ts';
import { runCommand } from './run.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-holders-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function holders(rows: readonly string[], ...args: string[]) {
  const file = join(folder, 'holders.csv');
  await writeFile(file, ['address,amount', ...rows, ''].join('\n'));
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = {
    out: (line: string) => out.push(line),
    err: (line: string) => err.push(line),
    progress: () => undefined,
  };
  const context = { terminal, now: () => Date.parse('2026-01-01T00:00:00Z') } as unknown as CliContext;
  const code = await runCommand('holders', ['--csv', file, ...args], context);
  return { code, snapshot: JSON.parse(out.join('\n')), err: err.join('\n') };
}

const ADDRESS = '0xabcdefabcdefabcdefabcdefabcdefabcdefabcd';

test('amounts in wei with --decimals are warned of; whole tokens and wei without it are not', async () => {
  const wei = [`${ADDRESS},900000000000000000000`, 'b,100000000000000000000'];
  const wrong = await holders(wei, '--decimals', '18');
  assert.equal(wrong.code, 0);
  assert.match(
    wrong.err,
    /^warning: with --decimals 18 the amounts are whole tokens, 1000000000000000000000 in all, .*leave --decimals away$/,
  );
  assert.deepEqual(wrong.snapshot.warnings, [wrong.err.replace('warning: ', '')]);
  assert.equal((await holders(wei)).err, '');
  assert.equal((await holders(['a,900.5', 'b,100'], '--decimals', '18')).err, '');
});

test('addresses that differ in capital letters only are warned of: on EVM chains they are one holder', async () => {
  const twice = await holders([`${ADDRESS},5`, `${ADDRESS.toUpperCase().replace('0X', '0x')},7`]);
  assert.equal(twice.code, 0);
  assert.match(
    twice.err,
    /^warning: 1 address differs from another in capital letters only \(0xABC.*: on EVM chains they are one holder; write all in small letters$/,
  );
  assert.match(
    (await holders(['Abc,1', 'abc,2', 'ABC,3'])).err,
    /^warning: 2 addresses differ .*on Solana that is right/,
  );
  assert.equal((await holders([`${ADDRESS},5`, `${ADDRESS},7`])).err, '', 'the same letters are added up');
});
