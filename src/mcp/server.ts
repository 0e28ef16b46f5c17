import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { ok } from '../domain/index.ts';
import { failureView } from './failure.ts';
import { ABOUT_UNTRUSTED } from './outside-text.ts';
import type { SendRequest } from './request.ts';
import type { AnyTool, ToolFailure, ToolTools } from './tool.ts';
import { checkPolicy } from './tools/check-policy.ts';
import { checkPortfolio } from './tools/check-portfolio.ts';
import { compare } from './tools/compare.ts';
import { explainRating } from './tools/explain-rating.ts';
import { getHolders } from './tools/get-holders.ts';
import { getMarket } from './tools/get-market.ts';
import { getPools } from './tools/get-pools.ts';
import { getRating } from './tools/get-rating.ts';
import { indexAsset } from './tools/index-asset.ts';
import { listWatchlist } from './tools/list-watchlist.ts';
import { scoreProject } from './tools/score-project.ts';

export interface McpOptions {
  readonly send: SendRequest;
  readonly version: string;
  /** Path of POST /v1/score. */
  readonly scoringPath: string;
}

const TOOLS: readonly AnyTool[] = [
  scoreProject,
  getRating,
  explainRating,
  compare,
  checkPolicy,
  checkPortfolio,
  getMarket,
  getHolders,
  getPools,
  indexAsset,
  listWatchlist,
];
const READ_WITHIN_MS = 30_000;

const INSTRUCTIONS = [
  'Assay rates crypto assets from public sources that are checked against each other. A rating is an opinion about risk, not investment advice: state this when you report one.',
  'Trust (0-100, with its basis) is about the evidence, never about the asset: a bad rating with high trust is well founded. null means not known; do not fill it in.',
  'Report as_of (when the facts were true) or age with every number. data_mode sandbox is a fictional world: state this.',
  ABOUT_UNTRUSTED,
].join(' ');

/** An MCP server over the service’s own API; connect it to one transport. */
export function createMcpServer(options: McpOptions): Server {
  const server = new Server(
    { name: 'assay', title: 'Assay', version: options.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS.map(listed) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `there is no tool of this name; there are ${NAMES}`);
    const token = params._meta?.progressToken;
    const tools = toolsOf(options, extra.signal, (progress, total, message) => {
      if (token === undefined) return;
      const told = { progressToken: token, progress, total, message };
      // No notification to a client that has disconnected.
      extra.sendNotification({ method: 'notifications/progress', params: told }).catch(() => undefined);
    });
    const started = tool.start(params.arguments ?? {}, tools);
    if (!started.ok) return failed({ error: { code: 'invalid_arguments', errors: started.errors } });
    const result = await started.result;
    return result.ok ? toolResult(result.value) : failed(failureView(result));
  });
  return server;
}

const NAMES = TOOLS.map(({ name }) => name).join(', ');

function listed({ name, title, description, input, output, readsOnly }: AnyTool) {
  return {
    name,
    title,
    description,
    inputSchema: plain(input),
    outputSchema: plain(output),
    annotations: { readOnlyHint: readsOnly, destructiveHint: false, idempotentHint: true, openWorldHint: !readsOnly },
  };
}

/** A schema in the form that other implementations read. */
function plain(schema: TSchema): { type: 'object'; [member: string]: unknown } {
  return { ...(JSON.parse(JSON.stringify(schema)) as object), type: 'object' };
}

/** Result as structured content, and as text for clients that read only text. */
function toolResult(value: object): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value as Record<string, unknown>,
  };
}

/** Failure as text only: clients validate structured content against the schema of the result, even for a failure. */
function failed(value: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], isError: true };
}

function toolsOf({ send, scoringPath }: McpOptions, signal: AbortSignal, progress: ToolTools['progress']): ToolTools {
  return {
    scoringPath,
    progress,
    async send(request, schema) {
      const result = await send({ timeoutMs: READ_WITHIN_MS, ...request }, signal);
      if (!result.ok) return result;
      const reply = result.value;
      if (reply.status < 200 || reply.status > 299) return { ok: false, detail: 'the service refused', reply };
      if (validatorOf(schema).Check(reply.body)) return ok(reply.body as never);
      if (reply.status === 202) return { ok: false, detail: 'the data do not exist yet', reply };
      return {
        ok: false,
        detail: 'the service replied in an unknown form; it may be another version',
      } satisfies {
        ok: false;
      } & ToolFailure;
    },
  };
}

type Validator = ReturnType<typeof Compile>;
const validators = new WeakMap<TSchema, Validator>();

/** Cached: compiling takes milliseconds, and over HTTP a server lives for one message. */
function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator;
}
