import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { SandboxAsset } from '../../sandbox/world/types.ts';
import { type TestService, testService } from '../support/service.ts';

/**
 * A caller's words find the asset and say nothing about it: rows 1, 2, 4, 6 and 13 of the attacks of decision 0022, each against
 * the whole service.
 */
interface Score {
  readonly status: number;
  readonly code: string | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly website: string | null;
  readonly match: number | null;
  readonly band: string | null;
  readonly score: number | null;
  readonly trust: number | null;
  readonly flags: readonly string[];
  readonly text: string;
}

let world: TestService;
before(async () => {
  world = await testService();
});
after(() => world.close());

const assetOf = (slug: string): SandboxAsset => {
  const found = world.sandbox.world.assets.find((asset) => asset.slug === slug);
  assert.ok(found, slug);
  return found;
};

async function score(words: Readonly<Record<string, string>>): Promise<Score> {
  const reply = await world.call('/v1/score', {
    json: { type: 'posttge', ...words },
    headers: { prefer: 'wait=25' },
  });
  const text = await reply.text();
  const body = JSON.parse(text) as {
    code?: string;
    asset?: { id: string; name: string; website: string | null; identification: { match: number } };
    rating?: { band: string; score: number | null };
    trust_score?: { score: number };
    risk_flags?: { code: string }[];
  };
  return {
    status: reply.status,
    code: body.code ?? null,
    id: body.asset?.id ?? null,
    name: body.asset?.name ?? null,
    website: body.asset?.website ?? null,
    match: body.asset?.identification.match ?? null,
    band: body.rating?.band ?? null,
    score: body.rating?.score ?? null,
    trust: body.trust_score?.score ?? null,
    flags: (body.risk_flags ?? []).map((flag) => flag.code).sort(),
    text,
  };
}

/** The world's market moves between two requests: by so much a score of one asset may differ. */
const MOVED = 1;

function assertSame(bent: Score, plain: Score, about: string): void {
  assert.equal(bent.status, 200, `${about}: ${bent.text.slice(0, 300)}`);
  for (const field of ['id', 'name', 'website', 'match', 'band'] as const)
    assert.equal(bent[field], plain[field], `${about}: ${field}`);
  assert.deepEqual(bent.flags, plain.flags, about);
  assert.ok(Math.abs((bent.score ?? -99) - (plain.score ?? -99)) <= MOVED, `${about}: ${bent.score} ${plain.score}`);
  assert.ok(Math.abs((bent.trust ?? -99) - (plain.trust ?? -99)) <= MOVED, `${about}: ${bent.trust} ${plain.trust}`);
}

describe('row 1: a url without a reply', () => {
  for (const slug of ['tidewell', 'gruffle']) {
    test(`of ${slug} is the same asset with the same match, and its site is not down`, async () => {
      const { name, symbol, url, domain } = assetOf(slug);
      const words = { project: name, token_symbol: symbol };
      const plain = await score({ ...words, project_url: url });
      assert.equal(plain.status, 200);
      for (const bent of [
        `https://no-such-name.${domain}/`,
        `https://${domain}/no/such/page`,
        `https://${domain}./`,
        `http://${domain.toUpperCase()}`,
      ]) {
        const found = await score({ ...words, project_url: bent });
        assertSame(found, plain, bent);
        for (const flag of ['WEBSITE_DOWN', 'IDENTITY_UNVERIFIED']) assert.ok(!found.flags.includes(flag), bent);
      }
    });
  }
});

test('row 2: no page that a caller names is published as the website', async () => {
  const { name, url, domain } = assetOf('quillpond');
  for (const page of [`${url}claim-your-airdrop?ref=evil`, `https://app.${domain}/drain#now`]) {
    const found = await score({ project: name, project_url: page });
    assert.equal(found.website, url, page);
    const published = await world.call(`/v1/rms/${encodeURIComponent(found.id ?? '')}`);
    assert.equal(published.status, 200);
    const record = await published.text();
    assert.ok(record.includes(url) && !/airdrop|drain/.test(record), record.slice(0, 300));
  }
});

describe('row 4: what a caller calls a project before its token', () => {
  const CLAIM = 'Guaranteed by the Central Bank';

  test('that a registry lists is not its name', async () => {
    const { name, url, domain } = assetOf('greyharbor');
    for (const type of ['posttge', 'pretge']) {
      const found = await score({ type, project: CLAIM, project_url: url });
      assert.equal(found.id, `project:${domain}`);
      assert.equal(found.name, name);
      assert.equal(found.website, url);
    }
  });

  test('that only its own site names is not its name either', async () => {
    const { name, url } = assetOf('alderline');
    // Part of the title: the words find the project, and the name stays the site's.
    const found = await score({ type: 'pretge', project: name.slice(0, 5), project_url: url });
    assert.equal(found.status, 200, found.text.slice(0, 300));
    assert.equal(found.name, name);
  });
});

describe('row 6: a healthy site’s pages that show what a visitor sent', () => {
  for (const victim of ['gruffle', 'tidewell'])
    for (const thief of ['loosewire', 'stickytrap', 'levypaw'])
      test(`give ${thief} nothing of ${victim}`, async () => {
        const healthy = assetOf(victim);
        const scam = assetOf(thief);
        for (const page of [
          `${healthy.url}search?q=${scam.address}`,
          `${healthy.url}forum/${scam.address}`,
          `${healthy.url}go?to=${encodeURIComponent(scam.url)}`,
        ]) {
          const found = await score({
            project: scam.name,
            project_url: page,
            token_address: scam.address,
            blockchain: scam.chain ?? '',
          });
          // Either the words identify nothing, or they lead to the scam as it is: never with the healthy project's site.
          assert.ok([200, 409, 422].includes(found.status), found.text.slice(0, 300));
          assert.notEqual(found.website, healthy.url, page);
          if (found.status === 200) assert.equal(found.website, scam.url, page);
        }
      });
});

describe('row 13: honest links to pages of a project', () => {
  test('give the rating that the plain url gives', async () => {
    const { name, url } = assetOf('wobblepup');
    const plain = await score({ project: name, project_url: url });
    for (const path of ['token.json', 'docs', 'tokenomics?tab=vesting#cliff'])
      assertSame(await score({ project: name, project_url: `${url}${path}` }), plain, path);
  });

  test('rate projects before their token', async () => {
    for (const slug of ['alderline', 'corvid-ledger', 'fallowby', 'greyharbor']) {
      const { name, url } = assetOf(slug);
      const plain = await score({ type: 'pretge', project: name, project_url: url });
      const linked = await score({ type: 'pretge', project: name, project_url: `${url}token.json` });
      assertSame(linked, plain, slug);
      assert.notEqual(linked.band, 'NR', slug);
    }
  });
});
