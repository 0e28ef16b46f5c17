import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { askOverHttp } from '../mcp/index.ts';
import type { Command } from './context.ts';
import { MANUAL } from './manual.ts';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

export const mcpCommand: Command = {
  ...MANUAL.mcp,
  async run(args, { terminal, config }) {
    const { values } = parseArgs({ args: [...args], options: { url: { type: 'string', default: config.mcpUrl } } });
    const url = values.url.replace(/\/+$/, '');
    const wrong =
      !/^https?:\/\//i.test(url) || !URL.canParse(url)
        ? '--url: expected a url starting with http:// or https://'
        : config.mcpKey === null
          ? 'ASSAY_MCP_KEY: set it to an API key of the service (assay keys create makes one)'
          : null;
    if (wrong !== null || config.mcpKey === null) {
      terminal.err(wrong ?? '');
      return 64;
    }
    // The SDK takes half a second to load: no other command is to wait for it.
    const { createMcpServer } = await import('../mcp/server.ts');
    const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
    const server = createMcpServer({
      ask: askOverHttp(url, config.mcpKey),
      version,
      scoringPath: config.scoringPath,
    });
    const ended = new Promise<void>((resolve) => {
      server.onclose = resolve;
      process.stdin.once('end', () => void server.close());
    });
    await server.connect(new StdioServerTransport());
    // Standard output is the protocol’s alone.
    terminal.err(`assay mcp: asking ${url}`);
    await ended;
    return 0;
  },
};
