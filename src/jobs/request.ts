import { CHAINS, findChain, isAddressOn } from '../chains/index.ts';
import type { ScoreRequest } from '../domain/index.ts';

export type OutputFormat = 'minimal' | 'standard' | 'full';

export interface FieldError {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export interface ReadRequest {
  readonly request: ScoreRequest;
  readonly format: OutputFormat;
  readonly warnings: readonly string[];
}

/** Judges a url without asking anybody; returns why it is refused, or null. Given by the upstream room. */
export type UrlJudge = (url: string) => string | null;

const KNOWN = [
  'type',
  'project',
  'project_url',
  'token_symbol',
  'category',
  'blockchain',
  'output_format',
  'token_address',
];
const FORMATS: readonly OutputFormat[] = ['minimal', 'standard', 'full'];
const LONGEST = {
  type: 32,
  project: 200,
  project_url: 2048,
  token_symbol: 32,
  category: 100,
  blockchain: 64,
  output_format: 32,
  token_address: 128,
} as const;
type FieldName = keyof typeof LONGEST;

/**
 * Reads the body of a scoring request. All complaints at once; unknown fields are no failure but are named, with the
 * nearest known name. Values are kept as sent (the reply echoes them); only surrounding blanks of names are cut.
 */
export function readScoreRequest(
  body: unknown,
  judgeUrl: UrlJudge,
): { readonly ok: true; readonly value: ReadRequest } | { readonly ok: false; readonly errors: readonly FieldError[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return {
      ok: false,
      errors: [{ pointer: '', code: 'wrong_type', detail: `expected a JSON object, got ${nameOf(body)}` }],
    };
  const fields = body as Readonly<Record<string, unknown>>;
  const errors: FieldError[] = [];
  const read = (name: FieldName, required: boolean) => readText(fields, name, required, errors);

  const type = read('type', true);
  const project = read('project', true);
  const projectUrl = read('project_url', true);
  const tokenSymbol = read('token_symbol', false);
  const category = read('category', false);
  const blockchain = read('blockchain', false);
  const tokenAddress = read('token_address', false);
  const wantedFormat = read('output_format', false);

  if (type !== null && !['posttge', 'pretge'].includes(type.toLowerCase()))
    errors.push({ pointer: '/type', code: 'unknown_type', detail: 'expected posttge or pretge' });
  if (projectUrl !== null) {
    const why = judgeUrl(projectUrl);
    if (why !== null) errors.push({ pointer: '/project_url', code: 'url_refused', detail: why });
  }
  const chain = blockchain === null ? null : findChain(blockchain);
  if (blockchain !== null && chain === null)
    errors.push({
      pointer: '/blockchain',
      code: 'unknown_chain',
      detail: `expected one of ${CHAINS.map((row) => row.name).join(', ')}, or a CAIP-2 id`,
    });
  if (tokenAddress !== null && !(chain ? [chain] : CHAINS).some((row) => isAddressOn(row, tokenAddress))) {
    errors.push({
      pointer: '/token_address',
      code: 'malformed_address',
      detail: `expected ${chain?.kind === 'evm' ? '0x and 40 hex digits' : chain ? 'a base58 mint of 32 to 44 characters' : 'a base58 mint, or 0x and 40 hex digits'}`,
    });
  }
  const format = (wantedFormat?.toLowerCase() ?? 'standard') as OutputFormat;
  if (!FORMATS.includes(format))
    errors.push({
      pointer: '/output_format',
      code: 'unknown_output_format',
      detail: 'expected minimal, standard or full',
    });
  if (errors.length > 0 || type === null || project === null || projectUrl === null) return { ok: false, errors };
  const warnings = Object.keys(fields)
    .filter((name) => !KNOWN.includes(name))
    .slice(0, 20)
    .map(unknownField);
  return {
    ok: true,
    value: {
      request: { type, project, projectUrl, tokenSymbol, category, blockchain, tokenAddress },
      format,
      warnings,
    },
  };
}

function readText(
  fields: Readonly<Record<string, unknown>>,
  name: FieldName,
  required: boolean,
  errors: FieldError[],
): string | null {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const pointer = `/${name}`;
  if (value === undefined || value === null) {
    if (required) errors.push({ pointer, code: 'missing', detail: `${name} is required` });
    return null;
  }
  if (typeof value !== 'string') {
    errors.push({ pointer, code: 'wrong_type', detail: `expected a string, got ${nameOf(value)}` });
    return null;
  }
  if (value.length > LONGEST[name]) {
    errors.push({
      pointer,
      code: 'too_long',
      detail: `expected at most ${LONGEST[name]} characters, got ${value.length}`,
    });
    return null;
  }
  const forbidden = forbiddenCharacter(value);
  if (forbidden !== null) {
    errors.push({ pointer, code: 'forbidden_character', detail: `${forbidden} is not allowed` });
    return null;
  }
  if (value.trim() === '') {
    if (required) errors.push({ pointer, code: 'empty', detail: `${name} must not be empty` });
    return null;
  }
  return value;
}

/** Control characters, unpaired surrogates and characters that reorder or hide text have no place in a name. */
function forbiddenCharacter(text: string): string | null {
  if (!text.isWellFormed()) return 'an unpaired surrogate';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return `the control character ${name}`;
    if (
      code === 0x061c ||
      code === 0x200e ||
      code === 0x200f ||
      (code >= 0x202a && code <= 0x202e) ||
      (code >= 0x2066 && code <= 0x2069)
    )
      return `the text-direction character ${name}`;
    if (code === 0x200b || code === 0x2060 || code === 0xfeff || (code >= 0xe0000 && code <= 0xe007f))
      return `the invisible character ${name}`;
  }
  return null;
}

function unknownField(name: string): string {
  const clean = name.replace(/[^\x20-\x7e]/g, '?').slice(0, 60);
  const near = KNOWN.find((known) => distance(known, name.toLowerCase()) <= 2);
  return near ? `unknown field ${clean} was ignored; did you mean ${near}?` : `unknown field ${clean} was ignored`;
}

function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
