/** `npm run -s assertions`: the forty statements of methodology 1.0.0 about well-known assets, with computed scores. Exit code 1 when one does not hold. */
import { loadMethodology } from '../../src/methodology/index.ts';
import { holdAssertions, readAssets } from './assertions.ts';

const rows = holdAssertions(await readAssets(), loadMethodology());
for (const { number, says, design, found, broken } of rows) {
  process.stdout.write(`${String(number).padStart(2)} ${broken.length === 0 ? ' ' : '!'} ${says} (design ${design})\n`);
  for (const row of [...found, ...broken.map((text) => `BROKEN: ${text}`)]) process.stdout.write(`       ${row}\n`);
}
const held = rows.filter(({ broken }) => broken.length === 0).length;
process.stdout.write(`${held} of ${rows.length} hold\n`);
process.exitCode = held === rows.length ? 0 : 1;
