import { inUnit, points, signed } from '../format.ts';
import type { Breakdown, Evidence, Factor, Feature, Quantity } from '../types.ts';
import { Voices } from './voices.tsx';

export interface Receipts {
  readonly quantities: ReadonlyMap<string, Quantity>;
  readonly replies: ReadonlyMap<string, Evidence['responses'][number]>;
}

/** Each contribution as a bar that starts where the one before ended: their sum is the score. */
export function FactorBars({
  breakdown,
  score,
  ...receipts
}: Receipts & { readonly breakdown: Breakdown; readonly score: number | null }) {
  if (breakdown.contributions.length === 0) return <NoScore factors={breakdown.factors} {...receipts} />;
  const factors = new Map<string, Factor>(breakdown.factors.map((factor) => [factor.code, factor]));
  let sum = 0;
  return (
    <div className="bars">
      {breakdown.contributions.map(({ kind, code, name, points: moved, detail }) => {
        const before = sum;
        sum += moved;
        const factor = kind === 'factor' ? factors.get(code) : undefined;
        const line = (
          <Bar
            key="line"
            name={name}
            detail={detail}
            from={kind === 'prior' ? 0 : before}
            to={sum}
            moved={moved}
            kind={kind}
          />
        );
        return factor ? (
          <details key={`${kind}${code}`} className="factor">
            <summary>{line}</summary>
            <FactorBody factor={factor} {...receipts} />
          </details>
        ) : (
          <div key={`${kind}${code}`} className="factor closed">
            {line}
          </div>
        );
      })}
      <div className="factor closed total">
        <Bar name="Score" detail="the sum" from={0} to={score ?? sum} moved={score ?? sum} kind="total" />
      </div>
    </div>
  );
}

function NoScore({ factors, ...receipts }: Receipts & { readonly factors: readonly Factor[] }) {
  return (
    <div className="bars">
      <p className="note">There is no score: the evidence is too thin. What there is of it:</p>
      {factors.map((factor) => (
        <details key={factor.code} className="factor">
          <summary>{factor.name}</summary>
          <FactorBody factor={factor} {...receipts} />
        </details>
      ))}
    </div>
  );
}

function Bar({
  name,
  detail,
  from,
  to,
  moved,
  kind,
}: {
  readonly name: string;
  readonly detail: string;
  readonly from: number;
  readonly to: number;
  readonly moved: number;
  readonly kind: string;
}) {
  const left = Math.min(from, to);
  const look = kind === 'prior' || kind === 'total' ? 'base' : moved >= 0 ? 'up' : 'down';
  return (
    <span className="bar-line">
      <span className="bar-name">
        {name.charAt(0).toUpperCase() + name.slice(1)} <span className="under">{detail}</span>
      </span>
      <svg className={`bar ${look}`} viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
        <rect className="ground" x={0} y={0} width={100} height={14} />
        <rect
          className="value"
          x={left}
          y={2}
          width={moved === 0 ? 0 : Math.max(0.4, Math.abs(to - from))}
          height={10}
        />
      </svg>
      <span className="number">{kind === 'prior' || kind === 'total' ? points(moved) : signed(moved)}</span>
    </span>
  );
}

function FactorBody({ factor, ...receipts }: Receipts & { readonly factor: Factor }) {
  return (
    <div className="factor-body">
      <p className="quiet">{factor.rationale}</p>
      {factor.features.map((feature) => (
        <FeatureLine key={feature.id} feature={feature} {...receipts} />
      ))}
    </div>
  );
}

/** A feature of many pools or venues shows the ones that were heard most. */
const MOST_QUANTITIES = 12;

function FeatureLine({ feature, quantities, replies }: Receipts & { readonly feature: Feature }) {
  const names = [...new Set(feature.sources.map(({ quantity }) => quantity))];
  const outvoted = feature.sources.filter(({ accepted }) => !accepted).length;
  return (
    <details className="feature">
      <summary>
        <span className="feature-name">{feature.name}</span>
        <span className="number">
          {feature.status === 'observed' || feature.value !== null
            ? inUnit(feature.value, feature.unit)
            : feature.status.replace('_', ' ')}
        </span>
        <span className="number quiet">{feature.score === null ? 'no points' : `${points(feature.score)} of 100`}</span>
      </summary>
      <p>{feature.rationale}</p>
      <p className="quiet">
        Weight {(feature.weight * 100).toFixed(0)} % of the factor, confidence {feature.confidence.toFixed(2)},{' '}
        {feature.sources.length} voices, {outvoted} left out.
      </p>
      {names.slice(0, MOST_QUANTITIES).map((name) => {
        const quantity = quantities.get(name);
        return quantity ? (
          <Voices key={name} name={name} quantity={quantity} replies={replies} />
        ) : (
          <p key={name} className="wrap quiet">
            {name}:{' '}
            {feature.sources
              .filter((each) => each.quantity === name)
              .map(({ source, accepted }) => `${source}${accepted ? '' : ' (left out)'}`)
              .join(', ')}
          </p>
        );
      })}
      {names.length > MOST_QUANTITIES && (
        <p className="quiet">And {names.length - MOST_QUANTITIES} more in the evidence.</p>
      )}
    </details>
  );
}
