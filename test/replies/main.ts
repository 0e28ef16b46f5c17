/**
 * `npm run -s replies -- --data DIR [--json]`: holds the adapters against recorded replies. DIR has `index.json`, a list of
 * {file, source, endpoint, asset, params, headers, status, fetched_at, checks}, and the bodies. Exits 0 when every reading is right, 1 when one is wrong.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkReplies } from './run.ts';

const { values } = parseArgs({ options: { data: { type: 'string' }, json: { type: 'boolean' } } });
if (values.data === undefined) {
  process.stderr.write('usage: npm run -s replies -- --data DIR [--json]\n');
  process.exit(64);
}
const result = await checkReplies(resolve(values.data));
if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`);
else {
  for (const row of result.wrong)
    process.stdout.write(
      `${row.file}  ${row.quantity}  ${row.scope}\n  want ${JSON.stringify(row.want)}\n  got  ${JSON.stringify(row.got)}\n`,
    );
  for (const [name, sum] of Object.entries(result.endpoints).sort())
    process.stdout.write(
      `${name.padEnd(36)} ${String(sum.replies).padStart(4)} replies ${String(sum.readings).padStart(6)} readings ${String(sum.wrong).padStart(4)} wrong ${String(sum.unread).padStart(5)} not read\n`,
    );
  process.stdout.write(
    `${result.readings} readings, ${result.right} right, ${result.wrong.length} wrong; ${result.unread} checks of what no adapter reads\n`,
  );
}
process.exitCode = result.wrong.length === 0 ? 0 : 1;
