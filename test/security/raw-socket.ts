import { connect } from 'node:net';

/** Sends bytes as they are and gives all that comes back until the other side closes, or falls silent for `silentMs`. */
export function sendRaw(url: string, bytes: string | Buffer, silentMs = 400): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    let timer = setTimeout(done, silentMs * 3);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(done, silentMs);
    });
    socket.on('close', done);
    socket.on('error', done);
  });
}

/** Status lines of the replies in what came back. */
export function statusesIn(text: string): readonly number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => Number(status));
}
