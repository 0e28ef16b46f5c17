/**
 * Assembles the few instructions of sBPF that integrations/solana uses into an ELF that the loader of Solana takes (version 0, a
 * section of code alone: no relocation, no data, no syscall).
 */
export function assembleSbpf(source: string): Buffer {
  const lines = source
    .split('\n')
    .map((line) => line.replace(/;.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('.globl'));
  const labels = new Map<string, number>();
  const instructions: string[] = [];
  let slot = 0;
  for (const line of lines) {
    const label = /^(\w+):$/.exec(line)?.[1];
    if (label !== undefined) {
      if (labels.has(label)) throw new Error(`the label ${label} is there twice`);
      labels.set(label, slot);
      continue;
    }
    instructions.push(line);
    // A constant of 64 bits takes two slots.
    slot += line.startsWith('lddw') ? 2 : 1;
  }
  const code = Buffer.alloc(slot * SLOT);
  let at = 0;
  for (const line of instructions) at += encode(code, at, line, labels) * SLOT;
  return elf(code);
}

const SLOT = 8;
const LOADS: Readonly<Record<string, number>> = { ldxb: 0x71, ldxh: 0x69, ldxw: 0x61, ldxdw: 0x79 };
const ARITHMETIC: Readonly<Record<string, number>> = {
  add64: 0x07,
  sub64: 0x17,
  mul64: 0x27,
  and64: 0x57,
  lsh64: 0x67,
  mov64: 0xb7,
};
const JUMPS: Readonly<Record<string, number>> = { jeq: 0x15, jgt: 0x25, jge: 0x35, jne: 0x55, jlt: 0xa5, jle: 0xb5 };
/** Of arithmetic and jumps: the second operand is a register. */
const BY_REGISTER = 0x08;

/** Writes one instruction; how many slots it took. */
function encode(code: Buffer, at: number, line: string, labels: ReadonlyMap<string, number>): number {
  const [name = '', rest = ''] = line.split(/\s+(.*)/);
  const [first = '', second = '', third = ''] = rest.split(',').map((part) => part.trim());
  const put = (opcode: number, destination: number, source: number, offset: number, constant: number) => {
    code.writeUInt8(opcode, at);
    code.writeUInt8((source << 4) | destination, at + 1);
    code.writeInt16LE(offset, at + 2);
    code.writeInt32LE(constant, at + 4);
    return 1;
  };
  if (name === 'exit') return put(0x95, 0, 0, 0, 0);
  if (name === 'lddw') {
    const value = BigInt(second);
    put(0x18, register(first), 0, 0, Number(BigInt.asIntN(32, value)));
    code.writeInt32LE(Number(BigInt.asIntN(32, value >> 32n)), at + SLOT + 4);
    return 2;
  }
  if (LOADS[name] !== undefined) return put(LOADS[name], register(first), ...place(second), 0);
  if (name === 'stxdw') {
    const [base, offset] = place(first);
    return put(0x7b, base, register(second), offset, 0);
  }
  const operand = second;
  const opcode = ARITHMETIC[name] ?? JUMPS[name];
  if (opcode === undefined) throw new Error(`no such instruction: ${line}`);
  const target = labels.get(third);
  if (JUMPS[name] !== undefined && target === undefined) throw new Error(`no such label: ${line}`);
  const offset = target === undefined ? 0 : target - at / SLOT - 1;
  return /^r\d$/.test(operand)
    ? put(opcode | BY_REGISTER, register(first), register(operand), offset, 0)
    : put(opcode, register(first), 0, offset, Number(operand));
}

function register(text: string): number {
  const number = /^r([0-9])$/.exec(text)?.[1];
  if (number === undefined) throw new Error(`no register: ${text}`);
  return Number(number);
}

/** `[r1+8]` as register and offset. */
function place(text: string): [number, number] {
  const [, base = '', offset = ''] = /^\[(r\d)([+-]\d+)\]$/.exec(text) ?? [];
  return [register(base), Number(offset)];
}

const HEADER = 64;
const PROGRAM_HEADER = 56;
const SECTION_HEADER = 64;
const EM_BPF = 247;
const NAMES = '\0.text\0.shstrtab\0';

/** A shared object with the code at the same address as its place in the file, as version 0 wants it. */
function elf(code: Buffer): Buffer {
  const textAt = HEADER + PROGRAM_HEADER;
  const namesAt = textAt + code.length;
  const sectionsAt = Math.ceil((namesAt + NAMES.length) / 8) * 8;
  const file = Buffer.alloc(sectionsAt + 3 * SECTION_HEADER);
  const u64 = (value: number, at: number) => file.writeBigUInt64LE(BigInt(value), at);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1], 0);
  file.writeUInt16LE(3, 16);
  file.writeUInt16LE(EM_BPF, 18);
  file.writeUInt32LE(1, 20);
  u64(textAt, 24);
  u64(HEADER, 32);
  u64(sectionsAt, 40);
  for (const [index, value] of [HEADER, PROGRAM_HEADER, 1, SECTION_HEADER, 3, 2].entries())
    file.writeUInt16LE(value, 52 + 2 * index);
  // One segment to load: read and run.
  file.writeUInt32LE(1, HEADER);
  file.writeUInt32LE(5, HEADER + 4);
  for (const [index, value] of [textAt, textAt, textAt, code.length, code.length, 0x1000].entries())
    u64(value, HEADER + 8 + 8 * index);
  file.set(code, textAt);
  file.write(NAMES, namesAt, 'latin1');
  const section = (index: number, name: number, type: number, flags: number, at: number, size: number) => {
    const place = sectionsAt + index * SECTION_HEADER;
    file.writeUInt32LE(name, place);
    file.writeUInt32LE(type, place + 4);
    u64(flags, place + 8);
    u64(flags === 0 ? 0 : at, place + 16);
    u64(at, place + 24);
    u64(size, place + 32);
    u64(8, place + 48);
  };
  section(1, NAMES.indexOf('.text'), 1, 6, textAt, code.length);
  section(2, NAMES.indexOf('.shstrtab'), 3, 0, namesAt, NAMES.length);
  return file;
}
