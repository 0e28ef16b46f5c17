import Type from 'typebox';
import { BANDS, CATEGORIES, CLASSES } from '../../domain/index.ts';
import { asOf, chainText, choice, moment, OPEN_QUERY, pageForm, pageSize, someOf, withDefault } from './fields.ts';
import { flagCode } from './flag-code.ts';

const rating = Type.String({
  description:
    'CAIP-19 id (its slash as it is or as %2F), chain:address, mint or contract address, symbol, or a name if no rated asset has the text as its symbol. Case of ASCII letters in symbols and names does not count; look-alike letters do. `batch`, `whitelist` and `actions` are not symbols here: request such an asset by its id.',
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

const methodology = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9._-]{1,40}$',
    description: 'Version of the methodology: the newest rating made with it.',
  }),
);
const view = Type.Optional(choice(['full', 'digest'], '`digest`: the short form for programs with little room.'));
export const RatingQuery = Type.Object(
  {
    as_of: asOf,
    methodology,
    fresh: Type.Optional(
      choice(
        ['true', 'false'],
        '`true`: rates the asset again now, within a quota of its own (GET /v1/plans). `Prefer: wait=N` states how long to wait for it.',
      ),
    ),
    format: view,
    view,
  },
  OPEN_QUERY,
);
export const BreakdownQuery = Type.Object({ as_of: asOf, methodology }, OPEN_QUERY);
export const ReportQuery = Type.Object({
  as_of: asOf,
  methodology,
  format: Type.Optional(choice(['html', 'markdown'], 'Instead of `Accept`, for links: `html` or `markdown`.')),
});
export const DossierQuery = Type.Object({
  as_of: asOf,
  methodology,
  format: Type.Optional(choice(['json', 'html', 'markdown'], 'Instead of `Accept`, for links.')),
});
export const ForensicsQuery = Type.Object({});

const limit = pageSize(500, 100);
const pageCursor = Type.Optional(Type.String({ maxLength: 1_000, description: '`next_cursor` of the page before.' }));
export const ActionsQuery = Type.Object({ limit, cursor: pageCursor });
export const RatingHistoryQuery = Type.Object({
  from: Type.Optional(moment('RFC 3339; default: 30 days before `to`.')),
  to: Type.Optional(moment('RFC 3339; default: now.')),
  interval: withDefault(
    choice(['all', '1h', '4h', '1d', '7d'], 'The newest rating of each interval; `all`: every rating.'),
    '1d',
  ),
  limit,
  cursor: pageCursor,
});
export const AssetActionsQuery = Type.Object({
  from: Type.Optional(moment('RFC 3339; default: the beginning.')),
  to: Type.Optional(moment('RFC 3339; default: now.')),
  limit,
  cursor: pageCursor,
});
export const RatingListQuery = Type.Object({
  chain: Type.Optional(chainText),
  band: Type.Optional(someOf(BANDS, 'Bands')),
  category: Type.Optional(choice(CATEGORIES, 'Category of the methodology.')),
  class: Type.Optional(choice(CLASSES, 'Class of the methodology; ratings from before classes are in none.')),
  flag: Type.Optional(flagCode('Code of a raised flag.')),
  min_trust: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'A number from 0 to 100.' })),
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^(?=[^]*\\S)[^\\u0000-\\u001f]*$',
      description: 'What the symbol, the name, the address or the id begins with; the case of A to Z does not count.',
      examples: ['tide'],
    }),
  ),
  sort: withDefault(
    choice(
      ['score', '-score', 'trust', '-trust', 'as_of', '-as_of', 'symbol', '-symbol'],
      'What has no value comes last.',
    ),
    '-score',
  ),
  format: pageForm,
  limit,
  cursor: pageCursor,
});

export const BatchBody = Type.Object(
  {
    assets: Type.Array(Type.String(), {
      minItems: 1,
      description: 'Named as in the path of GET /v1/rms/{asset}; as many as the plan’s batch size (GET /v1/plans).',
    }),
    view: Type.Optional(
      choice(['full', 'digest'], '`digest`: entries in the short form, as `view=digest` gives them one by one.'),
    ),
  },
  { description: 'The assets to read.' },
);
