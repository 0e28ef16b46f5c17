import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccessService, type ApiKey, loadPlans } from '../access/index.ts';
import type { CliContext } from './context.ts';
import { keysCommand } from './keys.ts';

type NewApiKey = Parameters<AccessService['create']>[0];

const NOW = Date.parse('2026-05-01T00:00:00.000Z');

/** Runs `assay keys` with a register that only notes what it is asked for. */
async function keys(...args: string[]) {
  const [made, rotated, out, err]: [NewApiKey[], number[], string[], string[]] = [[], [], [], []];
  const access = {
    async create(key: NewApiKey) {
      made.push(key);
      return { key: { ...key, id: 'key_1', prefix: 'ak_live_x', revokedAt: null } as unknown as ApiKey, secret: 's' };
    },
    async rotate(_id: string, overlap: number) {
      rotated.push(overlap);
      return { ok: false as const, code: 'key_not_found' as const };
    },
  };
  const context = {
    now: () => NOW,
    plans: async () => loadPlans(null),
    openAccess: async () => access,
    terminal: { out: (text: string) => out.push(text), err: (text: string) => err.push(text) },
  } as unknown as CliContext;
  const code = await keysCommand.run(args, context);
  return { code, made, rotated, err: err.join('\n') };
}

test('a key is made by the rules of the API', async () => {
  const { code, made } = await keys(
    ...['create', '--name', ' desk ', '--scopes', 'score, chain:read', '--plan', 'CHAIN-1500'],
    ...['--expires-days', '1.5', '--ips', '10.0.0.0/8'],
  );
  assert.equal(code, 0);
  assert.deepEqual(made, [
    {
      name: 'desk',
      accountId: null,
      scopes: ['score', 'chain:read'],
      plan: 'CHAIN-1500',
      expiresAt: '2026-05-02T12:00:00.000Z',
      allowedIps: ['10.0.0.0/8'],
    },
  ]);
});

test('what no key can have is refused with what is expected, and no key is made', async () => {
  for (const [args, said] of [
    [['--name', 'a', '--plan', 'RATNG'], /^--plan: expected one of .*RATING, .*did you mean RATING\?$/],
    [['--name', 'a', '--plan', 'rating'], /^--plan: /],
    [['--name', 'a\u001b[2J'], /^--name: expected/],
    [['--name', 'a', '--scopes', 'score,rms:raed'], /^--scopes: expected .*did you mean rms:read\?$/],
    [['--name', 'a', '--ips', '10.0.0.0/33'], /^--ips: expected an IP address or CIDR range/],
    [['--name', 'a', '--account', 'desk'], /^--account: expected/],
    [['--name', 'a', '--expires-days', '1e300'], /^--expires-days must be a number of days above 0 and at most 36500$/],
    [['--name', 'a', '--expires-days', 'soon'], /^--expires-days must be/],
    [[], /^--name is required$/],
  ] as const) {
    const { code, made, err } = await keys('create', ...args);
    assert.equal(code, 64, args.join(' '));
    assert.match(err, said);
    assert.deepEqual(made, []);
  }
  for (const overlap of ['1e300', '-1', '1.5', 'day']) {
    const { code, rotated, err } = await keys('rotate', 'key_1', `--overlap-seconds=${overlap}`);
    assert.equal(code, 64, overlap);
    assert.match(err, /^--overlap-seconds: expected/);
    assert.deepEqual(rotated, []);
  }
  assert.deepEqual((await keys('rotate', 'key_1')).rotated, [86_400]);
});
