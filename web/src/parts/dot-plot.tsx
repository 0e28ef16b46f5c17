import { inUnit } from '../format.ts';
import type { Quantity } from '../types.ts';
import { useWidth } from './use-width.ts';

/** Every source's value on one axis: a filled dot counts, a cross was left out. */
export function DotPlot({ quantity }: { readonly quantity: Quantity }) {
  const [frame, width] = useWidth<SVGSVGElement>(500);
  const dots = quantity.voices.flatMap((voice) =>
    typeof voice.value === 'number' ? [{ ...voice, value: voice.value }] : [],
  );
  if (dots.length === 0) return null;
  const all = [...dots.map(({ value }) => value), quantity.low, quantity.high].filter((value) => value !== null);
  const low = Math.min(...all);
  const high = Math.max(...all);
  const logarithmic = low > 0 && high / low > 20;
  const scale = (value: number) => (logarithmic ? Math.log(value) : value);
  const span = scale(high) - scale(low) || 1;
  const x = (value: number) => (high === low ? width / 2 : 14 + ((scale(value) - scale(low)) / span) * (width - 28));
  const accepted = dots.filter((dot) => dot.accepted).length;
  return (
    <svg
      ref={frame}
      className="dots"
      viewBox={`0 0 ${width} 46`}
      height={46}
      role="img"
      aria-label={`${quantity.quantity}: ${accepted} of ${dots.length} values counted, from ${inUnit(low, quantity.unit)} to ${inUnit(high, quantity.unit)}`}
    >
      {quantity.low !== null && quantity.high !== null && (
        <rect
          className="interval"
          x={x(quantity.low)}
          width={Math.max(2, x(quantity.high) - x(quantity.low))}
          y={8}
          height={16}
        />
      )}
      <line className="axis" x1={8} x2={width - 8} y1={16} y2={16} />
      {typeof quantity.value === 'number' && quantity.value >= low && quantity.value <= high && (
        <line className="consensus" x1={x(quantity.value)} x2={x(quantity.value)} y1={4} y2={28} />
      )}
      {dots.map((dot) =>
        dot.accepted ? (
          <circle key={dot.evidence + dot.source} className="dot" cx={x(dot.value)} cy={16} r={5}>
            <title>{`${dot.source}: ${inUnit(dot.value, quantity.unit)}`}</title>
          </circle>
        ) : (
          <path key={dot.evidence + dot.source} className="cross" d={`M${x(dot.value) - 5} 11l10 10m0-10l-10 10`}>
            <title>{`${dot.source}: ${inUnit(dot.value, quantity.unit)}, left out: ${dot.reason ?? 'no reason given'}`}</title>
          </path>
        ),
      )}
      <text className="tick" x={8} y={42}>
        {inUnit(low, quantity.unit)}
      </text>
      {high !== low && (
        <text className="tick end" x={width - 8} y={42}>
          {inUnit(high, quantity.unit)}
          {logarithmic ? ' (log)' : ''}
        </text>
      )}
    </svg>
  );
}
