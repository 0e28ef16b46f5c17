import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScoreRecord } from '../contract/rating.ts';
import type { ScoreReport } from '../domain/evidence.ts';
import type { Criteria } from './criteria.ts';
import { dossierOf } from './dossier.ts';
import { dossierHtml, dossierMarkdown } from './dossier-text.ts';

const AT = '2026-11-20T08:00:00.000Z';
const HOSTILE = '<script>alert(1)</script>|[x](javascript:alert(1))';
const voice = (source: string, accepted = true) => ({ source, accepted });
const value = (given: unknown, unit: string, voices = [voice('chain'), voice('outvoted', false)], families = 2) => ({
  value: given,
  unit,
  status: 'agreed',
  families,
  voices,
  observedAt: AT,
});

/** A report with just what a dossier reads. */
const report = {
  consensus: {
    market_cap_usd: value(1_234_567, 'usd'),
    volume_24h_usd: value(5, 'usd', [voice('closed')], 1),
    token_standard: value(HOSTILE, 'text'),
    sanctioned: { ...value(null, 'boolean', []), status: 'missing' },
  },
  rating: {
    factors: [
      {
        features: [
          {
            id: 'mq_depth2',
            name: 'Depth at 2 %',
            status: 'observed',
            raw: 25_000,
            unit: 'usd',
            basis: ['market_cap_usd'],
            method: '',
            silent: false,
          },
          {
            id: 'gt_team',
            name: 'Team verifiability',
            status: 'unknown',
            raw: null,
            unit: 'state',
            basis: [],
            method: 'asked, shows none',
            silent: true,
          },
        ],
      },
    ],
    flags: [{ code: 'HONEYPOT', evidence: ['market_cap_usd'] }],
  },
  published: { flags: [{ code: 'HONEYPOT', severity: 'critical', detail: HOSTILE, since: AT }] },
  evidence: { notRedistributable: ['closed'] },
} as unknown as ScoreReport;
const record = {
  asset: { id: 'eip155:1/erc20:0x00', name: HOSTILE, symbol: 'X', category: 'default' },
  band: 'BBB',
  score: 62,
  trust_score: 70,
  as_of: AT,
  methodology_version: '1.4.0',
  data_mode: 'live',
} as unknown as ScoreRecord;
const methodology = {
  flags: [
    { code: 'HONEYPOT', title: 'Cannot be sold' },
    { code: 'DEPEG', title: 'Off its peg' },
  ],
  features: [],
} as unknown as Parameters<typeof dossierOf>[2];

let left: string | null = null;

function made(...evidence: Criteria['frameworks'][number]['requirements'][number]['evidence']) {
  const requirement = {
    id: 'a',
    reference: 'Art. 1',
    requirement: 'R',
    checked_against: null,
    evidence,
    left_to_reader: left,
  };
  const framework = {
    id: 'f',
    title: 'F',
    kind: 'regulation' as const,
    applies_to: 'all' as const,
    notice: 'N',
    requirements: [requirement],
  };
  const dossier = dossierOf(record, report, methodology, {
    schema: 'assay.dossier-criteria/1',
    frameworks: [{ ...framework }],
  });
  const row = dossier.frameworks[0]?.requirements[0];
  assert.ok(row);
  return { dossier, row };
}
const quantity = (name: string) => ({ kind: 'quantity', name }) as const;
const feature = (name: string) => ({ kind: 'feature', name }) as const;
const flag = (name: string) => ({ kind: 'flag', name }) as const;

test('a value is given with its date and its accepted sources', () => {
  const [one] = made(quantity('market_cap_usd')).row.evidence;
  assert.deepEqual([one?.status, one?.value, one?.as_of, one?.sources], ['stated', '1.235M USD', AT, ['chain']]);
  const [two] = made(feature('mq_depth2')).row.evidence;
  assert.deepEqual([two?.status, two?.value, two?.sources], ['stated', '25K USD', ['chain']]);
});

test('what is missing is a gap, in whole or in part; a flag that is not raised fills none', () => {
  const states = (...evidence: Parameters<typeof made>) => made(...evidence).row.state;
  assert.equal(states(quantity('market_cap_usd'), flag('HONEYPOT')), 'evidence');
  assert.equal(states(quantity('market_cap_usd'), quantity('sanctioned')), 'partial');
  assert.equal(states(quantity('sanctioned'), flag('DEPEG')), 'gap');
  assert.equal(states(flag('DEPEG')), 'gap');
  assert.equal(states(feature('gt_team')), 'gap');
  assert.equal(states(), 'reader');
  const { row } = made(quantity('sanctioned'), quantity('market_cap_usd'));
  assert.match(row.gap ?? '', /Not known: issuer or contract is on a sanctions list/);
});

test('no evidence meets a requirement fully where part is left to the reader', () => {
  left = 'The platform’s own rules.';
  const { state, gap } = made(quantity('market_cap_usd')).row;
  left = null;
  assert.deepEqual([state, gap], ['partial', null]);
});

test('a value whose terms forbid redistribution is withheld', () => {
  const [one] = made(quantity('volume_24h_usd')).row.evidence;
  assert.deepEqual([one?.status, one?.value], ['withheld', null]);
});

test('outside text starts no markup, on the page or in Markdown', () => {
  const { dossier } = made(quantity('token_standard'), flag('HONEYPOT'));
  const html = dossierHtml(dossier);
  assert.doesNotMatch(html, /<script/);
  assert.ok(html.includes('&lt;script&gt;'));
  assert.doesNotMatch(dossierMarkdown(dossier), /[^\\]<script|[^\\]\[x\]\(/);
});
