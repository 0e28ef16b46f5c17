import { ok, type Result } from '../domain/index.ts';
import type { ApiReply, ApiRequest, SendRequest } from './request.ts';

/** A full breakdown is about 50 KB. */
const MOST_BYTES = 8_388_608;

/** A reply as text, of any accepted type. */
export interface TextReply {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/**
 * Sends requests to a service at `baseUrl` (without a slash at its end) with a key. Redirects are not followed, so that
 * the key is not sent elsewhere.
 */
export function requestOverHttp(baseUrl: string, apiKey: string): SendRequest {
  const send = textOverHttp(baseUrl, apiKey);
  return async ({ body, ...request }, signal) => {
    const json = body === undefined ? {} : { body: JSON.stringify(body), type: 'application/json' };
    const result = await send({ ...request, ...json, accept: 'application/json' }, signal);
    if (!result.ok) return result;
    const { status, retryAfter, text } = result.value;
    return ok({ status, retryAfter, body: readJson(text) });
  };
}

/** As `requestOverHttp`, with bodies of any type. */
export function textOverHttp(baseUrl: string, apiKey: string) {
  return async (
    {
      method,
      path,
      body,
      type,
      accept,
      headers,
      timeoutMs,
    }: Pick<ApiRequest, 'path' | 'headers' | 'timeoutMs'> & {
      readonly method: ApiRequest['method'] | 'DELETE';
      readonly body?: string | Uint8Array<ArrayBuffer>;
      /** Media type of the body. */
      readonly type?: string;
      readonly accept: string;
    },
    signal: AbortSignal,
  ): Promise<Result<TextReply, { readonly detail: string }>> => {
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(baseUrl + path, {
        method,
        headers: { ...headers, accept, 'x-api-key': apiKey, ...(type === undefined ? {} : { 'content-type': type }) },
        body: body ?? null,
        redirect: 'error',
        signal: AbortSignal.any([signal, limit]),
      });
      const text = await readText(response);
      if (text === null) return { ok: false, detail: `${baseUrl} replied with more than ${MOST_BYTES} bytes` };
      return ok({ status: response.status, retryAfter: response.headers.get('retry-after'), text });
    } catch {
      if (signal.aborted) return { ok: false, detail: 'the call was cancelled' };
      return {
        ok: false,
        detail: limit.aborted
          ? `${baseUrl} gave no reply within ${timeoutMs / 1000} s`
          : `${baseUrl} cannot be reached; check that the service is running there`,
      };
    }
  };
}

async function readText(response: Response): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** JSON of a reply; null where it is malformed. */
export function readJson(text: string): ApiReply['body'] {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
