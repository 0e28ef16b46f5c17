import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
export type PlotOptions = PlotProps['options'];

import type { PlotProps } from './plot.tsx';
import type { TimeProps } from './time-chart.tsx';

const PlotInside = lazy(() => import('./plot.tsx').then(({ Plot }) => ({ default: Plot })));
const TimeInside = lazy(() => import('./time-chart.tsx').then(({ TimeChart }) => ({ default: TimeChart })));

interface FrameProps {
  /** Title and a summary of the chart in a sentence, read out in place of the drawing. */
  readonly label: string;
  readonly height: number;
  /** The same data as a table, for screen readers. */
  readonly alternative?: ReactNode;
}

/** A chart of Observable Plot, drawn at the width of its box once it comes into view. `options` gets the width. */
export function PlotChart({ options, ...frame }: FrameProps & Pick<PlotProps, 'options'>) {
  return <Frame {...frame}>{(width) => <PlotInside options={options} width={width} height={frame.height} />}</Frame>;
}

/** Series over time on one axis (lightweight-charts), with markers and bands as ground. */
export function TimeSeriesChart({
  series,
  markers,
  levels,
  ...frame
}: FrameProps & Omit<TimeProps, 'width' | 'height'>) {
  return (
    <Frame {...frame}>
      {(width) => <TimeInside series={series} markers={markers} levels={levels} width={width} height={frame.height} />}
    </Frame>
  );
}

/** The notice that the licence of lightweight-charts requires beside each chart. */
export function ChartNotice() {
  return (
    <a
      href="https://www.tradingview.com/"
      rel="noreferrer noopener"
      target="_blank"
      title="TradingView Lightweight Charts™. Copyright (c) 2025 TradingView, Inc. https://www.tradingview.com/"
    >
      Chart by TradingView
    </a>
  );
}

function Frame({
  label,
  height,
  alternative,
  children,
}: FrameProps & { readonly children: (width: number) => ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const resized = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    const looked = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: '200px' },
    );
    resized.observe(element);
    looked.observe(element);
    return () => {
      resized.disconnect();
      looked.disconnect();
    };
  }, []);
  return (
    <figure className="chart">
      <div ref={box} role="img" aria-label={label} style={{ height }}>
        {seen && width > 0 && <Suspense fallback={<span className="q">Drawing …</span>}>{children(width)}</Suspense>}
      </div>
      {alternative && (
        <details className="alternative">
          <summary>As a table</summary>
          {alternative}
        </details>
      )}
    </figure>
  );
}
