import {
  AreaSeries,
  type AutoscaleInfo,
  ColorType,
  createChart,
  createSeriesMarkers,
  LineSeries,
  LineType,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import { useTheme } from '../shell/theme.tsx';

export interface TimeProps {
  readonly series: readonly {
    readonly name: string;
    /** A colour token, such as `--s1`. */
    readonly colour: string;
    readonly axis?: 'left' | 'right';
    readonly filled?: boolean;
    readonly dashed?: boolean;
    /** Least span of the axis, so that small changes do not look large. */
    readonly least?: number;
    /** Constant until the next point. */
    readonly stepped?: boolean;
    /** How a value is written; default: a number with two digits. */
    readonly format?: (value: number) => string;
    /** Newest last; `at` in milliseconds. Null breaks the line. */
    readonly points: readonly { readonly at: number; readonly value: number | null }[];
  }[];
  /** On the first series. */
  readonly markers?: readonly { readonly at: number; readonly text: string; readonly up: boolean }[] | undefined;
  /** Lines across, such as the thresholds of bands, on the first series. */
  readonly levels?: readonly { readonly value: number; readonly name: string }[] | undefined;
  readonly width: number;
  readonly height: number;
}

export function TimeChart({ series, markers, levels, width, height }: TimeProps) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read anew when the theme changes
  useEffect(() => {
    if (box.current === null) return;
    const style = getComputedStyle(box.current);
    const probe = box.current.style;
    // A token has two values: the one in force is what the browser computes for it as a colour.
    const colour = (name: string) => {
      probe.color = `var(${name})`;
      return style.color;
    };
    const chart = createChart(box.current, {
      width,
      height,
      // The library's logo adds an inline style sheet, which the content security policy forbids: ChartNotice replaces it.
      layout: {
        attributionLogo: false,
        background: { type: ColorType.Solid, color: colour('--panel') },
        textColor: colour('--ink-3'),
        fontSize: 11,
        fontFamily: style.fontFamily,
      },
      grid: { vertLines: { visible: false }, horzLines: { color: colour('--grid') } },
      leftPriceScale: { visible: series.some(({ axis }) => axis === 'left'), ...SCALE },
      rightPriceScale: { visible: series.some(({ axis }) => axis !== 'left'), ...SCALE },
      timeScale: { borderVisible: false, fixLeftEdge: true, fixRightEdge: true },
      handleScroll: false,
      handleScale: false,
    });
    const lines = series.map((one) => {
      const shared = {
        priceScaleId: one.axis ?? 'right',
        lineWidth: 2 as const,
        lineType: one.stepped ? LineType.WithSteps : LineType.Simple,
        priceLineVisible: false,
        lastValueVisible: false,
        ...(one.least ? { autoscaleInfoProvider: atLeast(one.least) } : {}),
        ...(one.format ? { priceFormat: { type: 'custom' as const, formatter: one.format, minMove: 1e-12 } } : {}),
      };
      const line = one.filled
        ? chart.addSeries(AreaSeries, {
            ...shared,
            lineColor: colour(one.colour),
            topColor: colour('--fill1'),
            bottomColor: 'transparent',
          })
        : chart.addSeries(LineSeries, { ...shared, color: colour(one.colour), lineStyle: one.dashed ? 2 : 0 });
      line.setData(withDays(one.points));
      return line;
    });
    const [first] = lines;
    if (first !== undefined) {
      for (const { value, name } of levels ?? [])
        first.createPriceLine({
          price: value,
          title: name,
          color: colour('--line-2'),
          lineWidth: 1,
          axisLabelVisible: false,
        });
      const marks = (markers ?? []).map(
        ({ at, text, up }): SeriesMarker<Time> => ({
          time: seconds(at),
          position: up ? 'belowBar' : 'aboveBar',
          shape: up ? 'arrowUp' : 'arrowDown',
          color: colour(up ? '--pos' : '--neg'),
          text,
        }),
      );
      // Last: points of another series would move the places of the markers.
      createSeriesMarkers(first, marks);
    }
    chart.timeScale().fitContent();
    return () => chart.remove();
  }, [series, markers, levels, width, height, theme]);
  return <div ref={box} aria-hidden="true" />;
}

/** A label of an axis without enough space is left out, not cut. */
const SCALE = { borderVisible: false, entireTextOnly: true };

/** Widens the range of the library to a least span. */
function atLeast(span: number) {
  return (fitted: () => AutoscaleInfo | null): AutoscaleInfo | null => {
    const info = fitted();
    if (info?.priceRange == null) return info;
    const { minValue, maxValue } = info.priceRange;
    const more = Math.max(0, span - (maxValue - minValue)) / 2;
    return { ...info, priceRange: { minValue: minValue - more, maxValue: maxValue + more } };
  };
}

/** The library places points by index: a day without a point gets an empty one, so that time is linear. */
function withDays(points: TimeProps['series'][number]['points']) {
  return points.flatMap(({ at, value }, index) => {
    const next = points[index + 1]?.at ?? at;
    const empty = Array.from({ length: Math.max(0, Math.round((next - at) / DAY_MS) - 1) }, (_, day) => ({
      time: seconds(at + (day + 1) * DAY_MS),
    }));
    return [value === null ? { time: seconds(at) } : { time: seconds(at), value }, ...empty];
  });
}

const DAY_MS = 86_400_000;

function seconds(milliseconds: number): UTCTimestamp {
  return Math.floor(milliseconds / 1000) as UTCTimestamp;
}
