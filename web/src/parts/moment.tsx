import { useServiceNow } from '../data/clock.ts';
import { age, UNKNOWN } from '../format.ts';

/** Date and minute, UTC: broken between the two alone, where a column is narrow. */
export function Moment({ at }: { readonly at: string | null }) {
  if (at === null) return UNKNOWN;
  return (
    <time dateTime={at}>
      <span className="nowrap">{at.slice(0, 10)}</span> <span className="nowrap">{at.slice(11, 16)} UTC</span>
    </time>
  );
}

/** For a column of times. */
export const moment = (at: string | null) => <Moment at={at} />;

/** Age by the service's clock, such as `8 min`. */
export function Age({ of }: { readonly of: string }) {
  return (
    <time className="nowrap" dateTime={of} title={`${of.slice(0, 10)} ${of.slice(11, 16)} UTC`}>
      {age(of, useServiceNow())}
    </time>
  );
}
