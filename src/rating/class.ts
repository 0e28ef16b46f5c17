import type { AssetClass, Consensus, Json, QuantityId } from '../domain/index.ts';
import { classByWords, isFiledAsStable, lowestClass, type Methodology } from '../methodology/index.ts';
import { rowsWith } from '../metrics/index.ts';
import { registryCategories } from './category.ts';
import { ceilingOfClass } from './ceilings.ts';
import { contextOf, fieldsOf, isHardened, isNative, rowOf, UNCLAIMED } from './context.ts';
import type { RatingInput } from './input.ts';

/** Classes of tokens that are redeemed at the value of assets but are not receipts. */
const OF_ASSETS: readonly AssetClass[] = ['rwa_sec', 'commodity'];
/** Facts about the block producers of a chain. A token with a contract has none of them. */
const OF_CHAINS = ['consensus_nakamoto', 'consensus_attack_usd', 'consensus_entry_state'];
/** Peg units of coins that represent one ounce of a metal. */
const METALS: readonly string[] = ['XAU', 'XAG'];

/** Registers whose rows decide a class. */
const REGISTERS = ['natives', 'issuers', 'venues', 'protocols'];
/** What else does. */
const CLASS_FACTS: ReadonlySet<QuantityId> = new Set<QuantityId>([
  'categories',
  'protocol_category',
  'peg_mechanism',
  'peg_target_usd',
  'peg_currency',
  'underlying_asset',
  'underlying_assets',
  'redemption_value_usd',
  'l2_stage',
]);

export interface Classified {
  readonly class: AssetClass;
  readonly reason: string;
}

/**
 * Returns the class that an asset is rated in, from evidence alone (methodology, "Class"). The first of these that
 * applies decides: a row in a kept register; the asset's peg, underlying and protocol (where these disagree, the class
 * with the lowest ceiling); the categories of registries; `default`.
 */
export function classify(input: RatingInput, methodology: Methodology): Classified {
  return byRegister(input, methodology) ?? byBehaviour(input, methodology) ?? byRegistryWords(input, methodology);
}

/**
 * True when a token would be a memecoin or unclassified without the word of some one lineage group, and no register has
 * it. A read of the chain is such a word too: what a token's contract says of itself costs nothing.
 */
export function isByOneGroup(input: RatingInput, methodology: Methodology): boolean {
  if (REGISTERS.some((register) => rowOf(input, register) !== null)) return false;
  const rows = [...CLASS_FACTS].flatMap((quantity) => rowsWith(input.consensus, quantity));
  const families = new Set(rows.flatMap(({ voices }) => voices.map(({ family }) => family)));
  return [...families].some((family) => UNCLAIMED.includes(classify(withoutGroup(input, family), methodology).class));
}

/** The input as if one lineage group had said nothing about the class. */
function withoutGroup(input: RatingInput, family: string): RatingInput {
  const rows = Object.entries(input.consensus).flatMap(([key, row]): readonly (readonly [string, Consensus])[] => {
    if (!CLASS_FACTS.has(row.quantity) || row.voices.every((voice) => voice.family !== family)) return [[key, row]];
    const voices = row.voices.filter((voice) => voice.family !== family);
    const isStated = row.quantity === 'categories' ? voices.length > 0 : voices.some(({ accepted }) => accepted);
    return isStated ? [[key, { ...row, voices }]] : [];
  });
  return { ...input, consensus: Object.fromEntries(rows) };
}

function byRegister(input: RatingInput, methodology: Methodology): Classified | null {
  const words = registryCategories(input);
  const { classRules } = methodology;
  if (rowOf(input, 'natives') !== null && isNative(input))
    return { class: 'native_l1', reason: 'a row in the register of native coins' };
  const issuer = rowOf(input, 'issuers');
  if (issuer !== null) {
    const why = 'a row in the register of issuers';
    const kept = classRules.issuers[String(issuer.kind)];
    if (kept !== undefined) return { class: kept, reason: `${why} (${issuer.kind})` };
    const filed = classByWords(words, classRules.issued, methodology);
    if (filed) return { class: filed.class, reason: `${why}, and a registry files it under "${filed.word}"` };
    const pegged = byPeg(input, methodology);
    if (pegged || isFiledAsStable(words, methodology)) return { class: 'stable_fiat', reason: `${why}, and a peg` };
    if (textOf(input, 'underlying_asset') !== null) return { class: 'lst_wrapped', reason: `${why} that holds it` };
    if (METALS.includes(textOf(input, 'peg_currency') ?? ''))
      return { class: 'commodity', reason: `${why}, and a metal` };
    // The issuer holds a reserve, and the token has no peg and wraps nothing: holders own a share of the reserve.
    if (Object.keys(fieldsOf(issuer.reserve_mix)).length > 0 && !isFiledAsReceipt(input, methodology))
      return { class: 'rwa_sec', reason: `${why}, which names a reserve and no peg` };
  }
  if (rowOf(input, 'venues') !== null) return { class: 'exchange', reason: 'a row in the register of venues names it' };
  const protocol = rowOf(input, 'protocols');
  const kind = typeof protocol?.kind === 'string' ? protocol.kind : null;
  const named = kind === null ? undefined : classRules.rows[kind];
  if (named === undefined) return null;
  // The protocol's own statements, and lists, may put the peg and its mechanism into a lower class.
  if (classRules.pegs.includes(named)) return null;
  const isRollup = named === 'defi_gov' && (textOf(input, 'l2_stage') !== null || protocol?.l2beat !== undefined);
  return { class: isRollup ? 'l2' : named, reason: `a row in the register of protocols (${kind})` };
}

function byBehaviour(input: RatingInput, methodology: Methodology): Classified | null {
  const { protocols, overNative } = methodology.classRules;
  const protocol = textOf(input, 'protocol_category');
  const pegged = byPeg(input, methodology);
  // The category describes the protocol that issues the pegged coin, not the coin.
  // Fund shares and metal tokens have a redemption value too.
  const hasValue =
    typeof input.consensus.redemption_value_usd?.value === 'number' && !OF_ASSETS.includes(pegged?.class ?? 'default');
  const isReceipt = isFiledAsReceipt(input, methodology) || isBridgedCopy(input) || hasValue;
  const isOutweighed = isMemeAgainstOne(input, methodology);
  const ofProtocol =
    protocol === null || pegged !== null || isReceipt || isOutweighed ? undefined : protocols[protocol];
  const { address } = input.identification.asset;
  // If a registry lists the coin under a lower class, that category decides.
  const isCoin =
    (address === null || address === 'native') &&
    OF_CHAINS.some((name) => (input.consensus[name]?.value ?? null) !== null) &&
    classByWords(registryCategories(input), overNative, methodology) === null;
  const found = [
    isCoin ? ({ class: 'native_l1', reason: 'it has no contract, and who makes its blocks is known' } as const) : null,
    pegged,
    textOf(input, 'underlying_asset') === null && input.consensus.underlying_assets === undefined && !isReceipt
      ? null
      : ({ class: 'lst_wrapped', reason: 'it stands for another asset' } as const),
    textOf(input, 'l2_stage') === null ? null : ({ class: 'l2', reason: 'it is the token of a rollup' } as const),
    ofProtocol === undefined ? null : { class: ofProtocol, reason: `the token of a protocol of category ${protocol}` },
  ].filter((row) => row !== null);
  if (found.length === 0) return null;
  const lowest = lowestOf(found, input, methodology);
  const others = found.filter((row) => row.class !== lowest).map((row) => row.reason);
  const reason = found.find((row) => row.class === lowest)?.reason ?? '';
  return { class: lowest, reason: others.length === 0 ? reason : `${reason}; against it: ${others.join(', ')}` };
}

/** True when registries call the token a memecoin and one group alone names its protocol: lists of protocols take entries. */
function isMemeAgainstOne(input: RatingInput, methodology: Methodology): boolean {
  if (!isHardened({ methodology })) return false;
  const voices = (input.consensus.protocol_category?.voices ?? []).filter(({ accepted }) => accepted);
  const isRead = voices.some(({ tier }) => tier === 'chain');
  const families = new Set(voices.map(({ family }) => family)).size;
  const isMeme = classByWords(registryCategories(input), ['memecoin'], methodology) !== null;
  return isMeme && !isRead && families < methodology.classRules.wordFamilies;
}

/** The class with the lowest applicable ceiling on today's evidence; ties are broken by the order of ceilings. */
function lowestOf(found: readonly Classified[], input: RatingInput, methodology: Methodology): AssetClass {
  const ceilings = found.map((row) => ({
    of: row.class,
    ceiling: ceilingOfClass(contextOf(input, row.class, methodology)),
  }));
  const lowest = Math.min(...ceilings.map(({ ceiling }) => ceiling));
  return lowestClass(
    ceilings.filter(({ ceiling }) => ceiling === lowest).map(({ of }) => of),
    methodology,
  );
}

/** True when a registry lists the asset as a copy that a bridge issues against its holdings on another chain. */
function isBridgedCopy(input: RatingInput): boolean {
  return registryCategories(input).some((word) => /^bridged\b/i.test(word));
}

/**
 * True when a registry lists the asset among tokens that represent staked or wrapped assets, and not as a governance
 * token.
 */
function isFiledAsReceipt(input: RatingInput, methodology: Methodology): boolean {
  const { weak, governance } = methodology.classRules;
  const words = registryCategories(input).map((word) => word.toLowerCase());
  const own = methodology.classes.lst_wrapped.keywords.filter((word) => !weak.includes(word));
  return (
    words.some((word) => own.includes(word)) && !words.some((word) => governance.some((part) => word.includes(part)))
  );
}

/** Classifies by the peg mechanism; null for an asset for which no source states a peg. */
function byPeg(input: RatingInput, methodology: Methodology): Classified | null {
  const { pegs, mechanisms } = methodology.classRules;
  const words = registryCategories(input);
  const mechanism = textOf(input, 'peg_mechanism');
  const stated = mechanism === null ? undefined : mechanisms[mechanism];
  const row = rowOf(input, 'protocols');
  const kind = typeof row?.kind === 'string' ? row.kind : null;
  const kept = kind === null ? undefined : methodology.classRules.rows[kind];
  const filed = classByWords(words, pegs, methodology);
  const target = input.consensus.peg_target_usd?.value;
  const isPegged = isFiledAsStable(words, methodology) || (typeof target === 'number' && target > 0);
  const named: Classified[] = [
    ...(stated === undefined ? [] : [{ class: stated, reason: `its peg is ${mechanism}` }]),
    ...(kept === undefined || !pegs.includes(kept)
      ? []
      : [{ class: kept, reason: `a row in the register of protocols (${kind})` }]),
  ];
  const byWords = filed && ({ class: filed.class, reason: `a registry files it under "${filed.word}"` } as const);
  if (byWords === null && named.length === 0)
    return isPegged ? { class: 'stable_algo', reason: 'a stated peg, and nobody says what keeps it' } : null;
  const heard = byWords !== null && (named.length === 0 || doWordsCount(input, byWords.class, row, methodology));
  const deciding = heard ? [...named, byWords] : named;
  // Uses the fixed order. Otherwise a single registry's category could turn a crypto-backed coin into a fiat coin
  // without a report, which is the lower class.
  const lowest = lowestClass(
    deciding.map((one) => one.class),
    methodology,
  );
  const reason = deciding.find((one) => one.class === lowest)?.reason ?? '';
  const against = [...named, ...(byWords === null ? [] : [byWords])].filter((one) => one.class !== lowest);
  return {
    class: lowest,
    reason: against.length === 0 ? reason : `${reason}; against it: ${against.map((one) => one.reason).join(', ')}`,
  };
}

/**
 * Whether the categories of registries count when a row or a list already names the peg mechanism. The categories of a
 * single registry never count; those of several registries do not count against a confirmed row.
 */
function doWordsCount(
  { consensus }: RatingInput,
  filed: AssetClass,
  row: Readonly<Record<string, unknown>> | null,
  methodology: Methodology,
): boolean {
  const { pegs, rows, wordFamilies } = methodology.classRules;
  const isUnconfirmed = Array.isArray(row?.unconfirmed) && row.unconfirmed.includes('kind');
  if (row !== null && !isUnconfirmed && pegs.includes(rows[String(row.kind)] ?? 'default')) return false;
  const voices = rowsWith(consensus, 'categories').flatMap((one) => one.voices);
  const families = voices
    .filter(({ value }) => {
      const words = Array.isArray(value) ? value.filter((word): word is string => typeof word === 'string') : [];
      return classByWords(words, pegs, methodology)?.class === filed;
    })
    .map(({ family }) => family);
  return new Set(families).size >= wordFamilies;
}

function byRegistryWords(input: RatingInput, methodology: Methodology): Classified {
  const { words: order, proof, overNative } = methodology.classRules;
  const words = registryCategories(input);
  const without = (...left: readonly AssetClass[]) => order.filter((name) => !left.includes(name));
  if (input.identification.asset.address === 'native') {
    // A chain's own coin is recognised by its place on the chain; a registry can only put it into a lower class.
    const lower = classByWords(words, overNative, methodology);
    return lower === null
      ? { class: 'native_l1', reason: 'the coin of a chain itself, which has no contract' }
      : { class: lower.class, reason: `the coin of a chain, and a registry files it under "${lower.word}"` };
  }
  const isProven = proof.includes(textOf(input, 'claim_state') ?? '');
  const meme = isProven ? null : classByWords(words, ['memecoin'], methodology);
  const hasContract = ![null, 'native'].includes(input.identification.asset.address);
  const filed = meme ?? classByWords(words, hasContract ? without('native_l1') : order, methodology);
  return filed === null
    ? { class: 'default', reason: 'no evidence names a class we know' }
    : { class: filed.class, reason: `a registry files it under "${filed.word}"` };
}

function textOf({ consensus }: RatingInput, quantity: string): string | null {
  const value: Json | undefined = consensus[quantity]?.value;
  return typeof value === 'string' ? value : null;
}
