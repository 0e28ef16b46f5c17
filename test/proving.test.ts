import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FacadeReply, FacadeRequest } from '../sandbox/facade.ts';
import { sandboxPanel } from '../sandbox/known-assets.ts';
import { type Sandbox, startSandbox } from '../sandbox/server.ts';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { sandboxResolver } from '../sandbox/settings.ts';
import { createEngine, type Engine } from '../src/compose/engine.ts';
import { adoptBundle, type Panel, type Proof, prove, withStated, writeBundle } from '../src/proving/index.ts';
import { SOURCES } from '../src/sources/index.ts';
import { checkReplies } from './replies/run.ts';
import { assay } from './support/command-line.ts';

/** What is planted into the replies of a source; null: nothing. */
type Plant = (reply: FacadeReply, request: FacadeRequest) => FacadeReply | null;
let plant: { readonly source: string; readonly change: Plant } | null = null;
let sandbox: Sandbox;
let engine: Engine;
let panel: Panel;
let folder: string;

before(async () => {
  const rewrite = (request: FacadeRequest, reply: FacadeReply) =>
    (plant !== null && plant.source === request.source ? plant.change(reply, request) : null) ?? reply;
  sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: Date.now, rewrite });
  engine = createEngine(serviceOnSandbox(sandbox, {}), sandboxResolver(sandbox));
  folder = await mkdtemp(join(tmpdir(), 'assay-prove-'));
  // What the endpoints state today is what a later run is held against.
  const clean = await run(sandboxPanel(sandbox.world));
  await writeBundle(join(folder, 'clean'), clean.readings, clean.findings, []);
  await adoptBundle(SOURCES, join(folder, 'clean'), join(folder, 'adopted'), []);
  panel = await withStated(sandboxPanel(sandbox.world), join(folder, 'adopted'));
});
after(async () => {
  await engine.close();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

function run(assets: Panel): Promise<Proof> {
  const tools = { book: engine.book, upstream: engine.upstream, now: Date.now, mostMs: 60_000 };
  return prove(tools, assets, engine.methodology);
}

/** Findings of a run with something planted into a source. */
async function withPlant(source: string, change: Plant) {
  plant = { source, change };
  try {
    return (await run(panel)).findings;
  } finally {
    plant = null;
  }
}

/** A reply whose JSON is changed in place. */
function edited(reply: FacadeReply, change: (json: Json) => void): FacadeReply {
  const json = structuredClone(reply.json) as Json;
  change(json);
  return { ...reply, json };
}
// biome-ignore lint/suspicious/noExplicitAny: replies of sources that a test changes by hand
type Json = any;

test('without a plant nothing is suspect or failed, and most endpoints are right', async () => {
  const { endpoints, findings } = await run(panel);
  assert.deepEqual(
    findings.map((row) => `${row.source}.${row.endpoint} ${row.asset}: ${row.text}`),
    [],
  );
  assert.ok(endpoints.filter((row) => row.verdict === 'right').length > 60);
  const keyed = endpoints.find((row) => row.source === 'etherscan');
  assert.match(keyed?.detail ?? '', /needs a key/);
});

const PLANTS: readonly {
  readonly error: string;
  readonly source: string;
  readonly change: Plant;
  readonly endpoint: string;
  readonly kind: string;
  readonly text: RegExp;
}[] = [
  {
    error: 'another unit: supply in base units',
    source: 'coingecko',
    change: (reply, { path }) =>
      /^\/coins\/[^/]+$/.test(path)
        ? edited(reply, (json) => {
            if (json.market_data) json.market_data.total_supply *= 1e9;
          })
        : null,
    endpoint: 'coin',
    kind: 'misstated',
    text: /total_supply is .* 10\^9 times/,
  },
  {
    error: 'the other side: a pool’s liquidity of one side only',
    source: 'dexscreener',
    change: (reply, { path }) =>
      path.startsWith('/token-pairs')
        ? edited(reply, (json) => {
            for (const pair of json) if (pair.liquidity) pair.liquidity.usd /= 2;
          })
        : null,
    endpoint: 'token_pairs',
    kind: 'disagreement',
    text: /pool_liquidity_usd of pool:.* half, as of one side only/,
  },
  {
    error: 'the other sign of the price changes',
    source: 'coinmarketcap',
    change: (reply, { path }) =>
      path.includes('quotes')
        ? edited(reply, (json) => {
            for (const row of Object.values<Json>(json.data).flat())
              for (const quote of row.quote ?? [])
                for (const name of Object.keys(quote)) if (name.startsWith('percent_change')) quote[name] *= -1;
          })
        : null,
    endpoint: 'quotes',
    kind: 'disagreement',
    text: /price_change_.*_pct is .*the sign is the other one/,
  },
  {
    error: 'a price of the other sign, which the adapter does not even state',
    source: 'coingecko',
    change: (reply, { path }) =>
      /^\/coins\/[^/]+$/.test(path)
        ? edited(reply, (json) => {
            if (json.market_data) json.market_data.current_price.usd *= -1;
          })
        : null,
    endpoint: 'coin',
    kind: 'missing',
    text: /no longer states price_usd/,
  },
  {
    error: 'stale figures',
    source: 'coinpaprika',
    change: (reply, { path }) =>
      path.startsWith('/tickers/')
        ? edited(reply, (json) => {
            json.last_updated = new Date(Date.now() - 40 * 3_600_000).toISOString();
          })
        : null,
    endpoint: 'ticker',
    kind: 'stale',
    text: /is of .*, 40 hours ago/,
  },
  {
    error: 'another asset',
    source: 'geckoterminal',
    change: (reply, { path }) => {
      if (!/\/tokens\/[^/]+$/.test(path)) return null;
      otherToken ??= reply.json;
      return { json: otherToken };
    },
    endpoint: 'token',
    kind: 'other_asset|misstated',
    text: /the reply is about|decimals is/,
  },
  {
    error: 'a renamed field',
    source: 'defillama',
    change: (reply, { path }) =>
      /^\/protocol\//.test(path)
        ? edited(reply, (json) => {
            json.auditLinks = json.audit_links;
            delete json.audit_links;
            json.marketCap = json.mcap;
            delete json.mcap;
            json.tvlHistory = json.tvl;
            delete json.tvl;
          })
        : null,
    endpoint: 'protocol',
    kind: 'missing|schema',
    text: /no longer states|does not fit its schema/,
  },
  {
    error: 'a changed enumeration',
    source: 'goplus',
    change: (reply, { path }) =>
      path.startsWith('/api/v1/token_security/')
        ? edited(reply, (json) => {
            for (const row of Object.values<Json>(json.result))
              row.is_honeypot = row.is_honeypot === '1' ? 'yes' : 'no';
          })
        : null,
    endpoint: 'token_security',
    kind: 'missing|schema',
    text: /no longer states|does not fit its schema/,
  },
  {
    error: 'HTML instead of JSON',
    source: 'rdap',
    change: (_reply, { path }) =>
      path.startsWith('/domain/')
        ? { text: '<!doctype html><title>Just a moment</title>', contentType: 'text/html' }
        : null,
    endpoint: 'domain',
    kind: 'schema',
    text: /a page or another kind of file instead of JSON/,
  },
];
let otherToken: unknown;

for (const { error, source, change, endpoint, kind, text } of PLANTS)
  test(`a planted error is found: ${error}`, async () => {
    otherToken = undefined;
    const findings = await withPlant(source, change);
    const hits = findings.filter((row) => row.source === source && row.endpoint === endpoint);
    const shown = findings.map((row) => `${row.source}.${row.endpoint} ${row.kind}: ${row.text}`).join('\n');
    assert.ok(
      hits.some((row) => new RegExp(kind).test(row.kind) && text.test(row.text)),
      shown || 'nothing was found',
    );
    const others = findings.filter((row) => row.source !== source && row.verdict === 'failed');
    assert.deepEqual(others, [], 'nobody else is called wrong');
  });

test('the command reports right, suspect and failed, records a bundle, and its tests pass', async () => {
  const config = { ...serviceOnSandbox(sandbox, {}), dataDir: folder };
  const [panelFile, bundle, adopted] = ['panel.json', 'bundle', 'tests'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  // A process of its own does not know the sandbox's names: sites and certificates are out of its reach.
  const off = Object.fromEntries(
    ['website', 'tls', 'third_parties', 'rdap'].map((name) => [`ASSAY_SOURCE_${name.toUpperCase()}_ENABLED`, 'false']),
  );
  await writeFile(panelFile, JSON.stringify(sandboxPanel(sandbox.world)));
  const clean = await assay(config, ['sources', 'prove', '--panel', panelFile, '--out', bundle, '--json'], off);
  assert.equal(clean.code, 0, clean.out + clean.err);
  const { counts, recorded } = JSON.parse(clean.out) as { counts: Proof['endpoints']; recorded: { replies: number } };
  assert.ok(recorded.replies > 100, JSON.stringify(counts));

  const taken = await assay(config, ['sources', 'adopt', bundle, '--out', adopted, '--panel', panelFile]);
  assert.equal(taken.code, 0, taken.err);
  assert.match(taken.out, /left out because it states nothing by itself/);
  const result = await checkReplies(adopted);
  assert.deepEqual(result.wrong, []);
  assert.ok(result.readings > 300, `${result.readings} readings`);
  assert.match(await readFile(panelFile, 'utf8'), /"states"/);

  plant = {
    source: 'goplus',
    change: (reply) => edited(reply, (json) => void Object.values<Json>(json.result).map((row) => delete row.holders)),
  };
  const spoiled = await assay(config, ['sources', 'prove', '--panel', panelFile], off).finally(() => {
    plant = null;
  });
  assert.equal(spoiled.code, 1);
  assert.match(spoiled.out, /^failed +goplus\.token_security .*(?:\n {9}.*)*no longer states [^\n]*top_holders/m);
});

test('a reply with a key of this installation is neither recorded nor adopted', async () => {
  const clean = await run(sandboxPanel(sandbox.world, ['tidewell']));
  const key = sandboxPanel(sandbox.world, ['tidewell']).assets[0]?.id.split(':').at(-1) ?? '';
  const out = join(folder, 'secret');
  const recorded = await writeBundle(out, clean.readings, clean.findings, [key]);
  assert.ok((recorded.left['it holds a key'] ?? 0) > 10, JSON.stringify(recorded));
  for (const file of await readdir(out, { recursive: true }))
    if (/\/.+\.(json|txt)$/.test(file))
      assert.doesNotMatch(await readFile(join(out, file), 'utf8'), new RegExp(key), file);
  const all = await writeBundle(join(folder, 'open'), clean.readings, clean.findings, []);
  const adopted = await adoptBundle(SOURCES, join(folder, 'open'), join(folder, 'open-tests'), [key]);
  assert.ok(adopted.replies < all.replies && (adopted.left['it holds a key'] ?? 0) > 0, JSON.stringify(adopted));
});

test('an adopted file cannot be outside of its folder, and a wrong reading is not adopted', async () => {
  const out = join(folder, 'hostile');
  const clean = await run(sandboxPanel(sandbox.world, ['tidewell']));
  await writeBundle(out, clean.readings, clean.findings, []);
  const rows = JSON.parse(await readFile(join(out, 'index.json'), 'utf8')) as Json[];
  await writeFile(join(out, 'index.json'), JSON.stringify(rows.map((row) => ({ ...row, verdict: 'suspect' }))));
  assert.equal((await adoptBundle(SOURCES, out, join(folder, 'none'), [])).replies, 0);
  await writeFile(join(out, 'index.json'), JSON.stringify([{ ...rows[0], file: '../../etc/passwd' }]));
  await assert.rejects(adoptBundle(SOURCES, out, join(folder, 'none'), []), /outside/);
});
