export type StrictJson =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly code: 'malformed_json' | 'json_too_deep' | 'duplicate_key' | 'empty_body';
      readonly pointer: string;
      readonly detail: string;
    };

const DEEPEST = 32;

/**
 * Reads a request body as JSON and refuses what a lenient parser would quietly change: a key given twice (the last one
 * would win) and nesting beyond 32 levels. Errors say where.
 */
export function parseStrictJson(text: string): StrictJson {
  if (text.trim() === '')
    return { ok: false, code: 'empty_body', pointer: '', detail: 'expected a JSON object in the body, got nothing' };
  const depth = deepestNesting(text);
  if (depth > DEEPEST)
    return {
      ok: false,
      code: 'json_too_deep',
      pointer: '',
      detail: `expected at most ${DEEPEST} levels of nesting, got ${depth}`,
    };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {
      ok: false,
      code: 'malformed_json',
      pointer: '',
      detail: 'expected JSON (RFC 8259); the body could not be parsed',
    };
  }
  const duplicate = firstDuplicateKey(text);
  if (duplicate !== null)
    return {
      ok: false,
      code: 'duplicate_key',
      pointer: `/${duplicate}`,
      detail: `the key ${JSON.stringify(duplicate.slice(0, 60))} is given twice; send it once`,
    };
  return { ok: true, value };
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
      if (character === '{') objects.push(new Set());
      else if (character === '[') objects.push(new Set());
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
