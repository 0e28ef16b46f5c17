import { failover } from '../test/faults/claims/failover.ts';
import { FULL } from '../test/faults/sizes.ts';

/**
 * A primary database with a synchronous standby, killed under load repeatedly (default 20): lost or duplicate writes
 * (the limit is none), and the time until the service acknowledges a write again, compared with the part of it in which the
 * standby was promoted, a lower limit for any service.
 */
const failovers = Number(process.argv[2] ?? FULL.failovers);
const { broken, figures } = await failover.run({ ...FULL, failovers });
console.log(JSON.stringify({ failovers, broken, ...figures }, null, 1));
process.exit(broken.length === 0 ? 0 : 1);
