import { createServer } from 'node:http';

/** Serves one synthetic getProgramAccounts reply of `count` token accounts, made once: half of them belong to repeated owners. */
const count = Number(process.argv[2]);
const BLOCK_ACCOUNTS = 100_000;
const PREFIX = '{"account":{"data":["';
const SUFFIX =
  '","base64"],"executable":false,"lamports":2039280,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","rentEpoch":18446744073709551615,"space":165},"pubkey":"';
const HEAD = Buffer.from('{"jsonrpc":"2.0","result":{"context":{"apiVersion":"3.0.0","slot":412345678},"value":[');
const TAIL = Buffer.from(']},"id":1}\n');
const slice = Buffer.alloc(40);

const blocks: Buffer[] = [];
let total = 0n;
for (let start = 0; start < count; start += BLOCK_ACCOUNTS) {
  const parts: string[] = [];
  for (let index = start; index < Math.min(count, start + BLOCK_ACCOUNTS); index += 1) {
    const owner = index % 2 === 0 ? index : Math.floor(unit(index) * (index - 1)) & ~1;
    for (let word = 0; word < 8; word += 1) slice.writeUInt32LE(mix(owner * 8 + word), word * 4);
    const amount = mix(index);
    slice.writeUInt32LE(amount, 32);
    slice.writeUInt32LE(index % 1000 === 0 ? 7 : 0, 36);
    total += BigInt(amount) + (index % 1000 === 0 ? 7n << 32n : 0n);
    const pubkey = slice.toString('hex', 0, 22);
    parts.push(`${index === 0 ? '' : ','}${PREFIX}${slice.toString('base64')}${SUFFIX}${pubkey}"}`);
  }
  blocks.push(Buffer.from(parts.join('')));
}
const bytes = HEAD.length + TAIL.length + blocks.reduce((sum, block) => sum + block.length, 0);

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes });
  let next = 0;
  response.write(HEAD);
  const more = () => {
    while (next < blocks.length) {
      if (!response.write(blocks[next++])) return void response.once('drain', more);
    }
    response.end(TAIL);
  };
  more();
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/`, bytes, total: total.toString() })}\n`);
});
process.stdin.resume().once('end', () => process.exit(0));

function mix(value: number): number {
  let hash = Math.imul(value ^ 0x9e3779b9, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function unit(value: number): number {
  return mix(value + 77) / 4_294_967_296;
}
