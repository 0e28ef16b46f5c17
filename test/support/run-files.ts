import { resolve } from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

/** The environment variable with the paths of a group for its process. */
export const FILES_OF_GROUP = 'ASSAY_TEST_GROUP';
const GROUP = fileURLToPath(new URL('file-group.ts', import.meta.url));

export interface ProcessOptions {
  /** Milliseconds after which the process is given up. */
  readonly timeout: number;
  readonly execArgv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface Ran {
  readonly counts: { readonly tests: number; readonly passed: number; readonly failed: number };
  /** Those of the given files in which something failed; all of them when the process itself did. */
  readonly failedFiles: readonly string[];
  /** For a reporter. */
  readonly events: readonly TestEvent[];
}

/** Runs test files in one process of their own, and resolves when it has ended. */
export async function runFiles(files: readonly string[], { timeout, execArgv, env }: ProcessOptions): Promise<Ran> {
  const [only = GROUP] = files.length === 1 ? files : [];
  const byPath = new Map(files.map((file) => [resolve(file), file]));
  const tests = run({
    files: [only],
    timeout,
    execArgv: [...execArgv],
    env: { ...env, [FILES_OF_GROUP]: JSON.stringify([...byPath.keys()]) },
  });
  const counts = { tests: 0, passed: 0, failed: 0 };
  const failedFiles = new Set<string>();
  const events: TestEvent[] = [];
  for await (const event of tests) {
    if (event.type === 'test:fail' && event.data.nesting === 0 && event.data.todo === undefined)
      for (const file of failedBy(event.data.name)) failedFiles.add(file);
    if (event.type === 'test:summary' && event.data.file === undefined) {
      const { tests: all, passed, skipped, todo } = event.data.counts;
      Object.assign(counts, { tests: all, passed, failed: all - passed - skipped - todo });
    }
    // The rest counts what is in this process alone.
    if ('file' in event.data && event.data.file !== undefined) events.push(event);
  }
  // A file of a group that does not load, or whose last hook fails, has no failed test: it counts as one, as it does alone.
  const unseen = Math.max(0, failedFiles.size - counts.failed);
  const { tests: all, passed, failed } = counts;
  return {
    counts: { tests: all + unseen, passed, failed: failed + unseen },
    failedFiles: [...failedFiles],
    events,
  };

  /** Suites of a group have the names of their files; what fails beside them is the process. */
  function failedBy(name: string): readonly string[] {
    const file = byPath.get(name);
    return file === undefined ? files : [file];
  }
}
