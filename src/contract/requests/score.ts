import Type from 'typebox';
import { CHAINS, findChain, isAddressOn, isMistyped } from '../../chains/index.ts';
import { nearestName, type ScoreRequest } from '../../domain/index.ts';
import { MISTYPED, readAssetText, siteUrl } from './asset-text.ts';
import { choice, WaitHeaders, withDefault } from './fields.ts';
import { createReader, type FieldError } from './reader.ts';

const FORMATS = ['minimal', 'standard', 'full'] as const;
export type OutputFormat = (typeof FORMATS)[number];

/** Body of a scoring request. */
export const ScoreBody = Type.Object(
  {
    type: Type.String({
      description: 'posttge or pretge, in any case; echoed in lower case, as the job id begins.',
      maxLength: 32,
      examples: ['posttge'],
    }),
    project: Type.String({ description: 'Project name.', minLength: 1, maxLength: 200, examples: ['Lumen Swap'] }),
    project_url: Type.String({
      description: 'Project web address, http or https, on a public host. A bare host gets `https://`.',
      maxLength: 2048,
      examples: ['https://lumenswap.example/'],
    }),
    token_symbol: Type.Optional(Type.String({ description: 'Token ticker.', maxLength: 32 })),
    category: Type.Optional(Type.String({ description: 'Free-text project category.', maxLength: 100 })),
    blockchain: Type.Optional(
      Type.String({ description: 'Chain the project runs on: a name, a symbol or a CAIP-2 id.', maxLength: 64 }),
    ),
    token_address: Type.Optional(
      Type.String({ description: 'Mint or contract, when the caller knows it.', maxLength: 128 }),
    ),
    output_format: Type.Optional(Type.String({ description: 'minimal, standard (default) or full.', maxLength: 32 })),
  },
  {
    additionalProperties: true,
    description: 'The project to score. Fields that are not known do not fail the request; `warnings` names them.',
  },
);

/** Body of a scoring request that identifies its asset by a single text. */
export const ScoreAssetBody = Type.Object(
  {
    asset: Type.String({
      description:
        'In place of project and project_url: a CAIP-19 id, chain:address, an address, the url or host of the project’s site, a ticker or a name. Several assets that it may mean are 409 `ambiguous_project` with candidates, whose ids are accepted here; a name that none has is 422 `project_not_identified`, with those of similar names as candidates.',
      minLength: 1,
      maxLength: 2048,
      examples: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
    }),
    type: Type.Optional(
      Type.String({
        description: 'posttge (default) or pretge, in any case; echoed in lower case, as the job id begins.',
        maxLength: 32,
      }),
    ),
    blockchain: ScoreBody.properties.blockchain,
    output_format: ScoreBody.properties.output_format,
  },
  {
    additionalProperties: true,
    title: 'ScoreAssetRequest',
    description: 'The asset to score, in one word. It is rated exactly as by its project and project_url.',
  },
);

export const ScoreHeaders = Type.Object({
  ...WaitHeaders.properties,
  'Idempotency-Key': Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,255}$',
      description:
        '1 to 255 printable ASCII characters. A request with a key that was used in the last 24 hours gets the job of the first one.',
    }),
  ),
});

export const JobParams = Type.Object({
  id: Type.String({ description: 'Id of a job (`job_id` of a score or a rating).' }),
});
export const JobQuery = Type.Object({
  output_format: withDefault(choice(FORMATS, 'Form of `result`.'), 'standard'),
});

/** A parsed scoring request. */
export interface ReadRequest {
  readonly request: ScoreRequest;
  readonly format: OutputFormat;
  readonly warnings: readonly string[];
}

/** Checks a URL without a network request; returns why it is refused, or null. Implemented by `upstream`. */
export type UrlJudge = (url: string) => string | null;

type Field = keyof typeof ScoreBody.properties;
type Texts = Partial<Record<Field, string>>;

const REQUIRED = ['type', 'project', 'project_url'] as const;
const CODES = { type: 'wrong_type', maxLength: 'too_long', minLength: 'empty' } as const;
const readBody = createReader(ScoreBody, { codes: CODES });
const readAssetBody = createReader(ScoreAssetBody, { codes: CODES });

/**
 * Parses the body of a scoring request and reports all errors at once. Null and blank optional fields count as omitted.
 * Values are kept as sent, since the reply echoes them, except for the type, which is converted to lower case, and for
 * a bare host, which gets `https://`.
 */
export function readScoreRequest(
  body: unknown,
  judgeUrl: UrlJudge,
): { readonly ok: true; readonly value: ReadRequest } | { readonly ok: false; readonly errors: readonly FieldError[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { ok: false, errors: [{ pointer: '', code: 'wrong_type', detail: 'expected a JSON object' }] };
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined));
  if (Object.hasOwn(given, 'asset')) return readAssetRequest(given, judgeUrl);
  const read = readBody(given);
  const errors: FieldError[] = read.ok ? [] : [...read.errors];
  const wrong = new Set(errors.map(({ pointer }) => pointer));
  const texts: Texts = {};
  for (const name of Object.keys(ScoreBody.properties) as Field[]) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (typeof value !== 'string' || wrong.has(`/${name}`)) continue;
    const forbidden = forbiddenCharacter(value);
    if (forbidden !== null)
      errors.push({ pointer: `/${name}`, code: 'forbidden_character', detail: `${forbidden} is not allowed` });
    else if (value.trim() !== '') texts[name] = value;
    else if (!Type.IsOptional(ScoreBody.properties[name]))
      errors.push({ pointer: `/${name}`, code: 'empty', detail: `${name} must not be empty` });
  }
  if (errors.filter(({ code }) => code === 'missing').length === REQUIRED.length)
    errors.push({
      pointer: '/asset',
      code: 'missing',
      detail: 'or asset alone: an id, address, website, ticker or name',
    });
  if (texts.project_url !== undefined) texts.project_url = siteUrl(texts.project_url);
  const format = FORMATS.find((known) => known === (texts.output_format?.toLowerCase() ?? 'standard'));
  errors.push(...errorsOf(texts, judgeUrl));
  const { type, project, project_url: projectUrl } = texts;
  if (
    errors.length > 0 ||
    format === undefined ||
    type === undefined ||
    project === undefined ||
    projectUrl === undefined
  )
    return { ok: false, errors };
  const { token_symbol, category, blockchain, token_address } = texts;
  return {
    ok: true,
    value: {
      request: {
        type: type.toLowerCase(),
        project,
        projectUrl,
        tokenSymbol: token_symbol ?? null,
        category: category ?? null,
        blockchain: blockchain ?? null,
        tokenAddress: token_address ?? null,
      },
      format,
      warnings: read.ignored,
    },
  };
}

/** Parses the body of a request that identifies its asset by a single text. */
function readAssetRequest(
  given: Readonly<Record<string, unknown>>,
  judgeUrl: UrlJudge,
): ReturnType<typeof readScoreRequest> {
  const read = readAssetBody(given);
  const errors: FieldError[] = read.ok ? [] : [...read.errors];
  for (const name of ['project', 'project_url', 'token_symbol', 'token_address'])
    if (Object.hasOwn(given, name))
      errors.push({
        pointer: `/${name}`,
        code: 'conflict',
        detail: 'expected asset alone, or project and project_url',
      });
  if (!read.ok) return { ok: false, errors };
  const { asset, type = 'posttge', blockchain = '', output_format: wanted = 'standard' } = read.value;
  const texts = { asset, type, blockchain, output_format: wanted };
  for (const [name, text] of Object.entries(texts)) {
    const forbidden = forbiddenCharacter(text);
    if (forbidden !== null)
      errors.push({ pointer: `/${name}`, code: 'forbidden_character', detail: `${forbidden} is not allowed` });
  }
  const chain = blockchain.trim() === '' ? null : blockchain;
  const format = FORMATS.find((known) => known === wanted.toLowerCase());
  errors.push(...errorsOf({ type, output_format: wanted, ...(chain === null ? {} : { blockchain: chain }) }, judgeUrl));
  if (asset.trim() === '') errors.push({ pointer: '/asset', code: 'empty', detail: 'asset must not be empty' });
  const words = readAssetText(asset, chain);
  if (!words.ok) errors.push({ pointer: '/asset', code: words.code, detail: words.detail });
  else if (words.value.isWebsite) {
    const why = judgeUrl(words.value.projectUrl);
    if (why !== null) errors.push({ pointer: '/asset', code: 'url_refused', detail: why });
  } else if (type.toLowerCase() === 'pretge')
    errors.push({
      pointer: '/asset',
      code: 'website_expected',
      detail: 'expected the website of a project without a token',
    });
  const own = words.ok ? words.value.blockchain : null;
  const other = chain === null ? null : findChain(chain);
  if (other !== null && own !== null && findChain(own) !== other)
    errors.push({
      pointer: '/blockchain',
      code: 'conflict',
      detail: `asset names an asset on ${own}, got ${other.name}: send the id alone, or an address and its chain`,
    });
  if (errors.length > 0 || format === undefined || !words.ok) return { ok: false, errors };
  const { isWebsite, ...named } = words.value;
  return {
    ok: true,
    value: { request: { type: type.toLowerCase(), category: null, ...named }, format, warnings: read.ignored },
  };
}

/**
 * Checks that the schema cannot express: closed lists in any case, addresses that are valid on the chain, and a public
 * URL.
 */
function errorsOf(texts: Texts, judgeUrl: UrlJudge): readonly FieldError[] {
  const { type, project_url: url, blockchain, token_address: address, output_format: format } = texts;
  const errors: FieldError[] = [];
  if (type !== undefined && !['posttge', 'pretge'].includes(type.toLowerCase()))
    errors.push({
      pointer: '/type',
      code: 'unknown_type',
      detail: `expected posttge or pretge${meant(type, ['posttge', 'pretge'])}`,
    });
  const why = url === undefined ? null : judgeUrl(url);
  if (why !== null) errors.push({ pointer: '/project_url', code: 'url_refused', detail: why });
  const chain = blockchain === undefined ? null : findChain(blockchain);
  const names = CHAINS.map((row) => row.name);
  if (blockchain !== undefined && chain === null)
    errors.push({
      pointer: '/blockchain',
      code: 'unknown_chain',
      detail: `expected one of ${names.join(', ')}, or a CAIP-2 id${meant(blockchain, names)}`,
    });
  if (address !== undefined && !(chain ? [chain] : CHAINS).some((row) => isAddressOn(row, address)))
    errors.push({
      pointer: '/token_address',
      code: 'malformed_address',
      detail: `expected ${chain?.kind === 'evm' ? '0x and 40 hex digits' : chain ? 'a base58 mint of 32 to 44 characters' : 'a base58 mint, or 0x and 40 hex digits'}`,
    });
  else if (address !== undefined && isMistyped(address))
    errors.push({ pointer: '/token_address', code: 'wrong_checksum', detail: MISTYPED });
  if (format !== undefined && !(FORMATS as readonly string[]).includes(format.toLowerCase()))
    errors.push({
      pointer: '/output_format',
      code: 'unknown_output_format',
      detail: `expected minimal, standard or full${meant(format, FORMATS)}`,
    });
  return errors;
}

function meant(given: string, known: readonly string[]): string {
  const near = nearestName(given.toLowerCase(), known);
  return near === null ? '' : `; did you mean ${near}?`;
}

/** Names may not contain control characters, unpaired surrogates, or characters that reorder or hide text. */
function forbiddenCharacter(text: string): string | null {
  if (!text.isWellFormed()) return 'an unpaired surrogate';
  const found = FORBIDDEN.exec(text);
  if (found === null) return null;
  const code = found[0].codePointAt(0) ?? 0;
  const kind = found.groups?.control ? 'control' : found.groups?.direction ? 'text-direction' : 'invisible';
  return `the ${kind} character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

const FORBIDDEN =
  /(?<control>\p{Cc})|(?<direction>[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])|[\u200b\u2060\ufeff\u{e0000}-\u{e007f}]/u;
