import Type, { type Static, type TSchema, type TSchemaOptions, type TUnsafe } from 'typebox';
import { BANDS, SEVERITIES } from '../domain/index.ts';

/** Type of a reply. A view declares it as its result, so that a renamed, missing or mistyped field does not compile. */
export type Reply<T extends TSchema> = DeepReadonly<Static<T>>;
type DeepReadonly<T> = T extends object ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> } : T;

// A schema with a title is one component of the OpenAPI document wherever it is used.

export const nullableNumber = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
export const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
export const percent = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description} 0-100; null when not known.` });
/** A string of a closed list, with a description, or with title and description. */
export const oneOf = <const Names extends readonly string[]>(about: string | TSchemaOptions, names: Names) =>
  Type.Union(
    names.map((name) => Type.Literal(name)),
    typeof about === 'string' ? { description: about } : about,
  ) as unknown as TUnsafe<Names[number]>;
export const words = <const Names extends readonly string[]>(...names: Names) => oneOf({}, names);
/** The same as a string schema with `enum`. */
export const enumerated = <const Names extends readonly string[]>(names: Names, about: TSchemaOptions) =>
  Type.String({ enum: [...names], ...about }) as unknown as TUnsafe<Names[number]>;

/** A string type whose possible values are listed only in the description. */
export const textOf = <Text extends string>(description: string) =>
  Type.String({ description }) as unknown as TUnsafe<Text>;

/**
 * A component with an additional description where it is used. For replies only: the reader of requests does not
 * resolve it.
 */
export const describedHere = <T extends TSchema>(schema: T, description: string) =>
  Type.Intersect([schema], { description });

export const time = (description: string) =>
  Type.String({ description: `${description} RFC 3339, UTC.`, examples: ['2026-11-20T12:00:00.000Z'] });
export const nullableTime = (description: string) => nullableText(`${description} RFC 3339, UTC.`);
export const count = (description: string) => Type.Integer({ minimum: 0, description });
export const list = (description: string) => Type.Array(Type.String(), { description });
export const fraction = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1, description: `${description} 0-1.` });

export const Band = enumerated(BANDS, {
  title: 'Band',
  description:
    'Rating band, AAA (best) to C; D: defaulted, by the tests of the methodology (section Default); NR: not rated, the evidence is too thin.',
});
export const DataMode = oneOf(
  { title: 'DataMode', description: '`sandbox`: assets and sources are fictional; `live`: real ones.' },
  ['live', 'sandbox'],
);
export const Severity = oneOf(
  { title: 'Severity', description: 'How grave it is, from `info` (worth knowing) to `critical`.' },
  SEVERITIES,
);
export const VfrZone = oneOf(
  {
    title: 'VfrZone',
    description:
      'Where the value-fairness ratio lies, in units of its own error (docs/vfr.md); INDETERMINATE when there is no ratio.',
  },
  ['DEEP_DISCOUNT', 'DISCOUNT', 'FAIR', 'PREMIUM', 'EXTREME_PREMIUM', 'INDETERMINATE'],
);
export const Outlook = oneOf(
  {
    title: 'Outlook',
    description:
      'Where the rating is likely to go; `developing`: either way; `provisional`: a project without a token has no market that shows a direction.',
  },
  ['positive', 'stable', 'negative', 'developing', 'provisional'],
);

export const AssetView = Type.Object(
  {
    id: Type.String({
      description:
        'CAIP-19 id; `project:` and the registrable domain for a project without a token. Symbols and names are not unique, this is.',
      examples: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'],
    }),
    chain: nullableText('Our name of the chain (GET /v1/chains); null without a token.'),
    address: nullableText('Mint or contract; `native` for a chain’s own coin; null without a token.'),
    symbol: nullableText('Ticker, as the token itself states: untrusted text, not unique.'),
    name: Type.String({ description: 'What the token or the project calls itself: untrusted text.' }),
    category: nullableText('Category of the methodology, such as `defi_protocol` or `memecoin`; null when not known.'),
    website: nullableText('The project’s own site, when known.'),
  },
  { title: 'Asset', description: 'How an asset is named everywhere in Assay.' },
);
const classFields = {
  category_reason: nullableText('How the class was decided.'),
  class: nullableText(
    'Class of the methodology that it is rated as, such as `native_l1` or `stable_fiat`: its features, weights and ceilings.',
  ),
};
export const assetClass = classFields.class;
export const RatedAssetView = Type.Object(
  { ...AssetView.properties, ...classFields },
  {
    title: 'RatedAsset',
    description:
      'The asset, and what it is rated as; both fields of the class are null where the rating is older than classes.',
  },
);
/** The asset in a signed record: members that the record did not have at signing cannot be added to it. */
export const SignedAssetView = Type.Object(
  {
    ...AssetView.properties,
    category_reason: Type.Optional(classFields.category_reason),
    class: Type.Optional(classFields.class),
  },
  {
    title: 'SignedAsset',
    description: 'The asset as it was signed; ratings from before classes lack both fields of the class.',
  },
);
export const Attribution = Type.Object(
  {
    source: Type.String({ description: 'Name of the source that requires it.' }),
    text: Type.String({ description: 'The text to show.' }),
    url: Type.String({ description: 'The link to set below them.' }),
  },
  { title: 'Attribution', description: 'What the terms of a source require to be shown beside its data.' },
);
export const attributions = Type.Array(Attribution, {
  description: 'Texts and links that sources’ terms require to be shown.',
});
export const sources = list('Names of the public sources it rests on.');

export const nextCursor = nullableText('Repeat the request with `cursor` set to this; null on the last page.');
export const noCursor = Type.Null({ description: 'Always null: the list is whole.' });
export const ageSeconds = Type.Integer({
  minimum: 0,
  description: 'Whole seconds since `as_of` when the reply was made.',
});
export const jobId = Type.String({
  description: 'The job that made it; GET /v1/jobs/{id}/evidence holds what it rests on.',
  examples: ['posttge_1795176000000_x7k2m9qa'],
});
export const methodologyVersion = Type.String({
  description: 'Version of the methodology it was made by (GET /v1/methodology/{version}).',
  examples: ['0.4.1'],
});
export const methodologyHash = Type.String({
  description: 'SHA-256 of the canonical JSON of that version, hex: the same hash, the same rules.',
});
export const signatureParts = {
  algorithm: Type.Literal('Ed25519', { description: 'Ed25519 (RFC 8032), always.' }),
  key_id: Type.String({ description: '`kid` of the key among those of /.well-known/assay-keys.json.' }),
  value: Type.String({ description: 'Base64 of the 64 bytes.' }),
};
export const Gap = Type.Object(
  {
    feature: Type.String({ description: 'Id of the feature that has no value, such as `sd_unlock`.' }),
    reason: Type.String({ description: 'The reason, as text.' }),
  },
  { title: 'Gap', description: 'A feature that the rating would use and that no source states.' },
);
export const Cap = Type.Object(
  {
    code: Type.String({ description: 'Code of the cap, in the methodology’s table of caps.', examples: ['MINT_EOA'] }),
    cap: Type.Number({ minimum: 0, maximum: 100, description: 'The highest score it allows, 0-100.' }),
    band: describedHere(Band, 'The best band it allows.'),
    flag: nullableText('Code of the flag that caused it; null for caps on thin evidence.'),
    detail: Type.String({ description: 'The condition that holds.' }),
    binding: Type.Boolean({ description: 'This cap set the score; others were less strict or did not matter.' }),
  },
  { title: 'Cap', description: 'A ceiling on the score, regardless of the rest (methodology, Caps).' },
);
