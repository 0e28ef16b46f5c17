import type { Static, TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Reply } from '../contract/index.ts';
import type { Result } from '../domain/index.ts';
import type { ApiReply, ApiRequest } from './request.ts';

/** Why a tool has no result, as text, with the API’s reply when there was one. */
export interface ToolFailure {
  readonly detail: string;
  readonly reply?: ApiReply;
}

/** Services for a tool. */
export interface ToolTools {
  /** Sends a request to the API; returns the body of a 2xx reply when it fits `schema`. */
  readonly send: <Schema extends TSchema>(
    request: Omit<ApiRequest, 'timeoutMs'> & { readonly timeoutMs?: number },
    schema: Schema,
  ) => Promise<Result<Reply<Schema>, ToolFailure>>;
  readonly scoringPath: string;
  /** Reports progress to the caller, if the caller requested it. */
  readonly progress: (done: number, total: number, message: string) => void;
}

/** One tool: its input, its output and its requests. */
export interface Tool<Input extends TObject = TObject, Output extends TObject = TObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** False: it makes the service send requests to outside sources. */
  readonly readsOnly: boolean;
  readonly run: (given: Static<Input>, tools: ToolTools) => Promise<Result<Static<Output>, ToolFailure>>;
}

/** A tool that accepts any input, and runs only when it is valid: `errors` lists every error. */
export interface AnyTool extends Omit<Tool, 'run'> {
  readonly start: (
    given: unknown,
    tools: ToolTools,
  ) =>
    | { readonly ok: true; readonly result: Promise<Result<object, ToolFailure>> }
    | { readonly ok: false; readonly errors: readonly string[] };
}

export function defineTool<Input extends TObject, Output extends TObject>(tool: Tool<Input, Output>): AnyTool {
  const check = Compile(tool.input);
  const { run, ...shown } = tool;
  return {
    ...shown,
    start(given, tools) {
      if (check.Check(given)) return { ok: true, result: run(given as Static<Input>, tools) };
      const errors = check
        .Errors(given)
        .filter(({ keyword }) => keyword !== 'additionalProperties')
        .map(({ instancePath, message, keyword }) =>
          keyword === 'boolean'
            ? `${instancePath}: is not an argument of this tool`
            : `${instancePath || 'arguments'}: ${message}`,
        );
      return { ok: false, errors: errors.slice(0, 10) };
    },
  };
}
