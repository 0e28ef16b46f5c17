import { type Flag, sourcesFor } from '../domain/index.ts';
import { capThresholds, flagThresholds, type Methodology, toScore } from '../methodology/index.ts';
import type { CapCandidate } from './ceilings.ts';
import {
  answered,
  type Context,
  depthOf,
  failed,
  isRevised,
  liquidityOf,
  mostDepthUsd,
  shownLiquidityOf,
} from './context.ts';
import { isPlacedPrivately } from './flags/classes.ts';
import { hasBooks } from './flags/market.ts';

/** A cap at an amount in US dollars. Between two edges the cap rises with the logarithm of the amount. */
type Edge = readonly [usd: number, cap: number];

/**
 * Caps on thin liquidity and depth. They rise gradually: liquidity is cheap to borrow for a day, so the last dollar
 * added to a pool must not be worth more than a fraction of a point. Liquidity and depth are capped separately, and the
 * lower cap decides.
 */
export function liquidityCaps(context: Context, flags: readonly Flag[]): readonly CapCandidate[] {
  const { methodology } = context;
  const found = flags.find((flag) => flag.code === 'LIQUIDITY_CRITICAL' || flag.code === 'LIQUIDITY_THIN');
  if (found === undefined || found.confidence < factualConfidence(context)) return shallow(context);
  const left = liquidityOf(context)?.value ?? null;
  const ownCap = capOf(methodology, found.code);
  const cap = left === null ? ownCap : Math.min(ownCap, along(liquidityEdges(methodology), left));
  const isGone = left !== null && left < capThresholds(methodology).LIQUIDITY_GONE.liquidityUsd;
  const code = isGone ? 'LIQUIDITY_GONE' : found.code;
  return [
    { code, flag: found.code, cap, detail: found.detail },
    ...(found.code === 'LIQUIDITY_THIN' ? shallow(context) : []),
  ];
}

/**
 * Minimum confidence of a flag that states a measured fact, for its cap: with the margin for the age of the only source
 * that the flag itself has. Earlier methodologies have no margin, so that such a fact never capped.
 */
export function factualConfidence({ methodology }: Pick<Context, 'methodology'>): number {
  const { factual } = methodology.capConfidence;
  return isRevised({ methodology }) ? factual - methodology.flagConfidence.ageing : factual;
}

/**
 * Pools that are deeper than critical but still shallow. No flag covers them, so only computed depth counts. Since
 * methodology 1.8.0 also depth that is estimated from shown liquidity, where no node failed that could have read it.
 */
function shallow(context: Context): readonly CapCandidate[] {
  const { methodology } = context;
  const critical = flagThresholds(methodology).LIQUIDITY_CRITICAL;
  const { depthUsd } = capThresholds(methodology).DEPTH_SHALLOW;
  const depth = depthOf(context);
  const side = mostDepthUsd(context);
  if (depth === null || side === null) return [];
  if (depth.confidence < critical.depthConfidence && !isEstimateFinal(context)) return [];
  if (hasBooks(context, critical) || isPlacedPrivately(context)) return [];
  if (side >= depthUsd) return [];
  const edges: readonly Edge[] = [
    [critical.depthUsd, capOf(methodology, 'LIQUIDITY_CRITICAL')],
    [depthUsd, capOf(methodology, 'DEPTH_SHALLOW')],
  ];
  const detail = `depth at 2 % is ${Math.round(Math.min(depth.upUsd, depth.downUsd))} USD`;
  return [{ code: 'DEPTH_SHALLOW', flag: null, cap: along(edges, side), detail }];
}

/** Categories whose pools trade near a fixed price: they are far deeper than their liquidity at all prices would be. */
const NEAR_A_PRICE: ReadonlySet<string> = new Set(['stablecoin', 'lst_wrapped', 'rwa']);

/**
 * True where listed pools show their liquidity and the nodes replied: nothing shows then that a pool of positions is
 * deeper than one with the same liquidity at all prices, and who places them chooses where.
 */
function isEstimateFinal(context: Context): boolean {
  const nodes = sourcesFor(context.kind === 'solana' ? 'solana_node' : 'evm_node');
  const isRead = answered(context, nodes) > 0 && !failed(context, nodes);
  return isRead && shownLiquidityOf(context) !== null && !NEAR_A_PRICE.has(context.category);
}

function liquidityEdges(methodology: Methodology): readonly Edge[] {
  const { LIQUIDITY_CRITICAL, LIQUIDITY_THIN } = flagThresholds(methodology);
  return [
    [capThresholds(methodology).LIQUIDITY_GONE.liquidityUsd, capOf(methodology, 'LIQUIDITY_GONE')],
    [LIQUIDITY_CRITICAL.liquidityUsd, capOf(methodology, 'LIQUIDITY_CRITICAL')],
    [LIQUIDITY_THIN.liquidityUsd, capOf(methodology, 'LIQUIDITY_THIN')],
  ];
}

/** The cap at an amount: below all edges the cap of the first, above all of them 100 (no cap). */
function along(edges: readonly Edge[], usd: number): number {
  const above = edges.find(([at]) => usd < at);
  if (above === undefined) return 100;
  const below = edges[edges.indexOf(above) - 1];
  if (below === undefined) return above[1];
  const share = Math.log(usd / below[0]) / Math.log(above[0] / below[0]);
  return toScore(below[1] + share * (above[1] - below[1]));
}

function capOf({ caps }: Methodology, code: string): number {
  const row = caps.find((cap) => cap.code === code);
  if (row === undefined) throw new Error(`the methodology has no cap ${code}`);
  return row.cap;
}
