import type { Asset, MarketSnapshot, Provenance } from '../domain/index.ts';
import { tellersOf } from '../domain/index.ts';
import type { Gathered } from './gather.ts';
import type { PricePoint } from './market/history.ts';
import { buildMarketSnapshot } from './market/snapshot.ts';

/** Who knows prices, volumes, supplies or markets. */
export const MARKET_SOURCES: ReadonlySet<string> = new Set(tellersOf('market'));

/** The market snapshot of what was gathered; values that a source's terms keep from being passed on are blanked. */
export function marketOf(asset: Asset, gathered: Gathered, history: readonly PricePoint[]): MarketSnapshot {
  const snapshot = buildMarketSnapshot({ asset, history, ...gathered });
  const provenance = Object.fromEntries(
    Object.entries(snapshot.provenance).map(([name, row]) => [name, withoutForeignValues(row, gathered)]),
  );
  return { ...snapshot, provenance };
}

function withoutForeignValues(provenance: Provenance, { notRedistributable }: Gathered): Provenance {
  return {
    ...provenance,
    outvoted: provenance.outvoted.map((voice) =>
      notRedistributable.has(voice.source) ? { ...voice, value: null } : voice,
    ),
  };
}
