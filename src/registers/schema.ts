import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { REDEMPTION_STATES, STATE_CELLS } from './observe.ts';
import { type PositionBook, PositionCells, unknownKinds } from './position-schema.ts';
import { isLicenceProven, LICENCE_CELLS, type RegisterRow } from './state.ts';
import { positionTerms } from './terms.ts';

const Text = Type.String({ minLength: 1, maxLength: 300 });
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const Name = Type.String({ pattern: '^[a-z0-9][a-z0-9_.-]{0,79}$' });
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const optional = Type.Optional;
const oneOf = <Word extends string>(words: readonly Word[]) =>
  Type.Unsafe<Word>(Type.Union(words.map((word) => Type.Literal(word))));
const closed = { additionalProperties: false };

/** A state that `observe.ts` accepts in that cell. */
function state(key: keyof typeof STATE_CELLS, cell: string) {
  const cells: Readonly<Record<string, readonly [string, readonly string[]]>> = STATE_CELLS[key];
  return oneOf(cells[cell]?.[1] ?? []);
}

/** A token by chain (CAIP-2) and canonical address. */
const Token = Type.Object(
  { chain: Type.String({ pattern: '^[a-z0-9-]{3,8}:[-_a-zA-Z0-9]{1,64}$' }), address: Text },
  closed,
);
const Mix = Type.Record(Type.String(), Share);
const Outage = Type.Object(
  {
    date: Day,
    hours: Type.Number({ exclusiveMinimum: 0 }),
    kind: optional(oneOf(['halt', 'finality'])),
    source_url: optional(Text),
  },
  closed,
);

/** Blocks replaced by a longer chain: how many, and the hours of history they covered. */
const Reorganisation = Type.Object(
  {
    date: Day,
    blocks: Type.Integer({ minimum: 1 }),
    hours: Type.Number({ exclusiveMinimum: 0 }),
    source_url: optional(Text),
  },
  closed,
);

/** Common fields of all rows. */
const Kept = {
  id: Name,
  name: Text,
  /** Keys of the file's `sources`. */
  sources: Type.Array(Name, { minItems: 1 }),
  /** Cells that no source proves. */
  unconfirmed: Type.Array(Name),
  reviewed_by: Type.Array(Text),
  /** Date of the last review. */
  seen: Day,
  expires: Day,
  note: optional(Text),
};

/** Fields of a token that represents another asset. */
const Exit = {
  /** One over the HHI of the parties that operate or keep the backing. */
  operators: optional(Type.Number({ minimum: 1 })),
  /** Days until a holder has the represented asset. */
  exit_days: optional(Type.Number({ minimum: 0 })),
};

/** Who reports on the backing, and how often; null: no reports. */
const Reports = orNull(
  Type.Object(
    {
      firm: optional(Text),
      cadence: Text,
      page: optional(Text),
      newest_date: optional(Day),
      sha256: optional(Text),
    },
    closed,
  ),
);

const Native = Type.Object(
  {
    ...Kept,
    symbol: Text,
    caip2: orNull(Type.String()),
    /** Coin type of SLIP-0044: with `caip2` it names the coin as an asset (CAIP-19). */
    slip44: optional(Type.Integer({ minimum: 0 })),
    coingecko: orNull(Name),
    consensus: oneOf(['pow', 'bft', 'pos', 'list', 'council', 'poa']),
    threshold: Text,
    open: state('natives', 'open'),
    control: state('natives', 'control'),
    contracts: Type.Boolean(),
    process: state('natives', 'process'),
    process_url: optional(Text),
    security_policy: optional(state('natives', 'security_policy')),
    security_url: optional(Text),
    orgs: Type.Array(Text),
    clients: optional(Type.Array(Text)),
    premine_share: orNull(Share),
    insider_share: optional(Share),
    max_supply: optional(orNull(Type.Number({ exclusiveMinimum: 0 }))),
  },
  closed,
);

const Issuer = Type.Object(
  {
    ...Kept,
    symbol: Text,
    kind: oneOf(['stable_fiat', 'commodity', 'rwa_sec', 'wrapped', 'exchange', 'other']),
    issuer: Text,
    legal_entity: optional(Text),
    lei: optional(Type.String({ pattern: '^[0-9A-Z]{20}$' })),
    tier: orNull(oneOf(['supervised', 'disclosed'])),
    regulators: Type.Array(
      Type.Object(
        {
          authority: Text,
          permission: Text,
          document: optional(Text),
          register_url: optional(Text),
          source: optional(Name),
          seen: optional(Day),
        },
        closed,
      ),
    ),
    tokens: Type.Array(Token),
    /** Names the asset where it has no address: on chains that are not read, and as the asset a receipt represents. */
    coingecko: optional(Name),
    powers: Type.Array(oneOf(['mint', 'freeze', 'upgrade', 'seize', 'pause'])),
    reports: optional(Reports),
    reserve_mix: optional(Mix),
    /** Kind of backing that counts at its whole value because the token represents it: `gold` of a gold token. */
    asset_kind: optional(Text),
    segregation: optional(state('issuer', 'segregation')),
    redemption: optional(
      Type.Union([
        oneOf(REDEMPTION_STATES),
        Type.Object(
          {
            who: Text,
            minimum_usd: optional(Type.Number({ minimum: 0 })),
            days: optional(Type.Number({ minimum: 0 })),
          },
          closed,
        ),
      ]),
    ),
    insolvency: orNull(
      Type.Object(
        { court: Text, docket: Text, opened: Day, extinguished: optional(Day), source_url: optional(Text) },
        closed,
      ),
    ),
    /** When the issuer or its supervisor announced the end of the token. */
    wind_down: optional(orNull(Day)),
    peg_currency: optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    underlying: optional(Text),
    ...Exit,
    accounts: optional(state('issuer', 'accounts')),
    legal_form: optional(state('issuer', 'legal_form')),
  },
  closed,
);

const Protocol = Type.Object(
  {
    ...Kept,
    symbol: Text,
    kind: oneOf([
      'governance',
      'service',
      'game',
      'receipt',
      'governance_of_issuer',
      'issuer_protocol',
      'l2',
      'exchange',
    ]),
    protocol: Text,
    tokens: Type.Array(Token),
    coingecko: optional(Name),
    claim: optional(state('protocol', 'claim')),
    control: optional(state('protocol', 'control')),
    control_note: optional(Text),
    contracts: optional(Type.Array(Type.Object({ ...Token.properties, role: Text, note: optional(Text) }, closed))),
    underlying: optional(Text),
    redemption: optional(state('protocol', 'redemption')),
    ...Exit,
    /** For a token that represents several assets: each by its name, with its share of the backing. */
    underlyings: optional(Mix),
    collateral: optional(Mix),
    backing: optional(Mix),
    backing_onchain_share: optional(Share),
    reports: optional(Reports),
    peg_currency: optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    peg_mechanism: optional(oneOf(['fiat_backed', 'crypto_backed', 'algorithmic'])),
    stage: optional(Type.Integer({ minimum: 0, maximum: 2 })),
    sequencer: optional(state('protocol', 'sequencer')),
    bounty_max_usd: optional(Type.Number({ minimum: 0 })),
    security_policy: optional(state('protocol', 'security_policy')),
    suspended: optional(Day),
    orgs: optional(Type.Array(Text)),
  },
  closed,
);

const Allocation = Type.Object(
  {
    ...Kept,
    symbol: Text,
    tokens: Type.Array(Token),
    coingecko: optional(Name),
    insider_share: optional(Share),
    /** Tokens released evenly from `start` to `end`, or at once at `start`. */
    unlocks: optional(
      Type.Array(Type.Object({ start: Day, end: optional(Day), tokens: Type.Number({ minimum: 0 }) }, closed)),
    ),
    circulating: optional(Type.Number({ exclusiveMinimum: 0 })),
    unlock_next_12m_share: optional(Type.Number({ minimum: 0 })),
  },
  closed,
);

const Venue = Type.Object(
  {
    ...Kept,
    kind: oneOf(['cex', 'dex']),
    /** Its name at each source. */
    names: Type.Record(Type.String(), Type.Union([Text, Type.Array(Text)])),
    /** Confidence of each of `names`: by domain, shared wallets, or `by_name` (to be confirmed). */
    join: optional(Type.Record(Type.String(), Text)),
    grade: optional(state('venue', 'grade')),
    /** Basis of the grade: an opinion per list, with its date. */
    grades: optional(Type.Array(Type.Object({ list: Text, grade: Text, at: Type.String() }, closed))),
    reserves: optional(state('venue', 'reserves')),
    mica: optional(Text),
    country: optional(Text),
    since: optional(Type.Integer({ minimum: 1990, maximum: 2100 })),
    closed: optional(Type.Boolean()),
    /** Exchange tokens whose value depends on it. */
    tokens: Type.Array(Token),
  },
  closed,
);

const OutageRow = Type.Object(
  {
    ...Kept,
    caip2: orNull(Type.String()),
    coingecko: orNull(Name),
    /** Empty: reviewed, and there was none. */
    outages: optional(Type.Array(Outage)),
    /** Empty: reviewed, and there was none deeper than the confirmations that users of the chain wait for. */
    reorganisations: optional(Type.Array(Reorganisation)),
  },
  closed,
);

const Position = Type.Object(
  { ...Kept, symbol: Text, tokens: Type.Array(Token, { minItems: 1 }), ...PositionCells },
  closed,
);

const Label = Type.Object(
  {
    /** CAIP-2; `eip155:*` of an account that is the same on every EVM chain. */
    chain: Type.String({ pattern: '^[a-z0-9-]{3,8}:[-_*a-zA-Z0-9]{1,64}$' }),
    address: Text,
    kind: Name,
    owner: Text,
    sources: Type.Array(Name, { minItems: 1 }),
    seen: Day,
  },
  closed,
);

const Auditor = Type.Object({ ...Kept, domains: Type.Array(Text), github: Type.Array(Text) }, closed);

const Source = Type.Object({ url: Text, licence: Text, seen: orNull(Day) }, closed);

function fileOf<Row extends TSchema>(row: Row) {
  return Type.Object(
    {
      /** A file of fictional sandbox rows, which no live service reads. */
      world: optional(Type.Literal('sandbox')),
      updated: Day,
      sources: Type.Record(Name, Source),
      rows: Type.Array(row),
    },
    closed,
  );
}

/** The file of each register. */
export const FILES = {
  natives: fileOf(Native),
  issuers: fileOf(Issuer),
  protocols: fileOf(Protocol),
  allocations: fileOf(Allocation),
  venues: fileOf(Venue),
  outages: fileOf(OutageRow),
  positions: fileOf(Position),
  labels: fileOf(Label),
  auditors: fileOf(Auditor),
} as const;

export type RegisterName = keyof typeof FILES;
export const REGISTER_NAMES = Object.keys(FILES) as readonly RegisterName[];
export type RegisterFile<Name extends RegisterName> = Static<(typeof FILES)[Name]>;

const validators = new Map<RegisterName, ReturnType<typeof Compile>>();

/** Errors in the content of a register's file, as text; empty if it is valid. */
export function complaintsOf(register: RegisterName, content: unknown): readonly string[] {
  const validator = validators.get(register) ?? Compile(FILES[register] as TSchema);
  validators.set(register, validator);
  if (!validator.Check(content))
    return validator
      .Errors(content)
      .slice(0, 10)
      .map((row) => `${row.instancePath || '/'} ${row.message}`);
  const file = content as { readonly sources: object; readonly rows: readonly Readonly<Record<string, unknown>>[] };
  const seen = new Set<string>();
  return file.rows.flatMap((row, index) => {
    const id = register === 'labels' ? `${String(row.chain)}/${String(row.address)}` : String(row.id);
    const isTwice = seen.has(id);
    seen.add(id);
    const sources = row.sources as readonly string[];
    const unconfirmed = (row.unconfirmed ?? []) as readonly string[];
    const isUnproven = row.tier === 'supervised' && !isLicenceProven(row as RegisterRow);
    return [
      ...(isUnproven && !unconfirmed.some((cell) => LICENCE_CELLS.includes(cell))
        ? [`/rows/${index} ${id} is called supervised by no register that was read, and two people did not review it`]
        : []),
      ...(register === 'positions' ? unknownKinds(row as unknown as PositionBook, positionTerms()) : []).map(
        (text) => `/rows/${index} ${id} ${text}`,
      ),
      ...(isTwice ? [`/rows/${index} ${id} stands there twice`] : []),
      ...sources
        .filter((key) => !Object.hasOwn(file.sources, key))
        .map((key) => `/rows/${index} ${id} cites ${key}, which is no source of the file`),
      ...unconfirmed
        .filter((cell) => !Object.hasOwn(row, cell))
        .map((cell) => `/rows/${index} ${id} has no cell ${cell} that could be unconfirmed`),
    ];
  });
}
