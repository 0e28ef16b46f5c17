import { createRequire } from 'node:module';
import { describe } from 'node:test';
import { FILES_OF_GROUP } from './run-files.ts';

/**
 * Runs test files one after the other in this process, each as a suite with its name: its hooks are those of the suite, so what it starts
 * ends before the next one begins. A suite takes the tests that are declared before it returns, hence `require`.
 */
const load = createRequire(import.meta.url);
const files = JSON.parse(process.env[FILES_OF_GROUP] ?? '[]') as readonly string[];
// Not for the processes that a file starts.
delete process.env[FILES_OF_GROUP];
for (const file of files) describe(file, () => void load(file));
