import type { FastifyReply, FastifyRequest } from 'fastify';
import { gridPoint } from '../../access/index.ts';
import { findChain } from '../../chains/index.ts';
import {
  type Input,
  PolicyCheckBody,
  PolicyVerdict,
  type PolicyVerdictReply,
  PortfolioBody,
  PortfolioVerdict,
  type PortfolioVerdictReply,
  type PositionInput,
  PresetList,
  problems,
  type Reply,
  round,
} from '../../contract/index.ts';
import { loadMethodology, type Methodology } from '../../methodology/index.ts';
import {
  breakagesOf,
  createSimulation,
  dependenciesOf,
  effectiveRules,
  type Held,
  PRESET_RULES,
  portfolioGraph,
  positionsOfCsv,
  SHOCKS,
  stricter,
  wholeOf,
} from '../../policy/index.ts';
import { assetName, assetNamed, rowsOf } from '../../registers/index.ts';
import { heldPositions, outcomeOfGaps, snapshotPrice } from '../policy/held-positions.ts';
import { createJudgedAssets, type Found } from '../policy/judged-assets.ts';
import { refuse, refuseField, validationFailed } from '../replies/problems.ts';
import { keyed, planOf, unkeyed } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import type { RmsRouting } from '../rms/choose-rating.ts';
import { checkSize } from './rms-batch.ts';

const PORTFOLIO_BYTES = 524_288;
const MOST_BREAKAGES = 100;
/** Number of runs before other requests are handled: a few milliseconds of work. */
const RUNS_AT_ONCE = 500;

/** GET /v1/policy/presets, POST /v1/policy/check and POST /v1/policy/portfolio. */
export function policyRoutes(server: Routes, routing: RmsRouting): void {
  const assets = createJudgedAssets(routing);
  const { context } = routing;
  const about = unkeyed('policy', {
    operationId: 'listPolicyPresets',
    summary: 'The built-in rules',
    description: 'Rules for a wallet, a listing desk, a treasury and a program that trades, as data.',
    response: { 200: PresetList },
  });
  server.get('/v1/policy/presets', about, (_request, reply) =>
    reply.send({
      data: Object.entries(PRESET_RULES).map(([name, { title, rules }]) => ({ name, title, rules })),
    } satisfies Reply<typeof PresetList>),
  );
  const check = keyed('rms:read', 'policy', {
    operationId: 'checkPolicy',
    summary: 'Check an asset against rules',
    description:
      'Applies rules of the caller to the published rating: `allow`, `caution` or `block`, every rule that fired with its receipts, and the largest exposure whose exit costs no more than the rules allow. What is not known is decided as the rules state (`unknown`). Nothing that is sent changes a rating.',
    body: PolicyCheckBody,
    response: { 200: PolicyVerdict, ...problems(400, 401, 403, 413, 415, 429) },
  });
  server.post('/v1/policy/check', check, async (request, reply) => {
    const { asset, amount_usd: amount = null, preset, rules: own } = request.body;
    const rules = effectiveRules(preset, own);
    const [found] = await assets.findAll(request, [asset]);
    if (found === undefined) throw new Error('every text is found or said to be absent');
    const body: PolicyVerdictReply = {
      ...assets.judged(found, rules, amount).reply,
      rules,
      checked_at: new Date(context.now()).toISOString(),
      data_mode: context.dataMode,
    };
    return reply.header('cache-control', 'no-store').send(body);
  });
  const portfolio = keyed('rms:read', 'policy', {
    operationId: 'checkPortfolio',
    summary: 'Rules over a whole portfolio',
    description:
      'Each position judged, the whole by value, and what fails together: the issuers, bridges, oracles, collateral and chains that the positions depend on, what each failure affects, and a simulation that the same seed repeats byte for byte. As many positions as the plan’s batch size. In place of a list, `address` (and `chains`) has what the address holds read from the chains: Solana whole, EVM chains as far as tokens are known here or to an explorer (`holdings`).',
    body: PortfolioBody,
    response: { 200: PortfolioVerdict, ...problems(400, 401, 403, 413, 415, 429, 503) },
  });
  server.post('/v1/policy/portfolio', { ...portfolio, bodyLimit: PORTFOLIO_BYTES }, (request, reply) =>
    answerPortfolio(routing, assets, request.body, request, reply),
  );
}

async function answerPortfolio(
  routing: RmsRouting,
  assets: ReturnType<typeof createJudgedAssets>,
  body: Input<typeof PortfolioBody>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context } = routing;
  const rules = effectiveRules(body.preset, body.rules);
  const plan = planOf(request);
  checkForm(body);
  checkSize(0, plan, routing.plans);
  const read = body.address === undefined ? null : await heldPositions(context, body, plan.batchSize);
  const positions = read?.positions ?? positionsOf(body);
  checkSize(positions.length, plan, routing.plans);
  const found = await assets.findAll(
    request,
    positions.map(({ asset }) => asset),
  );
  const prices = new Map<string, number>();
  const point = gridPoint(context.now(), plan.freshnessGridSeconds);
  const servedAt = point === null ? null : new Date(point).toISOString();
  for (const { assetId, record } of read === null ? [] : found) {
    const price = assetId === null ? null : await snapshotPrice(context, assetId, record?.as_of ?? null, servedAt);
    if (assetId !== null && price !== null) prices.set(assetId, price);
  }
  const valued = found.map((one, index) => {
    const position = positions[index];
    const valueUsd = valueUsdOf(position, one, prices.get(one.assetId ?? '') ?? null);
    return { one, valueUsd, quantity: position?.quantity ?? null };
  });
  const exposures = sumsOf(valued.map(({ one, valueUsd }) => [one.assetId ?? one.requested, valueUsd ?? 0]));
  const unpriced = new Set(
    valued.filter(({ valueUsd }) => valueUsd === null).map(({ one }) => one.assetId ?? one.requested),
  );
  const rows = valued.map(({ one, valueUsd, quantity }) => {
    // Two positions of the same asset exit through the same pools.
    const name = one.assetId ?? one.requested;
    const amount = unpriced.has(name) ? 'unknown' : (exposures.get(name) ?? 0);
    const { verdict, reply: judged } = assets.judged(one, rules, amount);
    const record = one.isSigned ? one.record : null;
    return {
      assetId: one.assetId,
      requested: one.requested,
      record,
      verdict,
      judged,
      quantity,
      known: valueUsd,
      valueUsd: valueUsd ?? 0,
    };
  });
  methodology ??= loadMethodology();
  const whole = wholeOf(rows, methodology);
  const held = heldOf(rows, exposures, new Date(context.now()).toISOString());
  const portfolio = portfolioGraph(held);
  const { seed = 1, runs = SHOCKS.runs } = body.simulation ?? {};
  const simulation = createSimulation({
    graph: portfolio.graph,
    chances: portfolio.chances.map(({ chance }) => chance),
    values: portfolio.values,
    seed,
  });
  for (let done = 0; done < runs; done += RUNS_AT_ONCE) {
    simulation.run(Math.min(RUNS_AT_ONCE, runs - done));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { worstHundredth, ...losses } = simulation.result();
  const sent: PortfolioVerdictReply = {
    outcome: read === null ? whole.outcome : stricter(whole.outcome, outcomeOfGaps(read, rules.unknown)),
    value_usd: round(whole.valueUsd, 2),
    score: whole.score,
    band: whole.band,
    worst: whole.worst && { asset_id: whole.worst.assetId, band: whole.worst.band },
    uncovered: whole.uncovered,
    shares: whole.shares,
    holdings: read?.holdings ?? null,
    positions: rows.map(({ judged, quantity, known, valueUsd }) => ({
      ...judged,
      quantity,
      value_usd: known,
      share: whole.valueUsd > 0 ? valueUsd / whole.valueUsd : 0,
    })),
    dependencies: held.flatMap(({ assetId, dependencies }) =>
      dependencies.map(({ kind, name, share, source, confirmed }) => ({
        asset_id: assetId,
        kind,
        name,
        share,
        source,
        confirmed,
      })),
    ),
    breaks_together: breakagesOf(portfolio)
      .slice(0, MOST_BREAKAGES)
      .map(({ kind, name, loss, positions: hit }) => ({
        kind,
        name,
        loss,
        positions: hit.map(({ assetId, loss: part }) => ({ asset_id: assetId, loss: part })),
      })),
    simulation: {
      seed,
      ...losses,
      worst_hundredth: worstHundredth,
      assumed: portfolio.graph.nodes.filter((_, node) => portfolio.chances[node]?.basis === 'assumed'),
    },
    rules,
    checked_at: new Date(context.now()).toISOString(),
    data_mode: context.dataMode,
  };
  return reply.header('cache-control', 'no-store').send(sent);
}

let methodology: Methodology | undefined;

/** Checks that a request gives its positions in exactly one form. */
function checkForm({ positions, csv, address, chains }: Input<typeof PortfolioBody>): void {
  if ([positions, csv, address].filter((form) => form !== undefined).length !== 1)
    refuseField('/positions', 'conflict', 'expected either positions, csv or address');
  if (chains !== undefined && address === undefined)
    refuseField('/chains', 'conflict', 'expected an address, whose chains these are');
}

/** The positions in the request. */
function positionsOf({ positions, csv }: Input<typeof PortfolioBody>): readonly PositionInput[] {
  if (csv === undefined) return positions ?? [];
  const read = positionsOfCsv(csv);
  return read.ok ? read.value : refuse(validationFailed(read.errors));
}

/**
 * The given value, or the quantity times the newer price or else the price in the rating's evidence; null where neither
 * is known.
 */
function valueUsdOf(position: PositionInput | undefined, { evidence }: Found, newer: number | null): number | null {
  if (position?.value_usd !== undefined) return position.value_usd;
  const price = newer ?? evidence?.priceUsd ?? null;
  return position?.quantity === undefined || price === null ? null : position.quantity * price;
}

function sumsOf(rows: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [name, value] of rows) sums.set(name, (sums.get(name) ?? 0) + value);
  return sums;
}

/** Each asset once, with its dependencies. A position without an id has no known dependencies. */
function heldOf(
  rows: readonly (Pick<Held, 'record'> & { readonly assetId: string | null; readonly requested: string })[],
  exposures: ReadonlyMap<string, number>,
  at: string,
): readonly Held[] {
  const names = new Map(rows.map((row) => [row.assetId ?? row.requested, row]));
  return [...names].map(([name, { assetId, record }]) => {
    const [caip2 = '', reference = ''] = (assetId ?? '').split('/');
    const chain = record?.asset.chain ?? null;
    const address = reference.startsWith('slip44:') ? 'native' : reference.slice(reference.indexOf(':') + 1);
    const names = caip2 === '' || reference === '' ? [] : [assetName(caip2, address)];
    const known = chain === null ? null : findChain(chain);
    const rowsOfAsset = { rows: () => rowsOf(names), assetNamed };
    return {
      assetId: name,
      valueUsd: exposures.get(name) ?? 0,
      record,
      dependencies: assetId === null ? [] : dependenciesOf({ assetId, chain: known?.name ?? null, at }, rowsOfAsset),
    };
  });
}
