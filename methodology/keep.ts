import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import canonicalize from 'canonicalize';
import { complaints } from '../src/methodology/complaints.ts';

/** Kind of change: MAJOR changes the meaning of a rating, MINOR its computation, PATCH a number or an error. */
type Kind = 'MAJOR' | 'MINOR' | 'PATCH';

export interface Change {
  readonly kind: Kind;
  readonly reason: string;
  readonly effect: string;
  /** YYYY-MM-DD. */
  readonly date: string;
}

/** The version after `version` for a change of that kind. */
export function versionAfter(version: string, kind: Kind): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (kind === 'MAJOR') return `${major + 1}.0.0`;
  return kind === 'MINOR' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/**
 * Text of `methodology.json` as a new version: its number, its date and a line in the log of changes. Everything else
 * stays as in `text`, to the byte, including edited numbers.
 */
export function asNewVersion(text: string, version: string, change: Change): string {
  const { kind, reason, effect, date } = change;
  const entry = JSON.stringify({ version, date, kind, reason, effect }, null, 2).replaceAll('\n', '\n    ');
  return text
    .replace(/^( {2}"version": )"[^"]*"/m, (_, key: string) => `${key}"${version}"`)
    .replace(/^( {2}"date": )"[^"]*"/m, (_, key: string) => `${key}"${date}"`)
    .replace(/^( {2}"changes": \[\n)/m, (line) => `${line}    ${entry},\n`);
}

const FOLDER = new URL('./', import.meta.url);
const USAGE = 'npm run methodology:keep -- --kind MAJOR|MINOR|PATCH --reason TEXT --effect TEXT';

/**
 * Stores the committed version in `versions/`, with its hash, and makes the file of the working tree the next version.
 * Its numbers may be changed before or after: the stored file is that of the last commit.
 */
function main(): void {
  const options = { kind: { type: 'string' }, reason: { type: 'string' }, effect: { type: 'string' } } as const;
  const { kind, reason = '', effect = '' } = parseArgs({ options }).values;
  if ((kind !== 'MAJOR' && kind !== 'MINOR' && kind !== 'PATCH') || reason === '' || effect === '')
    refuse(`usage: ${USAGE}`);
  const current = new URL('methodology.json', FOLDER);
  const committed = execFileSync('git', ['show', 'HEAD:./methodology.json'], { cwd: FOLDER, encoding: 'utf8' });
  const { version } = JSON.parse(committed) as { readonly version: string };
  const text = readFileSync(current, 'utf8');
  const working = JSON.parse(text) as { readonly version: string };
  if (working.version !== version)
    refuse(`methodology.json is ${working.version} already, and ${version} is the one of the last commit`);
  const kept = new URL(`versions/${version}.json`, FOLDER);
  if (existsSync(kept) && hashOf(readFileSync(kept, 'utf8')) !== hashOf(committed))
    refuse(`versions/${version}.json is there with other numbers`);
  const next = versionAfter(version, kind);
  const written = asNewVersion(text, next, { kind, reason, effect, date: new Date().toISOString().slice(0, 10) });
  const found = complaints(JSON.parse(written));
  if (found.length > 0) refuse(found.slice(0, 5).join('\n'));
  const hashes = new URL('versions/hashes.json', FOLDER);
  const known = JSON.parse(readFileSync(hashes, 'utf8')) as Readonly<Record<string, string>>;
  writeFileSync(kept, committed);
  writeFileSync(hashes, `${JSON.stringify({ [version]: hashOf(committed), ...known }, null, 2)}\n`);
  writeFileSync(current, written);
  console.log(`kept ${version}; methodology.json is ${next}`);
}

/** As ratings name it: SHA-256 of the canonical JSON. */
function hashOf(text: string): string {
  return createHash('sha256')
    .update(canonicalize(JSON.parse(text)) ?? '')
    .digest('hex');
}

function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
