import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why tests against GnuPG are skipped; false: it is there. */
export const noGpg: string | false =
  spawnSync('gpg', ['--version']).status === 0 ? false : 'GnuPG (gpg) is not on this machine';

/** GnuPG with a home of its own, whose clock stands where it is told to. */
export interface Gpg {
  /** Standard output of a call; throws with what it complained of. */
  run(args: readonly string[], at: string, input?: string): string;
  /** A new key without a passphrase: its fingerprint. `algorithm` and `usage` as `--quick-generate-key` takes them. */
  key(name: string, algorithm: string, at: string, usage?: string, expires?: string): string;
  /** The armoured public key. */
  publicKey(name: string): string;
  /** A detached armoured signature of a text. */
  sign(name: string, text: string, at: string, ...more: readonly string[]): string;
  close(): void;
}

/** `at` everywhere: RFC 3339 UTC. */
export function openGpg(): Gpg {
  const home = mkdtempSync(join(tmpdir(), 'gpg-'));
  writeFileSync(join(home, 'gpg-agent.conf'), 'allow-loopback-pinentry\n');
  const run: Gpg['run'] = (args, at, input = '') => {
    const clock = at.replaceAll(/[-:]|\.\d+|Z/g, '');
    const done = spawnSync(
      'gpg',
      ['--homedir', home, '--batch', '--yes', '--no-tty', '--faked-system-time', `${clock}!`]
        .concat(['--pinentry-mode', 'loopback', '--passphrase', ''])
        .concat(args),
      { input, encoding: 'utf8' },
    );
    if (done.status !== 0) throw new Error(`gpg ${args.join(' ')}: ${done.stderr}`);
    return done.stdout;
  };
  return {
    run,
    key(name, algorithm, at, usage = 'sign', expires = 'never') {
      run(['--quick-generate-key', `${name} <${name}@example.com>`, algorithm, usage, expires], at);
      const rows = run(['--with-colons', '--list-keys', `<${name}@example.com>`], at).split('\n');
      return rows.find((row) => row.startsWith('fpr:'))?.split(':')[9] ?? '';
    },
    publicKey: (name) => run(['--armor', '--export', `<${name}@example.com>`], '2026-11-20T12:00:00Z'),
    sign: (name, text, at, ...more) =>
      run([...more, '--local-user', `<${name}@example.com>`, '--armor', '--output', '-', '--detach-sign'], at, text),
    close() {
      spawnSync('gpgconf', ['--homedir', home, '--kill', 'all']);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
