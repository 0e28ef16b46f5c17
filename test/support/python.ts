import { spawnSync } from 'node:child_process';

/** The first Python from 3.11 on, of this machine, that has the modules; null where there is none. */
export function pythonWith(modules: readonly string[]): string | null {
  const program = `import sys; assert sys.version_info >= (3, 11)\n${modules.map((name) => `import ${name}\n`).join('')}print(sys.executable)`;
  for (const command of ['python3', '/usr/bin/python3']) {
    const { status, stdout } = spawnSync(command, ['-c', program], { encoding: 'utf8' });
    if (status === 0) return stdout.trim();
  }
  return null;
}
