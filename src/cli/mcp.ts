import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { serviceAddress } from '../config/index.ts';
import { requestOverHttp } from '../mcp/index.ts';
import type { Command } from './context.ts';
import { MANUAL } from './manual.ts';

const USUAL_URL = 'http://127.0.0.1:8080';
const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

export const mcpCommand: Command = {
  ...MANUAL.mcp,
  async run(args, { terminal, config }) {
    const { values } = parseArgs({ args: [...args], options: { url: { type: 'string' } } });
    const given = values.url ?? config.mcpUrl ?? config.serviceUrl ?? USUAL_URL;
    const url = serviceAddress.parse(given);
    const key = config.mcpKey ?? config.serviceKey;
    if (url === null || key === null) {
      terminal.err(
        url === null
          ? `--url: expected ${serviceAddress.expected}`
          : 'ASSAY_API_KEY: set it to an API key of the service (assay keys create makes one)',
      );
      return 64;
    }
    // Loaded lazily: the SDK takes half a second, which other commands must not wait for.
    const { createMcpServer } = await import('../mcp/server.ts');
    const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
    const server = createMcpServer({
      send: requestOverHttp(url, key),
      version,
      scoringPath: config.scoringPath,
    });
    const ended = new Promise<void>((resolve) => {
      server.onclose = resolve;
      process.stdin.once('end', () => void server.close());
    });
    await server.connect(new StdioServerTransport());
    // Standard output is reserved for the protocol.
    terminal.err(`assay mcp: sending requests to ${url}`);
    await ended;
    return 0;
  },
};
