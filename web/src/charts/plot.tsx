import * as PlotLibrary from '@observablehq/plot';
import { useEffect, useRef } from 'react';

export interface PlotProps {
  /** Makes the options of Plot.plot for a width; keep it stable (useCallback). */
  readonly options: (plot: typeof PlotLibrary, width: number) => PlotLibrary.PlotOptions;
  readonly width: number;
  readonly height: number;
}

export function Plot({ options, width, height }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const style = { fontSize: '11px', fontFamily: 'inherit', background: 'none' };
    const drawing = PlotLibrary.plot({ width, height, style, ...options(PlotLibrary, width) });
    // Plot adds an inline style sheet, which the content security policy forbids; charts.css has the same rules.
    for (const sheet of drawing.querySelectorAll('style')) sheet.remove();
    box.current?.replaceChildren(drawing);
  }, [options, width, height]);
  return <div ref={box} className="plot" aria-hidden="true" />;
}
