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
 * or `text` block below it. Those with a note are left to others. `clock`: the figures of a world whose clock is fixed are those that
 * are shown; one of the present has others every day. Gives how many were run.
 */
export async function follow(
  document: URL,
  {
    cwd,
    env,
    clock = 'fixed',
  }: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly clock?: 'fixed' | 'present';
  },
): Promise<number> {
  const isFixed = clock === 'fixed';
  const steps = stepsOf(await blocksOf(document));
  const outputs = await outputsOf(steps, cwd, env);
  for (const [index, { command, shown }] of steps.entries()) {
    const output = outputs[index] ?? '';
    const [title = ''] = command.split('\n');
    if (shown?.language === 'json') assertHolds(JSON.parse(output), JSON.parse(shown.text), title, isFixed);
    if (shown?.language === 'text') assertLines(output, shown.text, title, isFixed);
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

/** Members that differ at each start: when, how long, how many bytes, and what is drawn at random. */
const MOVING = /(^|_)(id|at|as_of|seconds|milliseconds|sha256|bytes|signature|location)$/;
/** A price moves with the minute at which it is asked for, and what is reckoned of it does. */
const NEAR = 0.01;

/** True for the figure that is shown, or one that the minute of the demo moved; whole numbers are the same. */
function isFigure(actual: number, shown: number): boolean {
  return actual === shown || (!Number.isInteger(shown) && Math.abs(actual - shown) <= NEAR * Math.abs(shown));
}

/** What is shown must be there: members of objects by name, figures and words as they are, values of lists as far as they are shown. */
function assertHolds(actual: unknown, shown: unknown, path: string, isFixed: boolean): void {
  if (shown === null) return;
  if (Array.isArray(shown)) {
    assert.ok(Array.isArray(actual), `${path} is no list`);
    for (const [index, one] of shown.entries()) assertHolds(actual[index], one, `${path}[${index}]`, isFixed);
    return;
  }
  assert.equal(typeof actual, typeof shown, path);
  if (typeof shown === 'object')
    for (const [name, value] of Object.entries(shown as object)) {
      assert.ok(Object.hasOwn(actual as object, name), `${path}.${name} is missing`);
      assertHolds((actual as Record<string, unknown>)[name], value, `${path}.${name}`, isFixed);
    }
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (MOVING.test(name)) return;
  if (typeof shown === 'number' && isFixed)
    assert.ok(isFigure(Number(actual), shown), `${path}: ${shown} is shown, ${actual} came`);
  if (typeof shown === 'string') assert.match(String(actual), new RegExp(`^${formOf(shown)}$`, 's'), path);
  if (typeof shown === 'string' && isFixed) assertFigures(String(actual), shown, path);
  if (typeof shown === 'boolean') assert.equal(actual, shown, path);
}

/** Each line that is shown is there, in this order and with its figures; `...` stands for anything. */
function assertLines(actual: string, shown: string, path: string, isFixed: boolean): void {
  const lines = actual.split('\n');
  let from = 0;
  for (const line of shown.trimEnd().split('\n')) {
    const form = new RegExp(`^${formOf(line)}$`);
    const found = lines.findIndex((one, index) => index >= from && form.test(one.trimEnd()));
    assert.ok(found >= 0, `${path}: no line like\n${line}\nin\n${actual}`);
    if (isFixed) assertFigures(lines[found]?.trimEnd() ?? '', line, path);
    from = found + 1;
  }
}

const NUMBER = /\d+(?:\.\d+)*/g;
/** Times of the day, how long something took, and how many replies are kept: one that came again unchanged is kept anew. */
const OF_TIME = /^(:\d| ?(s|ms|seconds?|milliseconds|bodies)\b)/;

/** The figures of a line are those that are shown, but for times. */
function assertFigures(actual: string, shown: string, path: string): void {
  const came = new RegExp(`^${formOf(shown)}$`, 's').exec(actual)?.slice(1) ?? [];
  for (const [index, figure] of [...shown.matchAll(NUMBER)].entries()) {
    const after = shown.slice(figure.index + figure[0].length);
    const isTime = OF_TIME.test(after) || shown[figure.index - 1] === ':';
    const other = came[index] ?? '';
    const isSame = other === figure[0] || isFigure(Number(other), Number(figure[0]));
    assert.ok(isTime || isSame, `${path}: ${figure[0]} is shown, ${other} came:\n${shown}\n${actual}`);
  }
}

/** A pattern for a line with the same words; its groups are the figures. */
function formOf(line: string): string {
  return line
    .replace(/[\\^$*+?.()|[\]{}]/g, '\\$&')
    .replaceAll('\\.\\.\\.', '.*')
    .replace(/\d+(\\\.\d+)*/g, '(\\d+(?:\\.\\d+)*)')
    .replace(/ {2,}/g, ' +');
}
