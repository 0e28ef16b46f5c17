import { failover } from '../test/faults/claims/failover.ts';
import { FULL } from '../test/faults/sizes.ts';

/**
 * A primary database with a synchronous standby, killed under load again and again (default 20): what was lost or doubled
 * (the limit is none), and the time until the service acknowledges a write again, beside the part of it in which the
 * standby was promoted, which no service can shorten.
 */
const failovers = Number(process.argv[2] ?? FULL.failovers);
const { broken, figures } = await failover.run({ ...FULL, failovers });
console.log(JSON.stringify({ failovers, broken, ...figures }, null, 1));
process.exit(broken.length === 0 ? 0 : 1);
