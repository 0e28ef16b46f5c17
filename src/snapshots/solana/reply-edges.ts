/** First and last kilobytes of a reply that is not stored: its context (slot, errors, the key of the next page). */
export interface ReplyEdges {
  push(bytes: Uint8Array): void;
  readonly head: string;
  readonly tail: string;
  /** Bytes of the whole reply. */
  readonly bytes: number;
  /** Whether the reply begins and ends as one JSON object does; false when it was cut off. */
  readonly isWhole: boolean;
}

const EDGE_BYTES = 8 * 1024;

export function createReplyEdges(): ReplyEdges {
  let bytes = 0;
  let head = Buffer.alloc(0);
  const edge = Buffer.alloc(EDGE_BYTES);
  let kept = 0;
  const tail = () => edge.toString('utf8', 0, kept);
  return {
    push(given) {
      bytes += given.byteLength;
      if (head.length < EDGE_BYTES) head = Buffer.concat([head, given.subarray(0, EDGE_BYTES - head.length)]);
      const come = given.subarray(-EDGE_BYTES);
      const stay = Math.min(kept, EDGE_BYTES - come.byteLength);
      edge.copyWithin(0, kept - stay, kept);
      edge.set(come, stay);
      kept = stay + come.byteLength;
    },
    get head() {
      return head.toString('utf8');
    },
    get tail() {
      return tail();
    },
    get bytes() {
      return bytes;
    },
    get isWhole() {
      return /^\s*\{/.test(head.toString('utf8')) && /\}\s*$/.test(tail());
    },
  };
}
