import { isSignedBy, type Key } from './key.ts';
import { packetsOf, unarmored } from './packets.ts';
import { type Signature, signatureOf } from './signature.ts';

const MOST_SIGNATURE_BYTES = 4_000;
const OF_BYTES = 0x00;
const OF_TEXT = 0x01;

/**
 * The signature of an armoured block (detached, or below a clear-signed text), over bytes or text; null if there is not
 * exactly one.
 */
export function readSignature(armored: string): Signature | null {
  const bytes = unarmored(armored, 'SIGNATURE', MOST_SIGNATURE_BYTES);
  const packets = (bytes && packetsOf(bytes)) ?? [];
  const [packet] = packets;
  const signature = packet === undefined || packets.length !== 1 ? null : signatureOf(packet);
  return signature !== null && [OF_BYTES, OF_TEXT].includes(signature.type) ? signature : null;
}

/** The key among `keys` that made the signature over exactly these bytes; null if there is none. */
export function signerOf(keys: readonly Key[], signature: Signature, data: Uint8Array): Key | null {
  const whole = signature.type === OF_TEXT ? Buffer.from(withCrlf(Buffer.from(data).toString('utf8'))) : data;
  return madeBy(keys, signature, whole);
}

/**
 * The key among `keys` that made the signature of a text, with any line endings and with or without one at the end. The
 * content of a clear-signed text is not read, because the required text is known.
 */
export function signerOfText(keys: readonly Key[], signature: Signature, text: string): Key | null {
  const crlf = withCrlf(text);
  const forms = signature.type === OF_TEXT ? [crlf, `${crlf}\r\n`] : [text, `${text}\n`, crlf, `${crlf}\r\n`];
  for (const form of forms) {
    const key = madeBy(keys, signature, Buffer.from(form));
    if (key !== null) return key;
  }
  return null;
}

function madeBy(keys: readonly Key[], signature: Signature, data: Uint8Array): Key | null {
  return keys.find((key) => key.createdAt <= signature.createdAt && isSignedBy(key, signature, data)) ?? null;
}

const withCrlf = (text: string) => text.replaceAll(/\r?\n/g, '\r\n');
