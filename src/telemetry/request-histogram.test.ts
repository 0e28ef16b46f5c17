import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Histogram, Registry } from 'prom-client';
import { RequestHistogram } from './request-histogram.ts';

const BOUNDS = [0.005, 0.1, 1];

test('the metrics page states the same as if prom-client had observed each request', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const about = { name: 'seconds', help: 'How long.' };
  const counted = new RequestHistogram(about.name, about.help, BOUNDS, ours);
  const observed = new Histogram({
    ...about,
    labelNames: ['route', 'method', 'status'],
    buckets: BOUNDS,
    registers: [theirs],
  });
  assert.equal(await ours.metrics(), await theirs.metrics());
  for (const [route, method, status, seconds] of [
    ['/v1/rms', 'GET', 200, 0.004],
    ['/v1/rms', 'GET', 200, 0.005],
    ['/v1/rms', 'GET', 200, 0.0051],
    ['/v1/rms', 'GET', 404, 1],
    ['/v1/rms', 'HEAD', 200, 0],
    ['/v1/score', 'POST', 202, 1.5],
    ['/v1/rms', 'GET', 200, 40],
  ] as const) {
    counted.ended(route, method, status, seconds);
    observed.observe({ route, method, status }, seconds);
  }
  const sorted = (text: string) => text.split('\n').sort();
  assert.deepEqual(sorted(await ours.metrics()), sorted(await theirs.metrics()));
  assert.deepEqual(await plain(ours), await plain(theirs));
  ours.resetMetrics();
  theirs.resetMetrics();
  assert.equal(await ours.metrics(), await theirs.metrics());
});

/** Without examples of traces, which nothing here gives. */
async function plain(registry: Registry): Promise<unknown> {
  return JSON.parse(
    JSON.stringify(await registry.getMetricsAsJSON(), (name, value) => (name === 'exemplar' ? undefined : value)),
  );
}
