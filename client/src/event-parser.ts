import { AssayConnectionError } from './errors.ts';

/** A server-sent event. */
export interface ServerEvent {
  readonly type: string;
  readonly id: string;
  readonly data: string;
}

export interface EventParser {
  /** Takes the next chunk of the stream, split anywhere; returns the events that it completes. */
  feed(piece: string): ServerEvent[];
  /** Id to resume after; empty before the first. */
  readonly lastEventId: string;
  /** Milliseconds that the server wants the client to wait before reconnecting; null if not stated. */
  readonly retryMs: number | null;
}

const MOST_CHARACTERS = 4_194_304;

/** Reads `text/event-stream` (HTML standard, 9.2.6). Throws `AssayConnectionError` for an event beyond 4 Mi characters. */
export function createEventParser(lastEventId = ''): EventParser {
  let rest = '';
  let begun = false;
  let afterReturn = false;
  let type = '';
  let data: string[] = [];
  let size = 0;
  let id = lastEventId;
  let settledId = lastEventId;
  let retryMs: number | null = null;

  function line(text: string): ServerEvent | null {
    if (text === '') return dispatch();
    const colon = text.indexOf(':');
    if (colon === 0) return null;
    const field = colon < 0 ? text : text.slice(0, colon);
    const raw = colon < 0 ? '' : text.slice(colon + 1);
    const value = raw.startsWith(' ') ? raw.slice(1) : raw;
    if (field === 'event') type = value;
    else if (field === 'data') {
      size += value.length;
      if (size > MOST_CHARACTERS) throw tooLarge();
      data.push(value);
    } else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) retryMs = Number(value);
    return null;
  }

  function dispatch(): ServerEvent | null {
    settledId = id;
    const event = data.length > 0 ? { type: type || 'message', id, data: data.join('\n') } : null;
    type = '';
    data = [];
    size = 0;
    return event;
  }

  return {
    feed(piece) {
      if (piece === '') return [];
      let text = begun ? piece : piece.replace(/^\ufeff/, '');
      begun = true;
      // The second half of a line end that was split between chunks.
      if (afterReturn && text.startsWith('\n')) text = text.slice(1);
      afterReturn = piece.endsWith('\r');
      const lines = (rest + text).split(/\r\n|\r|\n/);
      rest = lines.pop() ?? '';
      if (rest.length > MOST_CHARACTERS) throw tooLarge();
      return lines.map(line).filter((event) => event !== null);
    },
    get lastEventId() {
      return settledId;
    },
    get retryMs() {
      return retryMs;
    },
  };
}

function tooLarge(): AssayConnectionError {
  return new AssayConnectionError('too_large', `an event is larger than ${MOST_CHARACTERS} characters`);
}
