import { AssayConnectionError } from './errors.ts';

/** The text of a reply of at most `mostBytes` decoded bytes: a short compressed reply can expand to a very long one. */
export async function readBody(response: Response, mostBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > mostBytes) {
      await reader.cancel().catch(() => undefined);
      throw new AssayConnectionError('too_large', `the reply is larger than ${mostBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
