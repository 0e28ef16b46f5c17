import type { Size } from './claim.ts';

/** The campaign as `npm run test:faults` runs it. */
export const FULL: Size = {
  seed: 1,
  kills: 100,
  roleKills: 40,
  failovers: 20,
  restarts: 10,
  upstreamFaults: 10_000,
  upstreamFrom: 0,
  cuts: 3,
  streams: 1_000,
  loadSeconds: 15,
  slowHeads: 300,
  clockSteps: 6,
  poisonJobs: 3,
  patience: 1,
};

/** A few of each, as part of `npm test`, beside other tests on the same cores. */
export const SHORT: Size = {
  seed: 1,
  kills: 1,
  roleKills: 1,
  failovers: 1,
  restarts: 1,
  upstreamFaults: 4,
  upstreamFrom: 0,
  cuts: 1,
  streams: 100,
  loadSeconds: 2,
  slowHeads: 30,
  clockSteps: 2,
  poisonJobs: 1,
  patience: 4,
};
