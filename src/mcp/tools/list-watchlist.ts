import Type from 'typebox';
import { AlertView, NotRatedEntry, RatingView, WatchlistResult, WhitelistEntry } from '../../contract/index.ts';
import { ABOUT_UNTRUSTED, outside, plainWord } from '../outside-text.ts';
import { defineTool } from '../tool.ts';

const Entries = Type.Array(
  Type.Pick(WhitelistEntry, ['asset', 'note', 'alert_status', 'open_alerts', 'score', 'band']),
);
const Ratings = Type.Array(
  Type.Union([Type.Pick(RatingView, ['asset', 'trust_score', 'as_of', 'age_seconds']), NotRatedEntry]),
);
const Alerts = Type.Object({ data: Type.Array(Type.Pick(AlertView, ['source', 'severity', 'title', 'created_at'])) });
const SOURCE_ALERTS = { method: 'GET', path: '/v1/alerts?kind=source_drift&acknowledged=false&limit=10' } as const;
/** Within the batch size of the smallest plan, and short enough for a reader. */
const MOST_ENTRIES = 25;

export const listWatchlist = defineTool({
  name: 'list_watchlist',
  title: 'List the watchlist',
  description: `The assets that the account watches, with open alerts and the newest rating; the first ${MOST_ENTRIES}, those with alerts first. With open alerts about drifting sources, where the account subscribed to them.`,
  readsOnly: true,
  input: Type.Object({}, { additionalProperties: false }),
  output: WatchlistResult,
  async run(_given, { send }) {
    const result = await send({ method: 'GET', path: '/v1/rms/whitelist' }, Entries);
    if (!result.ok) return result;
    const entries = [...result.value].sort((a, b) => b.open_alerts - a.open_alerts).slice(0, MOST_ENTRIES);
    const rated = entries.filter(({ band }) => band !== null).map(({ asset }) => asset);
    const request = { method: 'POST' as const, path: '/v1/rms/batch', body: { assets: rated } };
    const read = rated.length === 0 ? null : await send(request, Ratings);
    const drifts = await send(SOURCE_ALERTS, Alerts);
    // The list is useful even without the other replies.
    const ratings = read?.ok ? read.value.filter((row) => 'trust_score' in row) : [];
    return {
      ok: true,
      value: {
        source_alerts: (drifts.ok ? drifts.value.data : []).map(({ source, severity, title, created_at }) => ({
          source: plainWord(source),
          severity,
          title: outside(title, 300),
          created_at,
        })),
        watched: result.value.length,
        entries: entries.map(({ asset, note, alert_status, open_alerts, band, score }) => {
          const rating = ratings.find((row) => row.asset.id === asset);
          return {
            asset_id: plainWord(asset),
            symbol: outside(rating?.asset.symbol, 32),
            name: outside(rating?.asset.name, 80),
            note: outside(note, 200),
            alert_status,
            open_alerts,
            band: plainWord(band),
            score,
            trust_score: rating?.trust_score ?? null,
            as_of: rating?.as_of ?? null,
            age_seconds: rating?.age_seconds ?? null,
          };
        }),
        about_untrusted: ABOUT_UNTRUSTED,
      },
    };
  },
});
