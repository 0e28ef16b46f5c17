import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SandboxAddress } from '../sandbox/settings.ts';

interface SandboxProcess {
  readonly child: ChildProcess;
  readonly address: SandboxAddress;
}

/** Starts the sandbox in a process of its own, so that its work is not measured with the service's; resolves once it listens. */
export async function startSandboxProcess(): Promise<SandboxProcess> {
  const child = fork(fileURLToPath(new URL('../sandbox/main.ts', import.meta.url)), ['--seed', '1'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (!child.stdout) throw new Error('the sandbox has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, ca, http_port: httpPort, tls_port: tlsPort, registers: registersDir } = JSON.parse(line);
    return { child, address: { url, ca, httpPort, tlsPort, registersDir } };
  }
  throw new Error('the sandbox ended before it was ready');
}
