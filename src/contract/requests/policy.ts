import Type, { type Static, type TSchema } from 'typebox';
import { CHAINS } from '../../chains/index.ts';
import { BANDS, CLASSES, SEVERITIES } from '../../domain/index.ts';
import { choice, plainText } from './fields.ts';
import { flagCode } from './flag-code.ts';

const closed = { additionalProperties: false };
const optional = Type.Optional;
const OUTCOMES = ['block', 'caution'] as const;

/** A rule with a limit for each decision. An omitted or null limit does not apply. */
function graded<Schema extends TSchema>(schema: Schema, description: string) {
  const limit = (answer: string) =>
    optional(Type.Union([schema, Type.Null()], { description: `Limit of the decision \`${answer}\`; null: none.` }));
  return optional(Type.Object({ block: limit('block'), caution: limit('caution') }, { ...closed, description }));
}
const number = (minimum: number, maximum: number) => Type.Number({ minimum, maximum });
const codes = optional(Type.Array(flagCode('Code of a flag.'), { maxItems: 200, description: 'Codes of flags.' }));
const severities = optional(
  Type.Array(choice(SEVERITIES, 'A severity.'), { uniqueItems: true, description: 'Severities of flags.' }),
);
const flagged = (answer: string) =>
  optional(Type.Object({ severities, codes }, { ...closed, description: `Flags whose decision is \`${answer}\`.` }));
const outcome = (description: string) => optional(choice(OUTCOMES, description));
const assetId = Type.String({
  minLength: 3,
  maxLength: 250,
  pattern:
    '^(project:[a-z0-9][a-z0-9.-]*|[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,64}/[-a-z0-9]{3,8}:[-.%a-zA-Z0-9]{1,128}(/[-.%a-zA-Z0-9]{1,78})?)$',
  description: 'a CAIP-19 id, without case for addresses of EVM chains, or project:domain.',
});
const lists = <Schema extends TSchema>(item: Schema, description: string) =>
  optional(
    Type.Object(
      {
        allow: optional(
          Type.Union([Type.Array(item, { maxItems: 2_000 }), Type.Null()], {
            description: 'Those allowed; null: all.',
          }),
        ),
        deny: optional(Type.Array(item, { maxItems: 2_000, description: 'Those denied.' })),
      },
      { ...closed, description: `${description} \`allow\`: all others are blocked; \`deny\`: these are.` },
    ),
  );

/** The rules of a caller. A published rating is checked against them and never changed by them. */
export const PolicyRules = Type.Object(
  {
    band: graded(choice(BANDS.slice(0, -1), 'A band.'), 'Worse than this band.'),
    trust: graded(number(0, 100), 'Trust in the evidence below this, 0-100.'),
    flags: optional(
      Type.Object(
        { block: flagged('block'), caution: flagged('caution'), ignore: codes },
        {
          ...closed,
          description: 'A flag of one of these severities or codes; `ignore` names codes that do not count.',
        },
      ),
    ),
    rating_age_hours: graded(number(0, 87_600), 'The facts of the rating are older than so many hours.'),
    evidence_age_hours: graded(
      number(0, 87_600),
      'The middle observation that the rating rests on is older than so many hours.',
    ),
    chains: lists(
      choice(
        CHAINS.map(({ name }) => name),
        'Name of a chain.',
      ),
      'Chains.',
    ),
    classes: lists(choice(CLASSES, 'A class.'), 'Classes of the methodology.'),
    assets: lists(assetId, 'Own lists of assets.'),
    exit: optional(
      Type.Object(
        {
          max_cost_pct: optional(
            Type.Number({
              minimum: 0.01,
              maximum: 50,
              description: 'Average price below the market, percent. Default: 2.',
            }),
          ),
          size_usd: graded(number(0, 1e15), 'The largest exposure is below so many US dollars.'),
          amount: outcome('The decision where the amount of the request is above the largest exposure.'),
          estimated: outcome('The decision where no pool was read from the chain.'),
        },
        {
          ...closed,
          description:
            'The largest sale whose average price, fees included, is at most `max_cost_pct` percent below the market (the largest exposure).',
        },
      ),
    ),
    pool_share_pct: graded(number(0, 100), 'One pool takes more than this share of the largest exit, percent.'),
    provider_share_pct: graded(
      number(0, 100),
      'The creator and linked wallets hold more than this share of the liquidity, percent.',
    ),
    unknown: outcome(
      'The decision where a rule cannot be evaluated: never rated, not rated (NR), withdrawn, evidence no longer kept, an unknown figure.',
    ),
  },
  { ...closed, title: 'PolicyRules', description: 'Rules of a caller; what is left out is taken from the preset.' },
);
export type Rules = Static<typeof PolicyRules>;

export const PRESETS = ['wallet', 'listing_desk', 'treasury', 'agent'] as const;
const preset = optional(choice(PRESETS, 'Rules to begin with (GET /v1/policy/presets). Default: wallet.'));
const rules = optional(PolicyRules);
const amount = (description: string) => optional(Type.Number({ minimum: 0, maximum: 1e15, description }));

export const PolicyCheckBody = Type.Object(
  {
    asset: Type.String({
      minLength: 1,
      maxLength: 250,
      description: 'Named as in the path of GET /v1/rms/{asset}.',
      examples: ['JUP'],
    }),
    amount_usd: amount('Amount to be held or bought, US dollars; compared with the largest exposure.'),
    preset,
    rules,
  },
  { ...closed, description: 'The asset and the rules.' },
);

const Position = Type.Object(
  {
    asset: Type.String({ minLength: 1, maxLength: 250, description: 'Named as in the path of GET /v1/rms/{asset}.' }),
    value_usd: amount('Value of the position, US dollars.'),
    quantity: optional(
      Type.Number({ minimum: 0, maximum: 1e30, description: 'Whole tokens, where no value is given.' }),
    ),
  },
  { ...closed, title: 'PositionInput', description: 'One position.' },
);
export type PositionInput = Static<typeof Position>;

export const PortfolioBody = Type.Object(
  {
    positions: optional(Type.Array(Position, { minItems: 1, maxItems: 10_000, description: 'The positions.' })),
    csv: optional(
      plainText(
        262_144,
        'The positions as CSV with the header `asset` and `value_usd` or `quantity`, instead of `positions`.',
      ),
    ),
    address: optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^[0-9A-Za-z]*$',
        description:
          'An address whose holdings are the positions, read from the chains now; instead of `positions` and `csv`.',
        examples: ['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'],
      }),
    ),
    chains: optional(
      Type.Array(
        choice(
          CHAINS.map(({ name }) => name),
          'Name of a chain.',
        ),
        {
          minItems: 1,
          uniqueItems: true,
          description:
            'With `address`: the chains that are read. Default: every chain with such addresses that has a node here.',
        },
      ),
    ),
    preset,
    rules,
    simulation: optional(
      Type.Object(
        {
          seed: optional(
            Type.Integer({ minimum: 0, maximum: 4_294_967_295, description: 'The same seed gives the same bytes.' }),
          ),
          runs: optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Number of runs.' })),
        },
        { ...closed, description: 'Runs in which issuers, bridges, oracles and collateral fail by chance.' },
      ),
    ),
  },
  { ...closed, description: 'Positions in one of three forms, and the rules.' },
);
