import { after } from 'node:test';
import fc from 'fast-check';

/**
 * Loaded before each test file: properties draw from the seed in `ASSAY_PROPERTY_SEED`, so that the same commit is tested
 * with the same values anywhere; without it from one of their own.
 */
const seed = Number(process.env.ASSAY_PROPERTY_SEED);
if (Number.isInteger(seed) && seed !== 0) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

/** Milliseconds that a file may take to end after its last test: its own clean-up, of database servers too, comes after ours. */
const MOST_IDLE_MS = 60_000;
// The runner's timeout ends a test, not its file: a server that a failed test left open would keep the run waiting for ever. Ending
// at once (--test-force-exit) loses results that are still on their way to the runner.
if (process.env.NODE_TEST_CONTEXT !== undefined)
  after(() => {
    setTimeout(() => {
      console.error(
        `${process.argv[1]} has not ended ${MOST_IDLE_MS / 1000} s after its last test: something is still open`,
      );
      process.exit(1);
    }, MOST_IDLE_MS).unref();
  });
