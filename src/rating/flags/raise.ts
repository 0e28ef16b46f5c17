import { type Consensus, type Flag, oncePer, type QuantityId } from '../../domain/index.ts';
import { isOutdone } from '../../methodology/index.ts';
import { type Context, consensusOf, keyOf } from '../context.ts';
import { plain } from '../text.ts';
import { ENDED_FLAGS } from './ended.ts';
import { HISTORY_FLAGS } from './history.ts';
import { HOLDER_FLAGS } from './holders.ts';
import { MARKET_FLAGS } from './market.ts';
import { PROJECT_FLAGS } from './project.ts';
import { type FlagRule, rule } from './rule.ts';
import { SECURITY_FLAGS } from './security.ts';

/** Quantities whose conflict or age matters for every rating. */
const CRITICAL: readonly QuantityId[] = [
  'price_usd',
  'liquidity_dex_usd',
  'total_supply',
  'circulating_supply',
  'holder_count',
  'mint_authority_state',
  'volume_24h_usd',
];

/** Flags on the data itself (catalogue 68-70). */
export const DATA_FLAGS: readonly FlagRule[] = [
  rule('DATA_CONFLICT', (context) => {
    const found = rows(context).filter((row) => row.status === 'disputed');
    return found.length > 0
      ? {
          confidence: 1,
          detail: `sources dispute ${found.map((row) => row.quantity).join(', ')}`,
          evidence: found.map(keyOf),
          value: found.map((row) => row.quantity),
        }
      : null;
  }),
  rule('UNIT_MISMATCH', (context) => {
    const found: { readonly row: Consensus; readonly voice: Consensus['voices'][number] }[] = [];
    // Skips the project's own pages: the observation already shows the error, and the project could clear the flag by
    // removing the page.
    for (const row of Object.values(context.input.consensus))
      for (const voice of row.voices)
        if (voice.reason === 'unit_mismatch' && voice.tier !== 'self_reported') found.push({ row, voice });
    const first = found[0];
    return first
      ? {
          confidence: 1,
          detail: `${first.voice.source} is off by 10^${first.voice.unitPower} in ${first.row.quantity}${found.length > 1 ? ` and ${found.length - 1} more` : ''}`,
          evidence: found.map(({ row }) => keyOf(row)),
          value: first.voice.unitPower,
        }
      : null;
  }),
  rule('DATA_STALE', (context) => {
    const stale = Object.values(context.input.consensus).filter(
      (row) =>
        CRITICAL.includes(row.quantity) &&
        row.scope === 'asset' &&
        row.status === 'missing' &&
        row.voices.some((voice) => voice.reason === 'too_old'),
    );
    return stale.length > 0
      ? {
          confidence: 1,
          detail: `too old to count: ${stale.map((row) => row.quantity).join(', ')}`,
          evidence: stale.map(keyOf),
          value: stale.map((row) => row.quantity),
        }
      : null;
  }),
];

function rows(context: Context) {
  return CRITICAL.map((quantity) => consensusOf(context, quantity)).filter((row) => row !== null);
}

const RULES: readonly FlagRule[] = [
  ...SECURITY_FLAGS,
  ...MARKET_FLAGS,
  ...HOLDER_FLAGS,
  ...HISTORY_FLAGS,
  ...ENDED_FLAGS,
  ...PROJECT_FLAGS,
  ...DATA_FLAGS,
];

/** Accusations by one lineage group that others could confirm. They are shown, and they lower the agreement. */
const UNCONFIRMED = rule('ACCUSATION_UNCONFIRMED', (context) => {
  const found = foundIn(context).flatMap(({ code, found: accusation }) =>
    accusation?.unconfirmed ? [{ code, accusation }] : [],
  );
  const told = found.filter(({ code }) => !isOutdone(code, found));
  return told.length > 0
    ? {
        confidence: 1,
        detail: `not confirmed by the chain or a second lineage group: ${told.map(({ code, accusation }) => `${code}: ${accusation.detail}`).join('; ')}`,
        evidence: [...new Set(told.flatMap(({ accusation }) => accusation.evidence))],
        value: told.map(({ code }) => code),
      }
    : null;
});

/** Every flag that this version can raise. */
export const FLAG_RULES: readonly FlagRule[] = [...RULES, UNCONFIRMED];

/** Flags that only a contract can have: for the coin of a chain they concern another token that uses its name. */
const OF_A_CONTRACT: ReadonlySet<string> = new Set([
  ...SECURITY_FLAGS.map(({ code }) => code).filter((code) => code !== 'SANCTIONS_EXPOSURE'),
  'CREATOR_HOLDING_HIGH',
  'SERIAL_DEPLOYER',
  'IMPERSONATION',
]);

interface Found {
  readonly code: FlagRule['code'];
  readonly found: ReturnType<FlagRule['raise']>;
}

/**
 * Findings of each rule, in the order of the rules. Used for the flags and for the flag that lists unconfirmed
 * accusations.
 */
const foundIn = oncePer((context: Context): readonly Found[] => RULES.map((one) => foundBy(one, context)));

function foundBy({ code, raise }: FlagRule, context: Context): Found {
  return { code, found: context.native && OF_A_CONTRACT.has(code) ? null : raise(context) };
}

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];

const definitionsByCode = oncePer(
  (flags: Context['methodology']['flags']) => new Map(flags.map((definition) => [definition.code, definition])),
);

/** Flags whose condition holds with enough confidence, worst first, then by catalogue number. */
export function raiseFlags(context: Context): readonly Flag[] {
  const { flags, flagConfidence } = context.methodology;
  const definitions = definitionsByCode(flags);
  const findings = [...foundIn(context), foundBy(UNCONFIRMED, context)];
  const raised = findings.flatMap(({ code, found }): { flag: Flag; number: number }[] => {
    if (!found) return [];
    const definition = definitions.get(code);
    if (!definition) throw new Error(`the methodology has no flag ${code}`);
    const severity = found.severity ?? definition.severity;
    const needed = severity === 'critical' ? flagConfidence.critical : flagConfidence.raise;
    if (found.unconfirmed || found.confidence < needed - flagConfidence.ageing) return [];
    const flag = {
      code,
      severity,
      title: definition.title,
      detail: plain(found.detail, 300),
      confidence: found.confidence,
      since: null,
      evidence: found.evidence,
      value: found.value,
    };
    return [{ flag, number: definition.number }];
  });
  const all = raised.map(({ flag }) => flag);
  return raised
    .filter(({ flag }) => !isOutdone(flag.code, all))
    .sort((a, b) => SEVERITIES.indexOf(a.flag.severity) - SEVERITIES.indexOf(b.flag.severity) || a.number - b.number)
    .map(({ flag }) => flag);
}
