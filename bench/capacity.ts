import { parseArgs } from 'node:util';
import { capacityRun } from './capacity/run.ts';

/**
 * Listed assets scored one after the other by a service without a single key, with the sources' request budgets in force on both
 * sides: the service applies its own, the sandbox's sources refuse requests beyond theirs. Each asset is also scored by a
 * service without budgets, at the same moment of the same world: band and flags must be equal.
 * `--pace 10` runs ten times as fast: budgets, limits and the deadline of a score are scaled, times are reported unscaled.
 */
const { values } = parseArgs({
  options: { assets: { type: 'string', default: '100' }, pace: { type: 'string', default: '1' } },
});
const result = await capacityRun({
  assets: Number(values.assets),
  pace: Number(values.pace),
  onAsset: (line) => process.stderr.write(`${line}\n`),
});
console.log(JSON.stringify(result, null, 1));
process.exit(0);
