import type { PublicationState } from '../src/domain/published.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { publish } from '../src/publication/publish.ts';
import type { RatedSeries } from '../src/publication/track-record.ts';
import { openTrackRecord } from '../src/publication/track-record.ts';
import { daysAgo, soundProtocol } from '../src/rating/fixtures/asset.ts';
import { rate } from '../src/rating/rate.ts';

/** One published rating of an asset with a hundred days of memory, compared with reading that memory as JSON; and a track record. */
const TIMES = 20_000;
const ASSETS = 20_000;
const DAYS = 365;
const methodology = loadMethodology();
const { consensus, identification, sources } = soundProtocol();
const rating = rate(soundProtocol(), methodology);

let state: PublicationState | null = null;
for (let day = 120; day > 0; day -= 1) state = publishAt(daysAgo(day), state, day % 7).state;
const previous = state as PublicationState;
const text = JSON.stringify(previous);
const now = daysAgo(0);
const publishing = microseconds(TIMES, () => publishAt(now, previous, 0));
const parsing = microseconds(TIMES, () => JSON.parse(text));

const year = Array.from({ length: DAYS }, (_, day) => daysAgo(DAYS - day));
const record = openTrackRecord(now, methodology);
const startedAt = performance.now();
for (let index = 0; index < ASSETS; index += 1) record.add(seriesOf(index));
const seconds = (performance.now() - startedAt) / 1000;
const { ratings, defaults } = record.result();

console.log(
  JSON.stringify(
    {
      state_bytes: text.length,
      publish_microseconds: publishing,
      of_limit: round(publishing / 100),
      parse_state_microseconds: parsing,
      publish_to_parse: round(publishing / parsing),
      track_record: {
        assets: ASSETS,
        ratings,
        defaults,
        seconds: round(seconds),
        assets_a_second: Math.round(ASSETS / seconds),
        rss_mb: Math.round(process.memoryUsage.rss() / 1e6),
      },
    },
    null,
    1,
  ),
);

function publishAt(asOf: string, before: PublicationState | null, wobble: number) {
  const score = rating.score === null ? null : rating.score - wobble / 10;
  return publish(
    {
      rating: { ...rating, score },
      technical: null,
      consensus,
      identification,
      sources,
      jobId: 'job',
      asOf,
      previous: before,
    },
    methodology,
  );
}

/** One asset in fifty fails in the middle of its year. */
function seriesOf(index: number): RatedSeries {
  const score = 20 + ((index * 37) % 700) / 10;
  return {
    assetId: `asset ${index}`,
    symbol: null,
    ratings: year.map((asOf, day) =>
      index % 50 === 0 && day > 180
        ? { asOf, band: 'D' as const, score: 3 }
        : { asOf, band: score > 65 ? ('BBB' as const) : ('B' as const), score },
    ),
  };
}

function microseconds(times: number, work: () => unknown): number {
  for (let index = 0; index < times / 10; index += 1) work();
  const started = performance.now();
  for (let index = 0; index < times; index += 1) work();
  return round(((performance.now() - started) / times) * 1000);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
