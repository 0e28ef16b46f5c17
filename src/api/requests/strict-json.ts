import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../replies/problems.ts';

export const JSON_TYPES = /^application\/([a-z0-9.+-]+\+)?json(;|$)/;

/** Makes the server accept JSON bodies only. */
export function readStrictBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    // The interface document requires the header on every request, so a GET or DELETE without a body may have it.
    if (body.length === 0 && (request.method !== 'POST' || request.routeOptions.config.bodyOptional)) return undefined;
    return parseBody(body);
  });
}

/** Parses a JSON body in UTF-8; refuses any other. */
export function parseBody(body: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return unreadable('malformed_json', 'expected UTF-8');
  }
  return parseStrictJson(text);
}

const DEEPEST = 32;

/**
 * Parses a request body as JSON and refuses what a lenient parser would silently change: duplicate keys (the last one
 * would win) and nesting deeper than 32 levels. Errors state the position.
 */
export function parseStrictJson(text: string): unknown {
  if (text.trim() === '') return unreadable('empty_body', 'expected a JSON object in the body, got nothing');
  const depth = deepestNesting(text);
  if (depth > DEEPEST)
    return unreadable('json_too_deep', `expected at most ${DEEPEST} levels of nesting, got ${depth}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable('malformed_json', 'expected JSON (RFC 8259); the body could not be parsed');
  }
  const duplicate = firstDuplicateKey(text);
  if (duplicate !== null)
    return unreadable(
      'duplicate_key',
      `the key ${JSON.stringify(duplicate.slice(0, 60))} is given twice; send it once`,
      `/${duplicate}`,
    );
  return value;
}

function unreadable(code: string, detail: string, pointer = ''): never {
  refuse({
    status: 400,
    code,
    title: 'The body could not be read',
    detail,
    retry: 'corrected',
    errors: [{ pointer, code, detail }],
  });
}

function deepestNesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  scan(text, (character) => {
    if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth -= 1;
  });
  return deepest;
}

/** The text is known to be valid JSON here: a string followed by a colon is a key of the innermost object. */
function firstDuplicateKey(text: string): string | null {
  const objects: Set<string>[] = [];
  let found: string | null = null;
  scan(
    text,
    (character) => {
      if (character === '{' || character === '[') objects.push(new Set());
      else if (character === '}' || character === ']') objects.pop();
    },
    (literal, end) => {
      if (found !== null || !/^\s*:/.test(text.slice(end, end + 200))) return;
      const key = JSON.parse(literal) as string;
      const keys = objects.at(-1);
      if (keys?.has(key)) found = key;
      keys?.add(key);
    },
  );
  return found;
}

function scan(
  text: string,
  onStructure: (character: string) => void,
  onString?: (literal: string, end: number) => void,
): void {
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i] ?? '';
    if (character !== '"') {
      onStructure(character);
      continue;
    }
    const start = i;
    i += 1;
    while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
    onString?.(text.slice(start, i + 1), i + 1);
  }
}
