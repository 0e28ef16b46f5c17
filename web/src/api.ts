import { readKey } from './session.ts';

/** A problem reply (RFC 9457), or what stands for one when no reply came. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly candidates?: readonly {
    readonly id: string;
    readonly chain: string;
    readonly name: string | null;
    readonly band: string;
  }[];
}

export type Reply<T> =
  | { readonly ok: true; readonly value: T; readonly status: number }
  | { readonly ok: false; readonly problem: Problem };

export interface Wish {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** One request to this service with the tab's key. A refusal is a value, never an exception. */
export async function ask<T>(path: string, wish: Wish = {}): Promise<Reply<T>> {
  const sent = await send(path, wish);
  if (!sent.ok) return sent;
  try {
    const text = await sent.value.text();
    const value = (text === '' ? null : JSON.parse(text)) as T;
    // A snapshot that is on its way is accepted (202), and no snapshot.
    const awaited = value as Partial<Problem> | null;
    if (sent.status === 202 && awaited?.code === 'no_snapshot_yet')
      return { ok: false, problem: { code: awaited.code, title: '', detail: '', ...awaited, status: sent.status } };
    return { ok: true, value, status: sent.status };
  } catch {
    return { ok: false, problem: wish.signal?.aborted ? STOPPED : UNREACHABLE };
  }
}

/** The same, with the reply itself: for files and streams. */
export async function send(path: string, wish: Wish = {}): Promise<Reply<Response>> {
  const headers = new Headers(wish.headers);
  const key = readKey();
  if (key !== null) headers.set('x-api-key', key);
  if (wish.json !== undefined) headers.set('content-type', 'application/json');
  let response: Response;
  try {
    response = await fetch(path, {
      method: wish.method ?? 'GET',
      headers,
      cache: 'no-cache',
      ...(wish.json === undefined ? {} : { body: JSON.stringify(wish.json) }),
      ...(wish.signal ? { signal: wish.signal } : {}),
    });
  } catch {
    return { ok: false, problem: wish.signal?.aborted ? STOPPED : UNREACHABLE };
  }
  if (response.ok) return { ok: true, value: response, status: response.status };
  return { ok: false, problem: await problemOf(response) };
}

async function problemOf(response: Response): Promise<Problem> {
  const { status } = response;
  try {
    const body = (await response.json()) as Partial<Problem>;
    return { code: 'unknown', title: `The service answered ${status}`, detail: '', ...body, status };
  } catch {
    return { status, code: 'unknown', title: `The service answered ${status}`, detail: 'The reply could not be read.' };
  }
}

const STOPPED: Problem = { status: 0, code: 'stopped', title: 'Stopped', detail: '' };
const UNREACHABLE: Problem = {
  status: 0,
  code: 'unreachable',
  title: 'The service cannot be reached',
  detail: 'It may be starting again. Try once more in a moment.',
};

/** Saves a reply as a file; the key stays in the header. `onBytes` is told how much of it has come. */
export async function download(
  path: string,
  fileName: string,
  { accept, onBytes }: { readonly accept?: string; readonly onBytes?: (bytes: number) => void } = {},
): Promise<Problem | null> {
  const sent = await send(path, accept ? { headers: { accept } } : {});
  if (!sent.ok) return sent.problem;
  const file = await received(sent.value, onBytes);
  if (file === null) return CUT_OFF;
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return null;
}

/** The whole of a reply; null when it broke off. */
async function received(reply: Response, onBytes: (bytes: number) => void = () => undefined): Promise<Blob | null> {
  const reader = reply.body?.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  try {
    while (reader) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      bytes += value.byteLength;
      onBytes(bytes);
    }
  } catch {
    return null;
  }
  return new Blob(parts, { type: reply.headers.get('content-type') ?? '' });
}

const CUT_OFF: Problem = {
  status: 0,
  code: 'cut_off',
  title: 'The file broke off',
  detail: 'Nothing was saved. Try once more.',
};
