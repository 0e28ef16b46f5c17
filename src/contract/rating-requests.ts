import Type from 'typebox';
import { BANDS } from '../domain/index.ts';

const rating = Type.String({
  description:
    'CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, or symbol. Case of ASCII letters in symbols does not count; look-alike letters do. `batch`, `whitelist` and `actions` are no symbols here: ask for such an asset by its id.',
  examples: ['JUP', 'eip155:1/erc20:0x1f9840a85d5af5bf1d1762f925bdaddc4201f984'],
});
export const RatedParams = Type.Object({ asset: rating });
export const RatedIdParams = Type.Object({
  namespace: Type.String({ description: 'CAIP-2 id of the chain.', examples: ['eip155:1'] }),
  reference: Type.String({
    description: 'The rest of the CAIP-19 id.',
    examples: ['erc20:0x1f9840a85d5af5bf1d1762f925bdaddc4201f984'],
  }),
});

const asOf = Type.Optional(
  Type.String({
    format: 'date-time',
    description: 'RFC 3339 time, not in the future: answers with what was known then.',
  }),
);
const methodology = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9._-]{1,40}$',
    description: 'Version of the methodology: the newest rating made with it.',
  }),
);
const view = Type.Optional(
  Type.String({ enum: ['full', 'digest'], description: '`digest`: the short form for programs with little room.' }),
);
export const RatingQuery = Type.Object({
  as_of: asOf,
  methodology,
  fresh: Type.Optional(
    Type.String({
      enum: ['true', 'false'],
      description:
        '`true`: rates the asset again now, within a quota of its own (GET /v1/plans). `Prefer: wait=N` says how long to wait for it.',
    }),
  ),
  format: view,
  view,
});
export const BreakdownQuery = Type.Object({ as_of: asOf, methodology });

const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 500, description: 'A whole number from 1 to 500; usual 100.' }),
);
const cursor = Type.Optional(Type.String({ maxLength: 1_000, description: '`next_cursor` of the page before.' }));
export const ActionsQuery = Type.Object({ limit, cursor });
export const INTERVALS: Readonly<Record<string, number | null>> = {
  all: null,
  '1h': 3_600,
  '4h': 14_400,
  '1d': 86_400,
  '7d': 604_800,
};
const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));
export const RatingHistoryQueryView = Type.Object({
  from: moment('RFC 3339; usual: 30 days before `to`.'),
  to: moment('RFC 3339; usual: now.'),
  interval: Type.Optional(
    Type.String({
      enum: Object.keys(INTERVALS),
      description: 'The newest rating of each interval; `all`: every rating. Usual: 1d.',
    }),
  ),
  limit,
  cursor,
});
export const AssetActionsQuery = Type.Object({
  from: moment('RFC 3339; usual: the beginning.'),
  to: moment('RFC 3339; usual: now.'),
  limit,
  cursor,
});
export const SORTS = ['score', '-score', 'trust', '-trust', 'as_of', '-as_of', 'symbol', '-symbol'] as const;
export const RatingListQueryView = Type.Object({
  chain: Type.Optional(Type.String({ pattern: '^[a-z]{2,20}$', description: 'Name of a chain.' })),
  band: Type.Optional(
    Type.String({
      pattern: `^(${BANDS.join('|')})(,(${BANDS.join('|')})){0,10}$`,
      description: 'Bands, separated by commas.',
      examples: ['AAA,AA'],
    }),
  ),
  category: Type.Optional(Type.String({ pattern: '^[a-z0-9_]{1,40}$', description: 'Category of the methodology.' })),
  flag: Type.Optional(Type.String({ pattern: '^[A-Z0-9_]{1,60}$', description: 'Code of a raised flag.' })),
  min_trust: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'A number from 0 to 100.' })),
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^(?=[^]*\\S)[^\\u0000-\\u001f]*$',
      description: 'What the symbol, the name, the address or the id begins with; the case of A to Z does not count.',
      examples: ['tide'],
    }),
  ),
  sort: Type.Optional(Type.String({ enum: [...SORTS], description: 'Usual: -score. What has no value comes last.' })),
  limit,
  cursor,
});

export const BatchBody = Type.Object(
  {
    assets: Type.Array(Type.String({ maxLength: 150 }), {
      minItems: 1,
      description: 'Named as in the path of GET /v1/rms/{asset}; as many as the plan’s batch size (GET /v1/plans).',
    }),
  },
  { description: 'The assets to read.' },
);
