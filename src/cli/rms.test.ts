import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RatedAsset, StoredRating } from '../monitoring/types.ts';
import { rmsCommand } from './rms.ts';

const MINT = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

function rated(id: string, symbol: string): RatedAsset {
  const asset = {
    id,
    chain: 'solana',
    address: null,
    symbol,
    name: `${symbol}\u001b[2J`,
    category: null,
    website: null,
  };
  return { asset, band: 'BBB', score: 66, trust: 70, asOf: '2026-05-01T00:00:00.000Z' };
}

function scene() {
  const out: string[] = [];
  const err: string[] = [];
  const kept = new Set<string>();
  const known = [rated(MINT, 'ONE'), rated('project:two.example', 'TWIN'), rated('project:three.example', 'TWIN')];
  const record = {
    asset: { id: MINT },
    band: 'BBB',
    score: 66,
    score_interval: [60, 70],
    trust_score: 70,
    as_of: '2026-05-01T00:00:00.000Z',
    rating_action: 'affirm',
    action_reason: 'nothing has changed',
    outlook: 'stable',
    watch: null,
    drivers: [{ name: 'Holders', points: -1.2 }],
    risk_flags: [{ severity: 'high', code: 'LP_UNLOCKED', detail: 'half\u001b[31m' }],
  };
  const stored = { record: Buffer.from(JSON.stringify(record)) } as unknown as StoredRating;
  const register = {
    add: async (id: string) => kept.add(id) !== undefined,
    remove: async (id: string) => kept.delete(id),
    list: async () =>
      [...kept].map((id) => ({
        asset: rated(id, 'ONE').asset,
        addedBy: 'cli',
        addedAt: '',
        wantedUntil: null,
        paused: false,
        dueAt: '2026-05-02T00:00:00.000Z',
        reason: 'usual',
        cadenceSeconds: 86_400,
        failures: 0,
        lastFailure: null,
      })),
  };
  const reader = {
    find: async (text: string) => {
      const candidates = known.filter(({ asset }) => asset.id === text || asset.symbol === text);
      return { meant: candidates.length === 1 ? (candidates[0] ?? null) : null, candidates };
    },
    latest: async () => stored,
    latestOf: async () => [stored],
    history: async () => ({ ratings: [stored, stored], nextCursor: null }),
  };
  const asked: unknown[] = [];
  const context = {
    config: { serviceUrl: null, serviceKey: null },
    terminal: {
      out: (line: string) => out.push(line),
      err: (line: string) => err.push(line),
      progress: () => undefined,
    },
    judgeUrl: async () => (url: string) => (url.startsWith('https://') ? null : 'expected https'),
    openRated: async () => ({ register, reader }),
    openScoring: async () => ({
      submit: async (request: unknown) => {
        asked.push(request);
        return { ok: true as const, joined: false, job: { id: 'j' } as never };
      },
      wait: async () => ({ id: 'j', state: 'succeeded' }) as never,
      report: async () => ({ published: { asset: known[0]?.asset } }) as never,
    }),
  };
  return { out, err, asked, kept, context, run: (...args: string[]) => rmsCommand.run(args, context) };
}

test('ratings are monitored, listed, shown and removed by the names that people write', async () => {
  const { out, err, kept, run } = scene();
  assert.equal(await run('add', 'ONE'), 0);
  assert.deepEqual([...kept], [MINT]);
  assert.equal(await run('list'), 0);
  assert.match(out.at(-2) ?? '', /^BAND {2}SCORE {2}TRUST {2}ACTION/);
  assert.match(
    out.at(-1) ?? '',
    /^BBB {4}66\.0 {3}70\.0 {2}affirm {8}solana:\S+ {2}ONE {2}next 2026-05-02T00:00:00.000Z \(usual\) {2}by cli$/,
  );
  assert.equal(await run('show', MINT), 0);
  assert.match(out.join('\n'), /BBB {2}66 \(60 to 70\) {2}trust 70/);
  assert.equal(await run('history', 'ONE', '--actions'), 0);
  assert.equal(await run('remove', 'ONE'), 0);
  assert.equal(await run('remove', 'ONE'), 1);
  assert.match(err.at(-1) ?? '', /was not kept up to date/);
  assert.ok(!out.join('\n').includes('\u001b'), 'no escape reaches the terminal');
});

test('an ambiguous or unknown name changes nothing, and the error states what to do', async () => {
  const { err, kept, run } = scene();
  assert.equal(await run('add', 'TWIN', 'NOPE', 'ONE'), 1);
  assert.deepEqual([...kept], [MINT]);
  assert.match(err[0] ?? '', /2 rated assets; choose one:\n {2}project:two.example/);
  assert.match(err[1] ?? '', /NOPE is not rated; assay score NOPE has it rated/);
  for (const args of [[], ['add'], ['add', 'ONE', '--project', 'x'], ['list', 'ONE'], ['show'], ['forget', 'ONE']])
    assert.equal(await run(...args), 64, args.join(' '));
});

test('a project that was never rated is rated first; an invalid request is not sent', async () => {
  const { err, asked, kept, run } = scene();
  assert.equal(await run('add', '--project', 'One', '--url', 'http://one.example/'), 64);
  assert.match(err[0] ?? '', /project_url: expected https/);
  assert.equal(asked.length, 0);
  assert.equal(await run('add', '--project', 'One', '--url', 'https://one.example/'), 0);
  assert.equal(asked.length, 1);
  assert.deepEqual([...kept], [MINT]);
});

test('the reason of a failed rating reaches the terminal without control characters', async () => {
  const { err, context } = scene();
  const failure = { code: 'project_not_identified', detail: 'no \u001b[2J', candidates: [], tried: [] };
  const failing = {
    submit: async () => ({ ok: true as const, joined: false, job: { id: 'j' } as never }),
    wait: async () => ({ id: 'j', state: 'failed', failure }) as never,
    report: async () => null as never,
  };
  const args = ['add', '--project', 'One', '--url', 'https://one.example/'];
  assert.equal(await rmsCommand.run(args, { ...context, openScoring: async () => failing }), 1);
  assert.deepEqual(err, ['project_not_identified: no ?[2J']);
});
