import { globSync, readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';

/** A regular expression as it is written somewhere. */
export interface SourcePattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** Every regular expression literal of the code that runs in the service, tests left out. */
export function sourcePatterns(): readonly SourcePattern[] {
  const files = globSync(['src/**/*.ts', 'research/**/*.ts']).filter(
    (file) => !/\.test\.ts$|fixtures|test-host/.test(file),
  );
  return files.sort().flatMap((file) => {
    const found: SourcePattern[] = [];
    collect(parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', target: 'es2024' }), (source, flags) =>
      found.push({ file, source, flags }),
    );
    return found;
  });
}

/** Files that build regular expressions from text at run time. */
export function builtPatterns(): readonly string[] {
  return globSync(['src/**/*.ts', 'research/**/*.ts']).filter(
    (file) => !/\.test\.ts$|fixtures/.test(file) && /new RegExp\(/.test(readFileSync(file, 'utf8')),
  );
}

function collect(node: unknown, take: (source: string, flags: string) => void): void {
  if (Array.isArray(node)) {
    for (const item of node) collect(item, take);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, pattern, flags } = node as {
    readonly type?: unknown;
    readonly pattern?: unknown;
    readonly flags?: unknown;
  };
  if (type === 'RegExpLiteral') take(String(pattern), String(flags));
  for (const value of Object.values(node)) collect(value, take);
}
