import { bandColour, count, many } from '../format.ts';
import { Panel } from '../parts/panel.tsx';

interface BandCount {
  readonly band: string;
  readonly assets: number;
  readonly assets_30d_ago: number;
}

/** How many assets are in each band, with the count of a month before as a line across the bar. A chart library is not loaded for this. */
export function BandDistribution({ bands, assets }: { readonly bands: readonly BandCount[]; readonly assets: number }) {
  const most = Math.max(1, ...bands.flatMap((row) => [row.assets, row.assets_30d_ago]));
  const percent = (value: number) => `${(100 * value) / most}%`;
  return (
    <Panel
      title="Distribution of bands"
      sub={many(assets, 'asset')}
      meta="▬ 30 days ago; change below"
      className="bands"
    >
      <ol className="band-bars">
        {bands.map(({ band, assets: now, assets_30d_ago: ago }) => (
          <li key={band} title={`${band}: ${count(now)} assets, ${count(ago)} a month ago`}>
            <span className="column">
              <span className="before" style={{ bottom: percent(ago) }} />
              <span
                className={band === 'NR' ? 'now unrated' : 'now'}
                style={{ height: percent(now), background: bandColour(band) }}
              />
              <b style={{ bottom: percent(Math.max(now, ago)) }}>{count(now)}</b>
            </span>
            <span>{band}</span>
            <span className="q">
              {change(now - ago)}
              <span className="vh"> in 30 days</span>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function change(by: number): string {
  return by === 0 ? '0' : `${by > 0 ? '+' : '−'}${count(Math.abs(by))}`;
}
