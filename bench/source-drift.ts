/**
 * `node bench/source-drift.ts [--seed 1] [--days 30] [--json]`: canaries are read every hour of 30 sandbox days; ten errors are planted in the
 * replies of ten sources, each for half a day to a day and a half. Prints the time to detection of each, the time until the source has its weight back, and every
 * alarm without an error. Also planted, without being drift: lost replies (1 in 100) and broken ones (1 in 5,000). Deterministic by the seed.
 */
import { parseArgs } from 'node:util';
import { driveSource, factsOf, type Rewrite } from '../sandbox/drive.ts';
import type { FacadeReply } from '../sandbox/facade.ts';
import { sandboxPanel } from '../sandbox/known-assets.ts';
import { createScene } from '../sandbox/scene.ts';
import { seededUnit } from '../sandbox/world/random.ts';
import { createWorld } from '../sandbox/world/world.ts';
import { loadMethodology } from '../src/methodology/index.ts';
import { type DriftState, NEVER_READ, stepDrift } from '../src/proving/drift.ts';
import type { Reading } from '../src/proving/request-panel.ts';
import { signalsOf } from '../src/proving/signals.ts';
import { SOURCES } from '../src/sources/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies of sources, changed as a source might change them
type Reply = any;
interface Mistake {
  readonly name: string;
  readonly source: string;
  readonly path: RegExp;
  /** `first` is that of the same request; default: of any. */
  readonly firstOfRequest?: boolean;
  /** The changed JSON, or a reply of another kind. `first`: the reply when the error began. */
  readonly change: (json: Reply, first: Reply) => Reply | FacadeReply;
}

const HOUR_MS = 3_600_000;
const changed = (json: Reply, change: (json: Reply) => void) => {
  change(json);
  return json;
};

const MISTAKES: readonly Mistake[] = [
  {
    name: 'unit: supply a thousand times',
    source: 'coingecko',
    path: /^\/coins\/[^/]+$/,
    change: (json) =>
      changed(json, ({ market_data: data }) => {
        if (data) data.total_supply *= 1000;
      }),
  },
  {
    name: 'side: liquidity of one side',
    source: 'dexscreener',
    path: /^\/token-pairs/,
    change: (json) =>
      changed(json, (rows) =>
        rows.forEach((row: Reply) => {
          if (row.liquidity) row.liquidity.usd /= 2;
        }),
      ),
  },
  {
    name: 'sign: price changes turned round',
    source: 'coinmarketcap',
    path: /quotes/,
    change: (json) =>
      changed(json, ({ data }) => {
        for (const row of Object.values<Reply>(data).flat())
          for (const quote of row.quote ?? [])
            for (const name of Object.keys(quote)) if (name.startsWith('percent_change')) quote[name] *= -1;
      }),
  },
  {
    name: 'stale: figures of when it began',
    source: 'coinpaprika',
    path: /^\/tickers\//,
    firstOfRequest: true,
    change: (_json, first) => first,
  },
  {
    name: 'other asset: always the first one',
    source: 'geckoterminal',
    path: /\/tokens\/[^/]+$/,
    change: (_json, first) => first,
  },
  {
    name: 'renamed field: tvl',
    source: 'defillama',
    path: /^\/protocol\//,
    change: (json) =>
      changed(json, (row) => {
        row.tvlHistory = row.tvl;
        row.chainTvlHistory = row.chainTvls;
        row.currentChainTvls = undefined;
        row.tvl = undefined;
        row.chainTvls = undefined;
      }),
  },
  {
    name: 'enumeration: yes and no for 1 and 0',
    source: 'goplus',
    path: /token_security/,
    change: (json) =>
      changed(json, ({ result }) => {
        for (const row of Object.values<Reply>(result ?? {}))
          for (const name of ['is_honeypot', 'is_mintable', 'is_proxy'])
            if (row[name] !== undefined) row[name] = row[name] === '1' ? 'yes' : 'no';
      }),
  },
  {
    name: 'HTML instead of JSON',
    source: 'rdap',
    path: /^\/domain\//,
    change: () => ({ text: '<!doctype html><title>Just a moment</title>', contentType: 'text/html' }),
  },
  {
    name: 'price 3 % too high',
    source: 'dexpaprika',
    path: /\/tokens\/[^/]+$/,
    change: (json) =>
      changed(json, ({ summary }) => {
        if (summary) summary.price_usd *= 1.03;
      }),
  },
  {
    name: 'books twice as deep',
    source: 'binance',
    path: /depth/,
    change: (json) =>
      changed(json, (book) => {
        for (const side of [book.bids, book.asks]) for (const row of side) row[1] = String(2 * Number(row[1]));
      }),
  },
];

interface Planted {
  readonly mistake: Mistake;
  readonly from: number;
  readonly until: number;
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    days: { type: 'string', default: '30' },
    json: { type: 'boolean' },
  },
});
const seed = Number(values.seed);
const hours = 24 * Number(values.days);
const anchor = Date.UTC(2026, 5, 1);
const world = createWorld({ seed, anchor });
const panel = sandboxPanel(world);
const methodology = loadMethodology();
const sources = SOURCES.filter(({ name }) => name !== 'tls');
const planted = MISTAKES.map((mistake, index): Planted => {
  // The first two days are for learning the normal values.
  const from = 48 + Math.floor(seededUnit(seed, 'from', index) * Math.max(1, hours - 48 - 72));
  return { mistake, from, until: from + 12 + Math.floor(seededUnit(seed, 'length', index) * 24) };
});

const states = new Map<string, DriftState>();
const firsts = new Map<string, Reply>();
const began: { readonly source: string; readonly hour: number; readonly channel: string; readonly text: string }[] = [];
const weighed: { readonly source: string; readonly hour: number; readonly weight: number }[] = [];

for (let hour = 0; hour < hours; hour += 1) {
  const at = new Date(anchor + hour * HOUR_MS).toISOString();
  const readings = readingsAt(hour);
  const signals = signalsOf(readings, methodology, (source) => states.get(source) ?? NEVER_READ);
  for (const [source, signal] of signals) {
    const step = stepDrift(states.get(source) ?? NEVER_READ, signal, at);
    states.set(source, step.state);
    for (const { channel, text } of step.began) began.push({ source, hour, channel, text });
    weighed.push({ source, hour, weight: step.weight });
  }
}

function readingsAt(hour: number): readonly Reading[] {
  const scene = createScene(world, anchor + hour * HOUR_MS, () => 1);
  return sources.flatMap((source) => {
    const rewrite = rewriteOf(
      planted.find((row) => row.mistake.source === source.name && hour >= row.from && hour < row.until),
    );
    return panel.assets.flatMap((asset) => {
      const found = world.assets.find((row) => row.name === asset.name);
      if (found === undefined) return [];
      return driveSource(source, factsOf(found), scene, rewrite).flatMap((driven, index): readonly Reading[] => {
        const endpoint = source.endpoints.find((row) => row.name === driven.endpoint);
        const luck = seededUnit(seed, 'luck', source.name, asset.name, hour, index);
        if (endpoint === undefined) return [];
        const isLost = luck < 0.01;
        const isBroken = !isLost && luck < 0.0102;
        const record = {
          id: `${source.name}.${driven.endpoint}`,
          source: source.name,
          endpoint: driven.endpoint,
          params: driven.params,
          outcome: isLost ? 'timeout' : isBroken ? 'malformed' : driven.outcome,
          method: 'GET',
          url: '',
          status: driven.status,
          fetchedAt: new Date(scene.now).toISOString(),
          milliseconds: 1,
          headers: {},
          sha256: null,
          bytes: driven.body.byteLength,
          detail: isBroken ? 'expected JSON, got something else' : driven.detail,
          fromCache: false,
        } as Reading['answer']['record'];
        const { reply, learned } = driven;
        const body = isLost ? null : driven.body;
        const observations = isLost || isBroken ? [] : driven.observations;
        return [
          { asset, source, endpoint, at: record.fetchedAt, answer: { record, reply, observations, learned, body } },
        ];
      });
    });
  });
}

function rewriteOf(planting: Planted | undefined): Rewrite {
  return (request, reply) => {
    if (planting === undefined || !planting.mistake.path.test(request.path) || reply.json === undefined) return reply;
    const { mistake } = planting;
    const key = `${mistake.name} ${mistake.firstOfRequest === true ? request.path : ''}`;
    if (!firsts.has(key)) firsts.set(key, structuredClone(reply.json));
    const made = mistake.change(structuredClone(reply.json), firsts.get(key));
    return typeof made?.text === 'string' ? made : { ...reply, json: made };
  };
}

/** The end of a drift is detected a few hours late: alarms until then belong to it. */
const AFTER_HOURS = 6;
const rows = planted.map(({ mistake, from, until }) => {
  const own = began.filter((row) => row.source === mistake.source && row.hour >= from && row.hour < until);
  const [first] = own;
  const lowest = Math.min(
    1,
    ...weighed
      .filter((row) => row.source === mistake.source && row.hour >= from && row.hour < until)
      .map(({ weight }) => weight),
  );
  const back = weighed.find((row) => row.source === mistake.source && row.hour >= until && row.weight === 1);
  return {
    mistake: mistake.name,
    source: mistake.source,
    hours: until - from,
    delay_hours: first === undefined ? null : first.hour - from + 1,
    lowest_weight: lowest,
    back_after_hours: back === undefined ? null : back.hour - until + 1,
    what_changed: first === undefined ? null : first.text,
  };
});
const falseAlarms = began.filter(
  (row) =>
    !planted.some(
      ({ mistake, from, until }) => mistake.source === row.source && row.hour >= from && row.hour < until + AFTER_HOURS,
    ),
);
const readings = weighed.length;
if (values.json) process.stdout.write(`${JSON.stringify({ seed, hours, readings, rows, falseAlarms })}\n`);
else {
  const cut = (text: string | null) => (text === null ? 'not noticed' : text.slice(0, 110));
  process.stdout.write(
    '| planted | source | hours | noticed after | lowest weight | weight back after | what changed |\n|---|---|---:|---:|---:|---:|---|\n',
  );
  for (const row of rows)
    process.stdout.write(
      `| ${row.mistake} | ${row.source} | ${row.hours} | ${row.delay_hours ?? '-'} h | ${row.lowest_weight} | ${row.back_after_hours ?? '-'} h | ${cut(row.what_changed)} |\n`,
    );
  process.stdout.write(
    `\n${rows.filter((row) => row.delay_hours !== null).length} of ${rows.length} noticed; ${falseAlarms.length} false alarms in ${readings} hourly readings of ${sources.length} sources (seed ${seed})\n`,
  );
  for (const row of falseAlarms) process.stdout.write(`- ${row.source}, hour ${row.hour}: ${row.text.slice(0, 140)}\n`);
}
if (falseAlarms.length > 0 || rows.some((row) => row.delay_hours === null)) process.exitCode = 1;
