import { ok } from '../domain/index.ts';
import type { ApiReply, Ask } from './ask.ts';

/** A full breakdown is some 50 KB. */
const MOST_BYTES = 8_388_608;

/** Asks a service at `baseUrl` (no slash at its end) with a key. Redirects are not followed: the key stays there. */
export function askOverHttp(baseUrl: string, apiKey: string): Ask {
  return async ({ method, path, body, headers, timeoutMs }, signal) => {
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          ...headers,
          accept: 'application/json',
          'x-api-key': apiKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.any([signal, limit]),
      });
      const text = await readText(response);
      if (text === null) return { ok: false, detail: `${baseUrl} answered with more than ${MOST_BYTES} bytes` };
      return ok({ status: response.status, retryAfter: response.headers.get('retry-after'), body: readJson(text) });
    } catch {
      if (signal.aborted) return { ok: false, detail: 'the call was cancelled' };
      return {
        ok: false,
        detail: limit.aborted
          ? `${baseUrl} gave no reply within ${timeoutMs / 1000} s`
          : `${baseUrl} cannot be reached: is the service running there?`,
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

/** JSON of a reply; null where it is none. */
export function readJson(text: string): ApiReply['body'] {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
