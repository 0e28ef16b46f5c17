import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hear } from '../../src/sources/fixtures/drive.ts';
import type { Endpoint, Params } from '../../src/sources/source.ts';

/** No body of a host makes an endpoint throw, and one that is not an answer gives no observations. */
export function expectNothingOfGarbage(
  endpoints: readonly Endpoint[],
  paramsOf: (endpoint: Endpoint) => Params | undefined,
  bodies: fc.Arbitrary<unknown>,
): void {
  for (const endpoint of endpoints) {
    const params = paramsOf(endpoint);
    assert.ok(params, endpoint.name);
    fc.assert(
      fc.property(bodies, (body) => {
        const heard = hear(endpoint, params, body);
        if (heard.outcome !== 'ok') assert.equal(heard.drafts.length, 0);
      }),
      { numRuns: 60 },
    );
  }
}
