import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** A fenced block of a document. */
export interface Block {
  readonly language: string;
  /** What stands after the language: who runs the block. */
  readonly note: string;
  readonly text: string;
}

/** A command of a document, with the output that is shown below it. */
interface Step {
  readonly command: string;
  readonly shown: Block | null;
}

/** The fenced blocks of a Markdown document, in their order. */
export async function blocksOf(document: URL): Promise<readonly Block[]> {
  const text = await readFile(document, 'utf8');
  return [...text.matchAll(/^```([a-z]+)(?: ([a-z]+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', note = '', body = '']) => ({ language, note, text: body }),
  );
}

/**
 * Runs a document's `sh` blocks as a reader would, one after the other in one shell, and holds each output against the `json`
 * or `text` block below it. Those with a note are left to others. Gives how many were run.
 */
export async function follow(
  document: URL,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<number> {
  const steps = stepsOf(await blocksOf(document));
  const outputs = await outputsOf(steps, cwd, env);
  for (const [index, { command, shown }] of steps.entries()) {
    const output = outputs[index] ?? '';
    const [title = ''] = command.split('\n');
    if (shown?.language === 'json') assertHolds(JSON.parse(output), JSON.parse(shown.text), title);
    if (shown?.language === 'text') assertLines(output, shown.text, title);
  }
  return steps.length;
}

function stepsOf(blocks: readonly Block[]): readonly Step[] {
  return blocks.flatMap(({ language, note, text }, index) => {
    if (language !== 'sh' || note !== '') return [];
    const below = blocks[index + 1];
    const shown = below && below.note === '' && ['json', 'text'].includes(below.language) ? below : null;
    return [{ command: text, shown }];
  });
}

const MARK = '\u0001end of step\u0001';

/** What each step writes to standard output. Fails with the step at which the shell stopped. */
async function outputsOf(steps: readonly Step[], cwd: string, env: Readonly<Record<string, string>>) {
  const script = steps.map(({ command }) => `${command}\nprintf '%s' '${MARK}'\n`).join('');
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  shell.stdout.setEncoding('utf8').on('data', (piece: string) => {
    out += piece;
  });
  shell.stderr.setEncoding('utf8').on('data', (piece: string) => {
    err += piece;
  });
  const code = await new Promise<number | null>((resolve) => shell.once('close', resolve));
  const outputs = out.split(MARK);
  const last = steps[outputs.length - 1];
  assert.equal(code, 0, `${last?.command}\n${outputs.at(-1)}\n${err}`);
  return outputs;
}

/** What is shown must be there: members of objects by name and kind, values of lists as far as they are shown. */
function assertHolds(actual: unknown, shown: unknown, path: string): void {
  if (shown === null) return;
  if (Array.isArray(shown)) {
    assert.ok(Array.isArray(actual), `${path} is no list`);
    for (const [index, one] of shown.entries()) assertHolds(actual[index], one, `${path}[${index}]`);
    return;
  }
  assert.equal(typeof actual, typeof shown, path);
  if (typeof shown === 'object')
    for (const [name, value] of Object.entries(shown as object)) {
      assert.ok(Object.hasOwn(actual as object, name), `${path}.${name} is missing`);
      assertHolds((actual as Record<string, unknown>)[name], value, `${path}.${name}`);
    }
  // A status is what the example is about; other numbers move with the world.
  if (path.endsWith('.status') || path.endsWith('.code')) assert.equal(actual, shown, path);
}

/** Each line that is shown is there, in this order: numbers may be others, `...` stands for anything. */
function assertLines(actual: string, shown: string, path: string): void {
  const lines = actual.split('\n');
  let from = 0;
  for (const line of shown.trimEnd().split('\n')) {
    const form = new RegExp(`^${formOf(line)}$`);
    const found = lines.findIndex((one, index) => index >= from && form.test(one.trimEnd()));
    assert.ok(found >= 0, `${path}: no line like\n${line}\nin\n${actual}`);
    from = found + 1;
  }
}

function formOf(line: string): string {
  return line
    .replace(/[\\^$*+?.()|[\]{}]/g, '\\$&')
    .replaceAll('\\.\\.\\.', '.*')
    .replace(/\d+(\\\.\d+)*/g, '\\d+(\\.\\d+)*')
    .replace(/ {2,}/g, ' +');
}
