import { day, inNumber, points, signed, withSources, words } from '../format.ts';
import { Severity } from '../parts/marks.tsx';
import { Panel } from '../parts/panel.tsx';
import type { Facts } from './facts.ts';
import { hasManySevere, isSevere } from './flag-banner.tsx';
import { quantityWords } from './words.ts';

/** Lines of the panel: factors first, then flags. */
const MOST_MOVES = 3;
const MOST_FLAGS = 4;

/** Changes of the last rating, factor by factor, and the flags in force besides the severe ones. */
export function Changed({ facts }: { readonly facts: Facts }) {
  const { rating } = facts;
  const { previous, drivers } = rating;
  const moved = drivers
    .filter((driver) => Math.abs(driver.points) >= 0.05)
    .toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const most = Math.max(0.5, ...moved.map((driver) => Math.abs(driver.points)));
  const mostFlags = hasManySevere(facts) ? MOST_FLAGS - 1 : MOST_FLAGS;
  const others = rating.risk_flags.filter((flag) => !isSevere(flag));
  return (
    <Panel
      className="changed"
      title={previous === null ? 'First rating' : 'Changed'}
      sub={previous === null ? undefined : `since ${day(previous.as_of)}`}
      meta={
        previous?.score != null && rating.score !== null
          ? `${points(previous.score)} → ${points(rating.score)}`
          : undefined
      }
    >
      {previous === null ? (
        <p className="q">There is no earlier rating to compare with. {day(rating.as_of)}.</p>
      ) : moved.length === 0 ? (
        <p className="q">Nothing moved the score.</p>
      ) : (
        <ul className="moves">
          {moved.slice(0, MOST_MOVES).map((driver) => (
            <li key={`${driver.code} ${driver.name} ${driver.detail}`} title={inNumber(driver.detail)}>
              <span>
                <b>{words(driver.name)}</b> <span className="q">{inNumber(driver.detail)}</span>
              </span>
              <svg viewBox="-50 0 100 10" aria-hidden="true" className={driver.points > 0 ? 'up' : 'down'}>
                <path d="M0 0v10" />
                <rect
                  x={driver.points > 0 ? 0 : (driver.points / most) * 48}
                  y={2}
                  width={Math.abs(driver.points / most) * 48}
                  height={6}
                />
              </svg>
              <span className={`r ${driver.points > 0 ? 'pos' : 'neg'}`}>{signed(driver.points)}</span>
            </li>
          ))}
        </ul>
      )}
      <ul className="also">
        {others.length > 0 && !hasManySevere(facts) && (
          <li className="qq">{others.length === rating.risk_flags.length ? 'Flags' : 'Other flags'}</li>
        )}
        {others.slice(0, mostFlags).map(({ code, severity, title, detail }) => (
          <li key={code} title={detail}>
            <Severity severity={severity} /> {title}
          </li>
        ))}
        {others.length > mostFlags && <li className="q">and {others.length - mostFlags} more, no severer</li>}
        {rating.risk_flags.length === 0 && <li className="q">No flag stands.</li>}
        {rating.conflicts.slice(0, 2).map(({ quantity, detail }) => (
          <li key={quantity} className="q">
            Sources disagree on {quantityWords(quantity.split('@')[0] ?? quantity).toLowerCase()}:{' '}
            {withSources(detail).replace(/^outvoted: (.+)$/, '$1 outvoted')}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
