import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

export interface PackedClient {
  /** An empty project that has the packed client and nothing else. */
  readonly project: string;
  readonly remove: () => Promise<void>;
}

/** Packs `client/` as it would be published, and installs it where nothing of this repository is. */
export async function packedClient(): Promise<PackedClient> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-client-'));
  const project = join(folder, 'project');
  await mkdir(project);
  // Packed from a copy: packing builds, and the tree stays as it is.
  await cp(join(ROOT, 'client'), join(folder, 'client'), { recursive: true });
  const env = { ...process.env, PATH: [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter) };
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(folder, 'client'),
    env,
  });
  const { filename } = (JSON.parse(packed.stdout.slice(packed.stdout.indexOf('['))) as [{ filename: string }])[0];
  await writeFile(join(project, 'package.json'), '{"type":"module","private":true}');
  const quietly = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...quietly, join(folder, filename)], { cwd: project, env });
  return { project, remove: () => rm(folder, { recursive: true, force: true }) };
}
