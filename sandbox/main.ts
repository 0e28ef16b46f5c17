import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startSandbox } from './server.ts';
import { worldNamed } from './world/world.ts';

/**
 * The sandbox as a process of its own. Prints one JSON line when it is ready; ends with its parent, or on SIGINT and
 * SIGTERM.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    // `fiction`, or `earth`: real assets with values of a past day.
    world: { type: 'string', default: 'fiction' },
    // How far the world begins before the present; POST /__control/clock advances it.
    'behind-ms': { type: 'string', default: '0' },
    // Further healthy projects beside those of the world.
    copies: { type: 'string', default: '0' },
    // When the world began (Unix ms); without it now.
    anchor: { type: 'string' },
  },
});
// The process has no persistent state, so it may end at any moment. A killed parent closes the channel.
for (const event of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(event, () => process.exit(0));

const { url, ca, httpPort, tlsPort, registersDir } = await startSandbox({
  seed: Number(values.seed),
  name: worldNamed(values.world),
  port: Number(values.port),
  host: '127.0.0.1',
  now: () => Date.now() - Number(values['behind-ms']),
  copies: Number(values.copies),
  ...(values.anchor === undefined ? {} : { anchor: Number(values.anchor) }),
});
const ready = {
  ready: true,
  url,
  http_port: httpPort,
  tls_port: tlsPort,
  control: `${url}/__control/world`,
  registers: registersDir,
  ca,
};
process.once('exit', () => registersDir !== null && rmSync(registersDir, { recursive: true, force: true }));
process.stdout.write(`${JSON.stringify(ready)}\n`);
