import fc from 'fast-check';

/**
 * Loaded before each test file: properties draw from the seed in `ASSAY_PROPERTY_SEED`, so that the same commit is tested
 * with the same values anywhere; without it from one of their own.
 */
const seed = Number(process.env.ASSAY_PROPERTY_SEED);
if (Number.isInteger(seed) && seed !== 0) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
