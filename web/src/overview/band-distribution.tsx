import { useCallback } from 'react';
import { PlotChart, type PlotOptions } from '../charts/chart.tsx';
import { bandColour, count, signed } from '../format.ts';
import { Panel } from '../parts/panel.tsx';

interface BandCount {
  readonly band: string;
  readonly assets: number;
  readonly assets_30d_ago: number;
}

/** How many assets are in each band, with the count of a month before as a line across the bar. */
export function BandDistribution({ bands, assets }: { readonly bands: readonly BandCount[]; readonly assets: number }) {
  const options: PlotOptions = useCallback(
    (plot) => ({
      marginLeft: 34,
      marginRight: 4,
      marginTop: 18,
      marginBottom: 36,
      x: { domain: bands.map(({ band }) => band), label: null, tickSize: 0, padding: 0.2 },
      y: {
        label: null,
        ticks: Math.min(4, Math.max(...bands.map((row) => Math.max(row.assets, row.assets_30d_ago)))),
        tickSize: 0,
        grid: true,
      },
      marks: [
        plot.barY(bands, {
          x: 'band',
          y: 'assets',
          fill: ({ band }: BandCount) => bandColour(band),
          stroke: ({ band }: BandCount) => (band === 'NR' ? 'var(--line-2)' : 'none'),
          title: ({ band, assets: now, assets_30d_ago: ago }: BandCount) =>
            `${band}: ${now} assets, ${ago} a month ago`,
        }),
        plot.tickY(bands, { x: 'band', y: 'assets_30d_ago', stroke: 'var(--ink)', strokeWidth: 2 }),
        plot.text(bands, {
          x: 'band',
          y: (row: BandCount) => Math.max(row.assets, row.assets_30d_ago),
          text: (row: BandCount) => count(row.assets),
          dy: -7,
          fill: 'var(--ink)',
          fontWeight: 600,
        }),
        plot.text(bands, {
          x: 'band',
          frameAnchor: 'bottom',
          dy: 30,
          text: (row: BandCount) => change(row),
          fill: 'var(--ink-3)',
        }),
      ],
    }),
    [bands],
  );
  return (
    <Panel
      title="Distribution of bands"
      sub={`${count(assets)} assets`}
      meta="▬ 30 days ago; change below"
      className="bands"
    >
      <PlotChart
        height={232}
        options={options}
        label={`Assets by band: ${bands.map((row) => `${row.band} ${row.assets}, ${change(row)} in 30 days`).join('; ')}`}
      />
    </Panel>
  );
}

function change({ assets, assets_30d_ago: ago }: BandCount): string {
  return assets === ago ? '0' : signed(assets - ago).replace('.0', '');
}
