import { DAY_MS, HOUR_MS, sourceFor, sourcesFor } from '../../domain/index.ts';
import { type FlagThresholds, flagThresholds } from '../../methodology/index.ts';
import { ageOf, statedAgeOf, traceOf } from '../age.ts';
import type { Context } from '../context.ts';
import {
  answered,
  booleanOf,
  consensusOf,
  daysSince,
  hasReportedAll,
  isRevised,
  isTightened,
  numberOf,
  textOf,
} from '../context.ts';
import { allIncidentsOf, countedLoss, type Incident, incidentsOf, isRepaymentBorneOut } from '../features/project.ts';
import { haltsWithin } from '../halts.ts';
import { isSiteLost, isSiteRequested } from '../missing-values.ts';
import { basisOf, confirmedTies, openTies } from '../ties.ts';
import { hasIssuer, isNative } from './classes.ts';
import { type FlagRule, isCorroborated, percent, type Raised, raised, rule, sourcesOf, usd } from './rule.ts';

const SITE = sourceFor('site');
/** Kinds of contradictions that concern another token or project. */
const RIVALS: readonly string[] = ['confusable_domain', 'two_tokens_claim_site', 'higher_ranked_claims_domain'];

/** Flags on incidents, identity, website, team and development (catalogue 46-47, 54-67). */
export const PROJECT_FLAGS: readonly FlagRule[] = [
  rule('EXPLOIT_RECENT', (context, t) => {
    const list = consensusOf(context, 'incidents');
    const peak = numberOf(context, 'tvl_peak_usd') ?? (isRevised(context) ? numberOf(context, 'tvl_usd') : null);
    const found = allIncidentsOf(context).find((row) => {
      // What is locked after the loss, the project can raise itself.
      const before = isTightened(context) ? row.lockedBeforeUsd : null;
      const size = Math.max(1, before ?? peak?.value ?? 0, numberOf(context, 'market_cap_usd')?.value ?? 0);
      return row.ageDays <= t.days && countedLoss(context, row) / size > t.loss;
    });
    if (!list || !found) return null;
    const back = countedLoss(context, found) - found.lossUsd;
    return raised(
      [{ value: null, confidence: Math.max(t.confidence, list.confidence), consensus: list }],
      `${usd(countedLoss(context, found))} lost ${Math.round(found.ageDays)} days ago${back > 0 ? `; one list alone says that ${usd(back)} came back` : ''}`,
      found.lossUsd,
    );
  }),
  rule('EXPLOIT_UNRESOLVED', (context, t) => {
    const open = incidentsOf(context).find(
      (row) =>
        !row.resolved &&
        (t.repaid === undefined || row.repaid < t.repaid) &&
        row.ageDays < t.days &&
        row.lossUsd > (leftOf(context, row, true) ?? Number.POSITIVE_INFINITY),
    );
    return open ? unresolved(context, t, open) : repaidByOneWord(context, t);
  }),
  rule('IMPERSONATION', (context, t) => {
    const fake = booleanOf(context, 'fake_token');
    if (fake?.value)
      // One list alone is no knock-out: that needs a second lineage group (methodology 6). Registries and the project's
      // own site show which token is genuine. If they tie this token to the project without contradiction, the list is
      // unconfirmed.
      return raised([fake], `named a copy of another token (${sourcesOf(fake.consensus, true)})`, true, {
        severity: fake.consensus.families >= context.methodology.flagConfidence.witnesses ? 'critical' : 'high',
        unconfirmed: !isCorroborated(context, fake.consensus, (value) => value === true) && isIdentified(context),
      });
    const found = context.input.identification.contradictions.find((row) => row.kind === 'confusable_domain');
    return found
      ? {
          confidence: t.confidence,
          detail: found.detail,
          evidence: [],
          value: context.input.identification.registrableDomain,
        }
      : null;
  }),
  rule('IDENTITY_UNVERIFIED', (context, t) => {
    const { match } = context.input.identification;
    return match < t.match
      ? {
          confidence: 1,
          detail: `project, token and website are tied by ${percent(match)} only`,
          evidence: [],
          value: match,
        }
      : null;
  }),
  rule('WEBSITE_DOWN', (context, t) => {
    const up = booleanOf(context, 'site_up');
    if (up && !up.value) return raised([up], 'the website does not answer', false, { confidence: t.statedConfidence });
    const probes = deadProbes(context);
    if (probes >= t.probes) {
      const detail = `the website answered none of ${probes} questions`;
      return { confidence: t.confidence, detail, evidence: [], value: probes };
    }
    const dead = context.input.identification.contradictions.find((row) => row.kind === 'site_dead');
    const hostAnswers = context.input.sources.some((row) => row.name === SITE && row.answered > 0);
    return dead && hostAnswers
      ? { confidence: t.statedConfidence, detail: dead.detail, evidence: [], value: null }
      : null;
  }),
  rule('DOMAIN_NEW', (context, t) => {
    const age = daysSince(context, 'domain_registered_at');
    return age && age.value < t.days
      ? raised([age], `the domain was registered ${age.value.toFixed(0)} days ago`, age.value, {
          confidence: Math.max(t.confidence, age.confidence),
        })
      : null;
  }),
  rule('TOKEN_NEW', (context, t) => {
    const age = ageOf(context) ?? statedAgeOf(context);
    if (!age || age.value >= t.days) return null;
    const veryNew = age.value < t.veryNewDays;
    return raised([age], `${traceOf(context)} ${age.value.toFixed(1)} days ago`, age.value, {
      severity: veryNew ? 'medium' : 'info',
      confidence: Math.max(t.confidence, age.confidence),
    });
  }),
  rule('TEAM_ANONYMOUS', (context, { lostConfidence }) => {
    // A chain has no team by design, and the register names an issuer.
    if (isNative(context) || hasIssuer(context)) return null;
    const team = textOf(context, 'team_state');
    if (team === null && isSiteLost(context))
      return {
        confidence: lostConfidence,
        detail: 'no page of the website that could be read names anybody',
        evidence: [],
        value: 'anonymous',
      };
    return team?.value === 'anonymous' ? raised([team], 'the website names nobody', 'anonymous') : null;
  }),
  rule('NO_AUDIT', (context, t) => {
    if (isNative(context)) return null;
    if (confirmedTies(context, 'audit').length > 0) return null;
    const claimed = openTies(context, 'audit');
    const audits = numberOf(context, 'audits_count');
    const looked = context.input.sources
      .filter(
        (row) =>
          sourcesFor('audit_links').includes(row.name) &&
          ((row.answered > 0 && hasReportedAll(row)) || (row.name === SITE && isSiteRequested(context))),
      )
      .map((row) => row.name);
    // A link to a firm costs nothing: the flag stays until the firm's own page names the project.
    if (claimed.length > 0) {
      const firms = [...new Set(claimed.map((tie) => tie.subject))].slice(0, 5).join(', ');
      const detail = `linked or claimed by the project, not confirmed by the firm: ${firms}`;
      return { confidence: t.confidence, detail, evidence: basisOf(claimed), value: 0 };
    }
    return (!audits || audits.value === 0) && looked.length >= t.sources
      ? { confidence: t.confidence, detail: `no audit found in ${looked.join(' and ')}`, evidence: [], value: 0 }
      : null;
  }),
  rule('DEV_INACTIVE', (context, t) => {
    // Many organisations develop a chain: one repository is no evidence about it.
    if (isNative(context)) return null;
    const recent = daysSince(context, 'last_commit_at');
    // A named repository that shows no commits counts as withheld.
    const isSeen = (numberOf(context, 'commits_90d')?.value ?? numberOf(context, 'contributors_90d')?.value ?? 0) > 0;
    if (recent === null && !isSeen && answered(context, sourcesFor('code')) > 0)
      return { confidence: t.confidence, detail: 'the repository it names shows no commit', evidence: [], value: null };
    return recent && recent.value > t.days
      ? raised([recent], `newest commit ${Math.round(recent.value)} days ago`, recent.value, {
          confidence: Math.max(t.confidence, recent.confidence),
        })
      : null;
  }),
  // Source trees are not compared: a fork with hardly any commits of its own counts as a copy of its upstream.
  rule('FORK_UNMODIFIED', (context, t) => {
    const fork = booleanOf(context, 'repo_is_fork');
    const ahead = numberOf(context, 'repo_ahead_commits');
    return fork?.value && ahead && ahead.value < t.aheadCommits
      ? raised([fork, ahead], `a fork with ${ahead.value} commits of its own`, ahead.value)
      : null;
  }),
  rule('GOVERNANCE_CENTRALISED', (context) => {
    const owner = textOf(context, 'owner_state');
    // An issuer holds its keys by design.
    return owner?.value === 'eoa' && !hasIssuer(context) && context.kind === 'evm'
      ? raised([owner], 'one key owns the contract', 'eoa')
      : null;
  }),
  rule('CHAIN_HALT', (context, t) => {
    const head = daysSince(context, 'chain_head_at');
    const hours = (head?.value ?? 0) * (DAY_MS / HOUR_MS);
    // One node that fell behind is not a halt: the newest block must come from two operators.
    if (head && head.consensus.families >= context.methodology.flagConfidence.witnesses && hours > t.hours)
      return raised([head], `the newest block of the chain is ${hours.toFixed(1)} hours old`, hours);
    const { clearDays } = context.methodology.flags.find((row) => row.code === 'CHAIN_HALT') ?? { clearDays: 0 };
    return recordedHalt(context, t.hours, clearDays);
  }),
];

/**
 * Value locked that a loss left, US dollars: today's or, since methodology 1.8.0, that of the days after the loss if it is
 * lower, with what was returned or without. Own tokens, loops and a new way of counting raise what is locked today, and an
 * ended series hides it. Null: not known.
 */
function leftOf(
  context: Context,
  { lockedAfterUsd, grossUsd, lossUsd }: Incident,
  withReturned: boolean,
): number | null {
  const now = numberOf(context, 'tvl_usd')?.value ?? null;
  if (!isTightened(context) || lockedAfterUsd === null) return now;
  const left = withReturned ? lockedAfterUsd + grossUsd - lossUsd : lockedAfterUsd;
  return now === null ? left : Math.min(now, left);
}

/** How sure it is that the loss is the project's and is open, and what it left. */
function unresolved(
  context: Context,
  { witnessedConfidence, fallenConfidence, confidence }: FlagThresholds['EXPLOIT_UNRESOLVED'],
  found: Incident,
): Raised | null {
  const list = consensusOf(context, 'incidents');
  const left = leftOf(context, found, true);
  if (!list || left === null) return null;
  const families = new Set(list.voices.map((voice) => voice.family)).size;
  // One list is enough if the locked value fell by the loss that the list states; otherwise the list may mean another
  // project.
  const isWitnessed = families >= context.methodology.flagConfidence.witnesses;
  const sure = isWitnessed ? witnessedConfidence : hasFallen(context, found, true) ? fallenConfidence : confidence;
  return raised(
    [{ value: null, confidence: sure, consensus: list }],
    `${usd(found.lossUsd)} were lost and not returned; ${usd(left)} ${numberOf(context, 'tvl_usd')?.value === left ? 'are' : 'were'} left`,
    found.lossUsd,
  );
}

/** A loss above what it left that only one list calls repaid, where the locked value fell by as much: since methodology 1.8.0. */
function repaidByOneWord(context: Context, t: FlagThresholds['EXPLOIT_UNRESOLVED']): Raised | null {
  const list = consensusOf(context, 'incidents');
  if (list === null || !isTightened(context)) return null;
  const found = allIncidentsOf(context).find(
    (row) =>
      row.lossUsd < row.grossUsd &&
      row.ageDays < t.days &&
      row.grossUsd > (leftOf(context, row, false) ?? Number.POSITIVE_INFINITY) &&
      hasFallen(context, row, false) &&
      !isRepaymentBorneOut(context, row),
  );
  if (found === undefined) return null;
  return raised(
    [{ value: null, confidence: t.fallenConfidence, consensus: list }],
    `${usd(found.grossUsd)} were lost, more than was left; one list alone says that ${usd(found.grossUsd - found.lossUsd)} came back`,
    found.lossUsd,
    { severity: 'high' },
  );
}

/** True when the value locked fell by the loss, with what was returned or without. */
function hasFallen(context: Context, row: Incident, withReturned: boolean): boolean {
  const left = leftOf(context, row, withReturned);
  const peak = numberOf(context, 'tvl_peak_usd')?.value ?? (isTightened(context) ? row.lockedBeforeUsd : null);
  return peak !== null && left !== null && peak - left >= (withReturned ? row.lossUsd : row.grossUsd);
}

/**
 * True when project, token and website are tied together and no other token or better-known project claims the site or
 * the name.
 */
function isIdentified({ input: { identification }, methodology }: Context): boolean {
  const least = flagThresholds(methodology).IDENTITY_UNVERIFIED.match;
  return identification.match >= least && !identification.contradictions.some(({ kind }) => RIVALS.includes(kind));
}

/** A halt within the last `days` from the register of outages, with its hours; a loss of finality does not count. */
function recordedHalt(context: Context, least: number, days: number) {
  const halt = haltsWithin(context, days).find(({ hours }) => hours > least);
  return halt
    ? raised(
        [{ value: null, confidence: halt.list.confidence, consensus: halt.list }],
        `the chain stood still for ${halt.hours} hours on ${new Date(halt.at).toISOString().slice(0, 10)}`,
        halt.hours,
      )
    : null;
}

/**
 * Number of failed requests to the website because the host was missing or broken. Counts only when no request
 * succeeded and other sources replied, which rules out a fault of our own network. A refusal (403, 429) shows that the
 * site is operated. Requests held back by the circuit breaker count together with the failures before them.
 */
function deadProbes(context: Context): number {
  const site = context.input.sources.find((row) => row.name === SITE);
  const others = context.input.sources.filter((row) => row.name !== SITE && row.answered > 0).length;
  if (!site || site.answered > 0 || others < context.methodology.featureRules.otherSources) return 0;
  const broken: readonly string[] = [...(/status 5\d\d/.test(site.detail ?? '') ? ['http_error'] : []), 'unreachable'];
  const found = site.failures.filter(({ outcome }) => broken.includes(outcome));
  const heldBack = site.failures.filter(({ outcome }) => outcome === 'circuit_open');
  return found.length === 0 ? 0 : found.length + heldBack.length;
}
