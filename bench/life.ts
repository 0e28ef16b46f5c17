import { liveThrough } from '../test/support/life.ts';

/** One asset's life on the sandbox, day by day: ratings, alerts, webhook deliveries. */
const startedAt = performance.now();
const days = [...Array.from({ length: 45 }, (_, day) => day), ...Array.from({ length: 190 }, (_, day) => 45 + day)];
let shown = '';
const life = await liveThrough({ name: 'Emberlight', domain: 'emberlight.example', symbol: 'EMBR' }, days, (rating) => {
  const flags = rating.risk_flags.map((flag) => flag.code).join(' ');
  const line = `${rating.band} ${rating.rating_action} ${rating.outlook ?? '-'} watch:${rating.watch?.reason ?? '-'} ${flags}`;
  if (line !== shown)
    console.log(`day ${rating.day}: ${rating.score} trust ${rating.trust_score} ${line} | ${rating.action_reason}`);
  shown = line;
});
console.log(
  JSON.stringify(
    {
      ratings: life.ratings.length,
      seconds: Math.round((performance.now() - startedAt) / 1000),
      actions: life.history.map(({ band, rating_action }) => `${rating_action} ${band}`),
      alerts: life.alerts.map(
        ({ id, kind, severity, created_at }) => `${id} ${created_at.slice(0, 10)} ${kind} ${severity}`,
      ),
      delivered: life.delivered.length,
      bad_signatures: life.badSignatures,
    },
    null,
    1,
  ),
);
