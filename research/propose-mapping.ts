import { basename } from 'node:path';
import { findChain } from '../src/chains/index.ts';
import { QUANTITIES, type QuantityId } from '../src/domain/index.ts';
import { isShareOfWhole } from './advice.ts';
import { isEvmAddress, plainNumber, statesOf } from './cell-forms.ts';
import type { ColumnRule, Table } from './mapping.ts';
import { quoted, timeOf } from './table.ts';

/** A mapping suggested by a file's headers and cells, with one line per guess. */
export interface Proposal {
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

/** Quantities by words in a header, first match wins; a header equal to the name of a quantity is matched directly. */
const NAMES: readonly (readonly [pattern: RegExp, quantity: QuantityId])[] = [
  [/lp.*burn|burn.*(lp|liq)/, 'lp_burned_share'],
  [/(lp|liq\w*).*unlock|unlock.*(lp|liq)/, 'lp_unlock_at'],
  [/lp.*lock|lock.*(lp|liq)/, 'lp_locked_share'],
  [/(lp|liq\w*)_?.*(creator|owner|dev|deployer)|(creator|owner|dev|deployer)_?lp/, 'lp_creator_share'],
  [/top_?10/, 'top10_share'],
  [/insider/, 'insider_share'],
  [/(creator|dev|deployer|team)_?.*(share|pct|percent|balance|hold)/, 'creator_share'],
  [/(creator|dev|deployer)_?.*(tokens|launches)/, 'creator_tokens_count'],
  [/^(n_|num_|number_of_)?holders?(_count|s)?$|holder_?count/, 'holder_count'],
  [/market_?cap|^mcap/, 'market_cap_usd'],
  [/^fdv|fully_diluted/, 'fdv_usd'],
  [/vol(ume)?/, 'volume_24h_usd'],
  [/liquidity|^liq(_usd)?$/, 'liquidity_dex_usd'],
  [/^price(_usd)?$/, 'price_usd'],
  [/buy_?tax/, 'buy_tax'],
  [/sell_?tax/, 'sell_tax'],
  [/transfer_?tax/, 'transfer_tax'],
  [/honey_?pot/, 'honeypot'],
  [/hidden_?owner/, 'hidden_owner'],
  [/black_?list/, 'blacklist_function'],
  [/white_?list/, 'whitelist_function'],
  [/pausable|pause/, 'transfer_pausable'],
  [/proxy/, 'is_proxy'],
  [/verified|open_?source/, 'source_verified'],
  [/mint(able|ing|_authority|_function)?$/, 'mint_authority_state'],
  [/freez(e|able)(_authority)?$/, 'freeze_authority_state'],
  [/traders|unique_wallets/, 'traders_24h'],
  [/trades|swaps|txns|transactions/, 'trades_24h'],
  [/circulating/, 'circulating_supply'],
  [/total_?supply/, 'total_supply'],
  [/max_?supply/, 'max_supply'],
  [/first_?(trade|swap)/, 'first_trade_at'],
  [/creat|launch|deploy|born/, 'token_created_at'],
  [/domain.*(regist|creat)/, 'domain_registered_at'],
  [/audits?(_count)?$/, 'audits_count'],
];

const ID = /^(token_?|contract_?|coin_?)?(address|contract|mint|id|token|coin|asset|symbol|name|pair)$/;
const OUTCOME = /fate|label|outcome|status|result|target|rug|scam|dead|alive|fail|surviv|delist|legit|fraud/;
const MEASURED = /measur|observ|snapshot|as_?of|feature|seen|collected|scraped|^(date|time|timestamp|day)$/;
const DECIDED =
  /(decid|outcome|label|known|rug|death|died|delist|fail).*(at|time|date|day)|^(rugged|died|delisted)_?(at|on)?$/;
const GROUP = /^(creator|deployer|owner|maker|developer|dev|team|issuer)(_?(address|wallet|id))?$/;
const FAILED = /^(rug\w*|scam\w*|dead|died|fail\w*|fraud\w*|malicious|bad|delisted|inactive|collapsed?|depeg\w*)$/;
const SURVIVED = /^(ok|okay|alive|live|good|safe|surviv\w*|healthy|legit\w*|active|normal|benign|fine|listed)$/;
const NEGATIVE = /alive|surviv|legit|safe|good|ok/;
const YES = /^(1|true|yes|y|1\.0)$/;
const NO = /^(0|false|no|n|0\.0)$/;
/** Terms for an authority held by a wallet, and for one without a holder. */
const KEY_HELD = /^(owner|key|wallet|eoa|held|active|enabled|creator|deployer)$/;
const GIVEN_UP = /^(renounced|revoked|disabled|burned|given up|none)$/;
const MISSING = /^(-+|—|n\/?a|nan|null|none|nil|unknown|undefined|\?)$/i;
const MOST_OUTCOMES = 12;

interface Column {
  readonly name: string;
  /** Header in lower case with underscores. */
  readonly key: string;
  /** Informative cells. */
  readonly cells: readonly string[];
  readonly distinct: readonly string[];
}

/** Guesses a mapping from the file alone, and reports every guess. */
export function proposeMapping(table: Table): Proposal {
  const notes: string[] = [];
  const all = table.columns.map((name, at) =>
    columnOf(
      name,
      table.rows.map((row) => (row.cells[at] ?? '').trim()),
    ),
  );
  const empty = [...new Set(table.rows.flatMap((row) => row.cells.map((cell) => cell.trim())))]
    .filter((cell) => MISSING.test(cell))
    .sort();
  const left = new Set(all);
  const take = (column: Column | undefined) => {
    if (column !== undefined) left.delete(column);
    return column ?? null;
  };
  const file = table.files[0]?.name ?? 'file.csv';
  const form = formOf(all);
  if (form !== null) notes.push(`numbers are written with ${JSON.stringify(form)}: guessed from the cells`);
  const outcome = take(
    all.find(
      (one) =>
        OUTCOME.test(one.key) &&
        !isDate(one) &&
        one.distinct.length > 1 &&
        one.distinct.length <= MOST_OUTCOMES &&
        outcomeOf(one) !== null,
    ),
  );
  const id = take(
    all.find(
      (one) =>
        left.has(one) &&
        ID.test(one.key) &&
        one.cells.length === table.rows.length &&
        new Set(one.cells).size === table.rows.length,
    ),
  );
  const dates = all.filter((one) => left.has(one) && isDate(one));
  const measured = take(dates.find((one) => MEASURED.test(one.key)));
  const decided = take(dates.find((one) => left.has(one) && DECIDED.test(one.key)));
  const group = take(all.find((one) => left.has(one) && GROUP.test(one.key) && !isNumeric(one, form)));
  const quantities = quantitiesOf(
    all.filter((one) => left.has(one)),
    { form, hasTime: measured !== null, notes, take },
  );
  const chain = chainOf(id, all);
  notes.unshift(
    ...named('id', id, 'the first column of distinct addresses or names; without one each row goes by its line'),
    ...(outcome === null
      ? ['outcome: no column was found that says failed or survived; fill in "outcome", or only stability is measured']
      : [
          `outcome: ${quoted(outcome.name)}, ${JSON.stringify(outcomeOf(outcome))}: check that failed and survived are not exchanged`,
        ]),
    ...named('featureTime', measured, 'the moment at which a row was measured; without it no age can be reckoned'),
    ...named(
      'outcomeTime',
      decided,
      'the moment from which the outcome was known; without it late measurements cannot be found',
    ),
    ...named('group', group, 'what ties rows together (the creator); without it members count as independent'),
    `chain: ${chain === null ? 'not recognised; name one if features of a chain are mapped' : `${chain}, by the form of the addresses or a column of it; any chain of the same kind rates alike`}`,
    'class: "default"; name the class of your tokens (memecoin, l2, stable_fiat, ...; GET /v1/methodology) for its weights',
  );
  const unused = [...left].map(({ name }) => quoted(name));
  if (unused.length > 0)
    notes.push(`not mapped: ${unused.join(', ')}; assay validate --quantities lists what a column can be`);
  if (empty.length > 0) notes.push(`missing: ${empty.map(quoted).join(', ')} read as "not known"`);
  return {
    notes,
    mapping: {
      name:
        basename(file)
          .toLowerCase()
          .replace(/(\.csv)?(\.gz)?$/, '')
          .replaceAll(/[^a-z0-9_-]+/g, '_')
          .slice(0, 60) || 'mine',
      title: file,
      file,
      id: id?.name ?? null,
      outcome: outcome === null ? null : { column: outcome.name, ...outcomeOf(outcome) },
      group: group?.name ?? null,
      featureTime: measured?.name ?? null,
      outcomeTime: decided?.name ?? null,
      class: 'default',
      chain,
      ...(form === null ? {} : { number: form }),
      ...(empty.length === 0 ? {} : { missing: empty }),
      quantities,
    },
  };
}

/** Longest header that is matched, since the expressions above are slow for long texts. */
const LONGEST_HEADER = 200;

function columnOf(name: string, cells: readonly string[]): Column {
  const known = cells.filter((cell) => cell !== '' && !MISSING.test(cell));
  const key = name
    .slice(0, LONGEST_HEADER)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('%', '_pct')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
  return { name, key, cells: known, distinct: [...new Set(known)].sort() };
}

function named(what: string, column: Column | null, why: string): readonly string[] {
  return [`${what}: ${column === null ? `not found (${why})` : `${quoted(column.name)} (${why})`}`];
}

/** Number format of the whole file; null: plain. */
function formOf(columns: readonly Column[]) {
  const cells = columns.flatMap((one) => one.cells);
  const strip = ['%', '$', '€'].filter((sign) =>
    cells.some(
      (cell) => (sign === '%' ? /^[-+]?[\d.,]+\s?%$/ : /^[-+]?[$€]\s?[\d.,]+$/).test(cell) && cell.includes(sign),
    ),
  );
  const bare = cells.map((cell) => strip.reduce((text, sign) => text.replaceAll(sign, ''), cell).trim());
  // A comma that is not followed by three digits is not a thousands separator.
  const isDecimal = bare.some(
    (cell) => /^[-+]?\d+,(\d{1,2}|\d{4,})$/.test(cell) || /^[-+]?\d{1,3}(\.\d{3})+,\d+$/.test(cell),
  );
  const thousands = isDecimal
    ? bare.some((cell) => /^[-+]?\d{1,3}(\.\d{3})+(,\d+)?$/.test(cell))
      ? '.'
      : null
    : bare.some((cell) => /^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(cell))
      ? ','
      : null;
  const form = {
    ...(isDecimal ? { decimal: ',' as const } : {}),
    ...(thousands === null ? {} : { thousands }),
    ...(strip.length === 0 ? {} : { strip }),
  };
  return Object.keys(form).length === 0 ? null : form;
}

/** Texts of a column that mean failure and survival; null if they are not evident. */
function outcomeOf({ key, distinct }: Column) {
  const words = distinct.filter((text) => FAILED.test(text.toLowerCase()) || SURVIVED.test(text.toLowerCase()));
  const sorted = (failed: RegExp, survived: RegExp) => {
    const [down, up] = [failed, survived].map((pattern) => distinct.filter((text) => pattern.test(text.toLowerCase())));
    const neither = distinct.filter((text) => !down?.includes(text) && !up?.includes(text));
    return down?.length && up?.length
      ? { failed: down, survived: up, ...(neither.length === 0 ? {} : { leftOut: neither }) }
      : null;
  };
  if (words.length > 1) return sorted(FAILED, SURVIVED);
  return NEGATIVE.test(key) ? sorted(NO, YES) : sorted(YES, NO);
}

function isDate({ cells }: Column): boolean {
  return (
    cells.length > 0 && cells.every((cell) => timeOf(cell) > Date.UTC(2009, 0) && timeOf(cell) < Date.UTC(2100, 0))
  );
}

function isNumeric({ cells }: Column, form: ReturnType<typeof formOf>): boolean {
  return cells.length > 0 && cells.every((cell) => Number.isFinite(plainNumber(cell, form ?? {})));
}

function quantitiesOf(
  columns: readonly Column[],
  tools: {
    readonly form: ReturnType<typeof formOf>;
    readonly hasTime: boolean;
    readonly notes: string[];
    readonly take: (column: Column) => unknown;
  },
): Readonly<Record<string, ColumnRule>> {
  const found: Record<string, ColumnRule> = {};
  for (const column of columns) {
    const quantity = isMeasure(column.key) ? column.key : NAMES.find(([pattern]) => pattern.test(column.key))?.[1];
    if (quantity === undefined || Object.hasOwn(found, quantity)) continue;
    const rule = ruleOf(column, quantity, tools);
    if (rule === null) continue;
    found[quantity] = rule.rule;
    tools.take(column);
    tools.notes.push(`${quantity}: ${quoted(column.name)}, ${QUANTITIES[quantity].meaning}${rule.note}`);
  }
  return found;
}

function isMeasure(key: string): key is QuantityId {
  if (!Object.hasOwn(QUANTITIES, key)) return false;
  const { kind } = QUANTITIES[key as QuantityId];
  return kind !== 'text' && kind !== 'list';
}

/** A rule that reads every cell of the column; null if the cells do not fit the quantity. */
function ruleOf(
  column: Column,
  quantity: QuantityId,
  {
    form,
    hasTime,
    notes,
  }: { readonly form: ReturnType<typeof formOf>; readonly hasTime: boolean; readonly notes: string[] },
): { readonly rule: ColumnRule; readonly note: string } | null {
  const { kind } = QUANTITIES[quantity];
  const rule = { column: column.name };
  const isYesNo = column.distinct.every((text) => YES.test(text.toLowerCase()) || NO.test(text.toLowerCase()));
  if (column.cells.length === 0) return null;
  if (kind === 'date') {
    if (!isDate(column)) return null;
    if (!hasTime)
      notes.push(
        `${quoted(column.name)} could be ${quantity}, and needs featureTime: no column of the moment at which the row was measured was found`,
      );
    return hasTime ? { rule, note: '' } : null;
  }
  if (kind === 'boolean') return isYesNo ? { rule, note: '' } : null;
  if (kind === 'enum') {
    const states = statesOf(quantity);
    if (column.distinct.every((text) => states.includes(text))) return { rule, note: '' };
    const can = (text: string) => YES.test(text.toLowerCase()) || KEY_HELD.test(text.toLowerCase());
    const cannot = (text: string) => NO.test(text.toLowerCase()) || GIVEN_UP.test(text.toLowerCase());
    if (!column.distinct.every((text) => can(text) || cannot(text))) return null;
    const told = Object.fromEntries(column.distinct.map((text) => [text, can(text) ? 'eoa' : 'none']));
    const [held, nobody] = [column.distinct.filter(can), column.distinct.filter(cannot)].map((words) =>
      words.join(', '),
    );
    return {
      rule: { ...rule, states: told },
      note: `; ${held || 'yes'} is read as a plain key that can (eoa), ${nobody || 'no'} as nobody (none)`,
    };
  }
  if (kind === 'text' || kind === 'list' || !isNumeric(column, form)) return null;
  const numbers = column.cells.map((cell) => plainNumber(cell, form ?? {}));
  const largest = numbers.reduce((a, b) => Math.max(a, b), 0);
  if (!isShareOfWhole(quantity) || largest <= 1) return { rule, note: '' };
  return largest <= 110
    ? {
        rule: { ...rule, scale: 0.01, ...(largest > 100 ? { clamp: [0, 1] as [number, number] } : {}) },
        note: `; its largest value is ${largest}, so it is read as percent`,
      }
    : null;
}

function chainOf(id: Column | null, columns: readonly Column[]): string | null {
  const named = columns
    .find((one) => /^(chain|network|blockchain)$/.test(one.key) && one.distinct.length === 1)
    ?.distinct[0]?.toLowerCase();
  if (named !== undefined && findChain(named)) return named;
  if (id?.cells.every(isEvmAddress)) return 'ethereum';
  return id?.cells.every((cell) => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(cell)) ? 'solana' : null;
}
