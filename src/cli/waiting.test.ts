import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waiting } from './context.ts';

test('a waiting caller sees the reason and the time, and the terminal line is cleared', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const lines: string[] = [];
  const terminal = { progress: (line: string) => void lines.push(line) };
  let day = 'solana 2026-11-19';
  const value = await waiting(
    terminal,
    () => day,
    async () => {
      context.mock.timers.tick(1_000);
      day = 'solana 2026-11-20';
      context.mock.timers.tick(1_000);
      return 7;
    },
  );
  assert.equal(value, 7);
  assert.match(lines.join('\n'), /^solana 2026-11-19, \d+ s\nsolana 2026-11-20, \d+ s\n$/);
  await assert.rejects(
    waiting(
      terminal,
      () => '',
      () => Promise.reject(new Error('x')),
    ),
    /x/,
  );
  context.mock.timers.tick(10_000);
  assert.equal(lines.length, 4, 'it goes on after its work');
});
