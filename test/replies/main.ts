/**
 * `npm run -s replies -- --data DIR [--json]`: holds the adapters against recorded replies. DIR has `index.json`, a list of
 * {file, source, endpoint, asset, params, headers, status, fetched_at, checks}, and the bodies. Exits 0 when every reading is right, 1 when one is wrong.
 * With `--plants` the recordings are served on loopback and `assay sources prove` has to find each mistake that is planted into them.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PLANTS, type PlantName, plantEverywhere } from './plants.ts';
import { checkReplies } from './run.ts';
import { serveReplies } from './served.ts';

const { values } = parseArgs({
  options: { data: { type: 'string' }, json: { type: 'boolean' }, plants: { type: 'boolean' } },
});
if (values.data === undefined) {
  process.stderr.write('usage: npm run -s replies -- --data DIR [--json | --plants]\n');
  process.exit(64);
}
if (values.plants) {
  const replies = await serveReplies(resolve(values.data));
  const clean = await replies.prove(replies.rows);
  process.stdout.write(`${replies.rows.length} replies served, ${clean.length} findings without a plant\n`);
  for (const row of clean) process.stdout.write(`  ${row.asset}: ${row.text}\n`);
  for (const name of Object.keys(PLANTS) as PlantName[]) {
    const { planted, found, missed } = await plantEverywhere(replies, name);
    process.stdout.write(
      `${name.padEnd(22)} planted ${planted}, found ${found}${missed.map((file) => `\n  missed ${file}`).join('')}\n`,
    );
    if (found < planted) process.exitCode = 1;
  }
  await replies.close();
  process.exit();
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
