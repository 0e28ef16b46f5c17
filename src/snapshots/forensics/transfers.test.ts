import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clusterByFunder, type HoldingOwner } from './clusters.ts';
import { type CreatorLink, creatorLinks, drainOf, gainers, judge, judgePool, poolEffect } from './pool-effect.ts';
import type { SolanaHistory } from './solana/history.ts';
import { findDrops, findPoolDrains, type Held } from './solana/pool-drains.ts';
import type { BalanceChange, ChainTransaction, Drain, Funding, PoolFinding, WatchedPool } from './types.ts';

const pool: WatchedPool = {
  address: 'pool',
  dex: 'somewhere',
  base: 'TOKEN',
  quote: 'COIN',
  baseDecimals: 6,
  quoteDecimals: 9,
  accounts: new Set(['base-vault', 'quote-vault']),
  owners: new Set(['authority']),
};
const MONEY = new Set(['COIN', 'native']);

function change(account: string, owner: string, asset: string, amount: bigint): BalanceChange {
  return { account, owner, asset, before: null, amount };
}
function transaction(...changes: readonly BalanceChange[]): ChainTransaction {
  return { id: 'one', height: 1, at: '2025-01-01T00:00:00.000Z', signers: ['rugger'], changes };
}
function poolMoves(base: bigint, quote: bigint): readonly BalanceChange[] {
  return [change('base-vault', 'authority', 'TOKEN', base), change('quote-vault', 'authority', 'COIN', quote)];
}

test('the kind of a pool’s transaction follows from the signs of its reserve changes alone', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
      fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
      (base, quote) => {
        const { kind, baseOut, quoteOut } = poolEffect(transaction(...poolMoves(base, quote)), pool);
        assert.deepEqual([baseOut, quoteOut], [-base, -quote]);
        const expected =
          base === 0n && quote === 0n
            ? 'none'
            : base <= 0n && quote <= 0n
              ? 'removal'
              : base >= 0n && quote >= 0n
                ? 'addition'
                : quote < 0n
                  ? 'sale'
                  : 'purchase';
        assert.equal(kind, expected);
      },
    ),
  );
});

test('a vault of another pool in the same transaction changes nothing', () => {
  const other = change('other-vault', 'authority', 'COIN', -(10n ** 9n));
  assert.equal(poolEffect(transaction(other), pool).kind, 'none');
});

test('liquidity that leaves unwrapped is found with its recipient, and the owner of the returned liquidity tokens', () => {
  const drain = drainOf(
    transaction(
      ...poolMoves(-500n, -1_000_000n),
      change('lp-account', 'rugger', 'LP', -77n),
      change('rugger', 'rugger', 'native', 995_000n),
      change('tip', 'validator', 'native', 5_000n),
    ),
    pool,
    1_000_500n,
    MONEY,
  );
  assert.equal(drain?.kind, 'removal');
  assert.equal(drain?.liquidityOwner, 'rugger');
  assert.deepEqual(drain?.recipients, [{ address: 'rugger', asset: 'native', amount: 995_000n, presumed: false }]);
  assert.equal(drain?.shareTaken, 0.9995);
});

test('a purchase, an addition and an untouched pool are no drains', () => {
  for (const moves of [poolMoves(-5n, 9n), poolMoves(5n, 9n), poolMoves(-5n, 0n), []])
    assert.equal(drainOf(transaction(...moves), pool, 100n, MONEY), null);
});

test('gains never exceed losses, and the pool never counts as gaining', () => {
  const owners = fc.constantFrom('a', 'b', 'c', 'authority');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(owners, owners, fc.bigInt({ min: 1n, max: 10n ** 18n })), { maxLength: 12 }),
      (moves) => {
        const changes = moves.flatMap(([from, to, amount]) => [
          change(from, from, 'COIN', -amount),
          change(to, to, 'native', amount),
        ]);
        const gained = gainers(transaction(...changes), MONEY, pool.owners);
        const total = moves.reduce((sum, [, , amount]) => sum + amount, 0n);
        assert.ok(gained.reduce((sum, one) => sum + one.amount, 0n) <= total);
        assert.ok(gained.every((one) => one.amount > 0n && one.address !== 'authority'));
      },
    ),
  );
});

/** The balances that a list of changes leaves behind; never below nothing. */
function history(changes: readonly number[]): readonly Held[] {
  let held = 0n;
  return changes.map((step) => {
    const before = held;
    held = held + BigInt(step) < 0n ? 0n : held + BigInt(step);
    return { before, after: held };
  });
}

test('one drop in ten thousand quiet transactions is found with few looks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 3, max: 10_000 }),
      fc.nat(),
      fc.integer({ min: 0, max: 80 }),
      async (count, place, keptPct) => {
        const at = 1 + (place % (count - 1));
        const full = 1_000_000n;
        const rest = (full * BigInt(keptPct)) / 100n;
        const probe = async (index: number): Promise<Held> =>
          index < at
            ? { before: full, after: full }
            : index === at
              ? { before: full, after: rest }
              : { before: rest, after: rest };
        const drops = await findDrops({ count, probe, leastShare: 0.05, mostProbes: 60 });
        assert.deepEqual(drops.found, [{ index: at, drop: full - rest, before: full }]);
        assert.ok(drops.complete);
        assert.ok(drops.probes <= 13 + Math.ceil(Math.log2(count)), `${drops.probes} looks at ${count}`);
      },
    ),
  );
});

test('every reported drop happened, and with enough reads no visible drop is missed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: -1_000, max: 1_000 }), { maxLength: 300 }), async (changes) => {
      const held = history(changes);
      const probe = async (index: number) => held[index] ?? null;
      const drops = await findDrops({ count: held.length, probe, leastShare: 0.05, mostProbes: 1_000 });
      for (const { index, drop, before } of drops.found) {
        assert.equal(before, held[index]?.before);
        assert.equal(drop, (held[index]?.before ?? 0n) - (held[index]?.after ?? 0n));
      }
      assert.ok(drops.complete);
      assert.equal(drops.unseen, 0);
    }),
  );
});

test('a pool whose newest transaction cannot be read holds what its account holds, and is not drained', async () => {
  const rows = Array.from({ length: 40 }, (_, index) => ({
    signature: `tx${39 - index}`,
    slot: 39 - index,
    at: null,
    failed: false,
  }));
  const history = {
    signatures: async () => ({ ok: true, value: rows }),
    async transaction(signature: string) {
      if (signature === 'tx39') return { ok: false, reason: 'unreachable', detail: 'away' };
      const change = { account: 'vault', owner: 'pool', asset: pool.quote, before: 1_000n, amount: 0n };
      return { ok: true, value: { id: signature, height: 1, at: null, signers: [], changes: [change] } };
    },
  } as unknown as SolanaHistory;
  const searched = await findPoolDrains({
    history,
    pool,
    quoteVault: 'vault',
    held: 990n,
    money: new Set([pool.quote]),
    mostPages: 1,
    mostTransactions: 60,
    mostDrains: 8,
  });
  assert.ok(searched.ok);
  const { finding } = searched.value;
  assert.deepEqual([finding.peak, finding.now], [1_000n, 990n]);
  assert.equal(judge([finding], [judgePool(finding, [])]), 'no_drain_seen');
});

test('an incomplete history ends the search, is reported, and never exceeds the limit of reads', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: -1_000, max: 1_000 }), fc.boolean()), { maxLength: 200 }),
      fc.integer({ min: 0, max: 40 }),
      async (rows, mostProbes) => {
        const held = history(rows.map(([step]) => step));
        let looks = 0;
        const probe = async (index: number) => {
          looks += 1;
          return rows[index]?.[1] ? (held[index] ?? null) : null;
        };
        const drops = await findDrops({ count: held.length, probe, leastShare: 0.05, mostProbes });
        assert.ok(looks <= mostProbes);
        assert.equal(drops.probes, looks);
      },
    ),
  );
});

function funding(wallet: string, funder: string, at = '2025-01-01T00:00:00.000Z'): readonly [string, Funding] {
  return [wallet, { wallet, funder, transaction: `${funder}>${wallet}`, at, amount: 1n }];
}

/** Of wallets that nothing connects no two had one payer. */
const STRANGERS = { wallets: 1_000, paid: new Map<string, number>(), basis: 'own_searches' } as const;
const clustersOf = (
  owners: readonly HoldingOwner[],
  fundings: ReadonlyMap<string, Funding>,
  services: ReadonlySet<string>,
) => clusterByFunder(owners, fundings, services, STRANGERS).clusters;

test('owners whom one wallet paid first are one cluster, and an exchange makes none', () => {
  const owners = ['a', 'b', 'c', 'd'].map((address, index) => ({ address, sharePct: 10 - index }));
  const fundings = new Map([funding('a', 'x'), funding('b', 'x'), funding('c', 'exchange'), funding('d', 'exchange')]);
  const clusters = clustersOf(owners, fundings, new Set(['exchange']));
  assert.equal(clusters.length, 1);
  assert.equal(clusters[0]?.funder, 'x');
  assert.deepEqual(
    clusters[0]?.members.map((member) => member.address),
    ['a', 'b'],
  );
  assert.equal(clusters[0]?.sharePct, 19);
  assert.equal(clustersOf(owners, fundings, new Set(['exchange', 'x'])).length, 0);
});

test('a payer of one member only is not the payer of its cluster, whatever the payers are called', () => {
  const owners = ['m', 'n', 'o'].map((address) => ({ address, sharePct: 5 }));
  // Somebody paid m, which paid n.
  for (const outside of ['a', 'z'])
    assert.equal(clustersOf(owners, new Map([funding('m', outside), funding('n', 'm')]), new Set())[0]?.funder, null);
  const same = ['m', 'n', 'o'].map((wallet, at) => {
    const [key, paid] = funding(wallet, `payer${at}`);
    return [key, { ...paid, amount: 123_456_789_012_345n }] as const;
  });
  const [cluster] = clustersOf(owners, new Map(same), new Set());
  assert.deepEqual([cluster?.members.length, cluster?.funder], [3, null]);
});

test('a holder that paid two others is in one cluster with them, with more confidence than a common funder outside', () => {
  const owners = ['a', 'b', 'x'].map((address) => ({ address, sharePct: 5 }));
  const later = '2025-03-01T00:00:00.000Z';
  const inside = clustersOf(owners, new Map([funding('a', 'x'), funding('b', 'x', later)]), new Set());
  assert.deepEqual(
    inside[0]?.members.map((member) => member.address),
    ['a', 'b', 'x'],
  );
  const outside = clustersOf(owners.slice(0, 2), new Map([funding('a', 'x'), funding('b', 'x', later)]), new Set());
  assert.ok((inside[0]?.confidence ?? 0) > (outside[0]?.confidence ?? 1));
});

test('clusters are disjoint, complete, and independent of the order of owners', () => {
  const names: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
  const funders = fc.constantFrom('a', 'b', 'x', 'y', 'exchange');
  fc.assert(
    fc.property(fc.uniqueArray(names), fc.array(fc.tuple(names, funders)), fc.nat(), (addresses, pairs, seed) => {
      const owners = addresses.map((address, index) => ({ address, sharePct: index + 1 }));
      const fundings = new Map(pairs.map(([wallet, funder]) => funding(wallet, funder)));
      const services = new Set(['exchange']);
      const clusters = clustersOf(owners, fundings, services);
      const members = clusters.flatMap((cluster) => cluster.members.map((member) => member.address));
      assert.equal(new Set(members).size, members.length);
      assert.ok(clusters.every((cluster) => cluster.members.length > 1 && cluster.confidence <= 0.95));
      const clusterOf = (address: string) =>
        clusters.find((one) => one.members.some((member) => member.address === address));
      for (const [wallet, { funder }] of fundings)
        for (const [other, second] of fundings)
          if (
            wallet !== other &&
            funder === second.funder &&
            funder !== 'exchange' &&
            funder !== wallet &&
            funder !== other
          )
            if (addresses.includes(wallet) && addresses.includes(other))
              assert.equal(clusterOf(wallet), clusterOf(other));
      const turned = [...owners].sort((a, b) => ((a.sharePct * 7 + seed) % 5) - ((b.sharePct * 7 + seed) % 5));
      assert.deepEqual(clustersOf(turned, fundings, services), clusters);
    }),
  );
});

function drain(actor: string, recipient: string, changes: Partial<Drain> = {}): Drain {
  return {
    pool: 'pool',
    dex: 'somewhere',
    kind: 'removal',
    basis: 'balances',
    transaction: 'one',
    height: 1,
    at: null,
    actor,
    liquidityOwner: null,
    base: 'TOKEN',
    quote: 'COIN',
    baseAmount: 1n,
    quoteAmount: 1n,
    quoteBefore: 1n,
    shareTaken: 1,
    recipients: [{ address: recipient, asset: 'COIN', amount: 1n, presumed: false }],
    ...changes,
  };
}

test('links to the creator: the creator itself, its first payees, a common funder that is not an exchange', () => {
  const of = (fundings: readonly (readonly [string, Funding])[], services: readonly string[] = []) =>
    creatorLinks('maker', [drain('actor', 'taker')], [], new Map(fundings), new Set(services)).map((link) => link.how);
  assert.deepEqual(
    creatorLinks('maker', [drain('maker', 'maker')], [], new Map(), new Set()).map((link) => link.how),
    ['is_creator'],
  );
  assert.deepEqual(of([funding('actor', 'maker')]), ['funded_by_creator']);
  assert.deepEqual(of([funding('maker', 'actor')]), ['funded_creator']);
  assert.deepEqual(of([funding('actor', 'x'), funding('maker', 'x')]), ['common_funder']);
  assert.deepEqual(of([funding('actor', 'x'), funding('maker', 'x')], ['x']), []);
  assert.deepEqual(of([]), []);
  assert.deepEqual(creatorLinks(null, [drain('a', 'b')], [], new Map(), new Set()), []);
});

function found(drains: readonly Drain[], peak: bigint, now: bigint): PoolFinding {
  return { pool, peak, now, drains, listed: 9, examined: 3, since: null };
}
const LINKED: readonly CreatorLink[] = [
  { wallet: 'maker', role: 'actor', how: 'is_creator', transaction: null, confidence: 0.98 },
];
const hour = (hours: number) => new Date(Date.parse('2025-01-01T00:00:00Z') + hours * 3_600_000).toISOString();

test('ninety per cent in a day by linked wallets is the most severe verdict; slower, or by others, is less', () => {
  const half = (actor: string, hours: number, before: bigint) =>
    drain(actor, actor, { at: hour(hours), quoteBefore: before, quoteAmount: before === 1_000n ? 500n : 440n });
  const say = (...drains: readonly Drain[]) => {
    const finding = found(drains, 1_000n, 50n);
    return judge([finding], [judgePool(finding, LINKED)]);
  };
  assert.equal(say(half('maker', 0, 1_000n), half('maker', 23, 500n)), 'drained_by_linked_wallets');
  assert.equal(say(half('maker', 0, 1_000n), half('maker', 25, 500n)), 'drained');
  assert.equal(say(half('maker', 0, 1_000n), half('stranger', 1, 500n)), 'drained');
  assert.equal(say(drain('maker', 'maker', { at: hour(0), quoteBefore: 90n, quoteAmount: 90n })), 'drained');
  const little = found([half('maker', 0, 1_000n)], 1_000n, 500n);
  assert.equal(judge([little], [judgePool(little, LINKED)]), 'large_removals');
  const quiet = found([], 1_000n, 900n);
  assert.equal(judge([quiet], [judgePool(quiet, LINKED)]), 'no_drain_seen');
  assert.equal(judge([], []), 'not_seen');
});

test('liquidity that is moved is not removed several times', () => {
  const half = (hours: number) => drain('maker', 'maker', { at: hour(hours), quoteBefore: 1_000n, quoteAmount: 500n });
  const moved = found([half(0), half(2), half(4)], 1_000n, 1_000n);
  assert.equal(judgePool(moved, LINKED).removedByLinkedWithinDay, 0.5);
  assert.equal(judge([moved], [judgePool(moved, LINKED)]), 'large_removals');
  const last = drain('maker', 'maker', { at: hour(5), quoteBefore: 500n, quoteAmount: 480n });
  assert.equal(judgePool(found([half(0), half(2), last], 1_000n, 20n), LINKED).removedByLinkedWithinDay, 0.98);
});

test('shares are between 0 and 1, linked ones never above the total', () => {
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 20n });
  const row = fc.tuple(fc.constantFrom('maker', 'stranger'), fc.integer({ min: 0, max: 90 }), amounts, amounts);
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), amounts, amounts, (rows, peak, now) => {
      const drains = rows.map(([actor, hours, taken, left], index) =>
        drain(actor, actor, { at: hour(hours), height: index, quoteAmount: taken, quoteBefore: taken + left }),
      );
      const verdict = judgePool(found(drains, peak, now), LINKED);
      for (const share of Object.values(verdict)) assert.ok(share >= 0 && share <= 1, String(share));
    }),
  );
});
