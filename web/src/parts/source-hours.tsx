import { useServiceNow } from '../data/clock.ts';
import type { ReplyOf } from '../types.ts';

type Hours = ReplyOf<'GET /v1/status'>['sources'][number]['hours'];
const HOUR_MS = 3_600_000;

/** The last 24 hours of a source as a row of marks: replied, some failed, all failed, not requested. */
export function SourceHours({ hours }: { readonly hours: Hours }) {
  const now = Math.floor(useServiceNow() / HOUR_MS) * HOUR_MS;
  const byHour = new Map(hours.map((one) => [Date.parse(one.hour), one]));
  const marks = Array.from({ length: 24 }, (_, back) => {
    const at = now - (23 - back) * HOUR_MS;
    const one = byHour.get(at);
    const state = !one ? 'unasked' : one.failed === 0 ? 'good' : one.answered === 0 ? 'bad' : 'mixed';
    return { at, one, state };
  });
  const answered = hours.reduce((sum, one) => sum + one.answered, 0);
  const failed = hours.reduce((sum, one) => sum + one.failed, 0);
  return (
    <span className="hours" role="img" aria-label={`24 hours: ${answered} requests answered, ${failed} failed`}>
      {marks.map(({ at, one, state }) => (
        <i
          key={at}
          className={state}
          title={`${new Date(at).toISOString().slice(11, 16)} UTC: ${one ? `${one.answered} answered, ${one.failed} failed` : 'not asked'}`}
        />
      ))}
    </span>
  );
}
