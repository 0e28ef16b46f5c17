import type { ObservationDraft } from '../../domain/index.ts';
import { isFilledIn } from './filled-in.ts';

const MEANING = 'as the reserves page states';
/** "reserves over liabilities 1.02", "... are 102.3 %"; a number that goes on otherwise is none of these. */
const RATIO = /reserves? over liabilities[^0-9]{0,10}(\d(?:\.\d{1,4})?)(?![\d%]|[.,]\d| %)/i;
const PERCENT = /reserves? over liabilities[^0-9]{0,10}(\d{2,3}(?:\.\d{1,4})?) ?%/i;

/** Attestation facts stated on a reserves page: self-reported, but dated and naming a firm or not. A page that could not be read says nothing. */
export function observeReserves(words: string): readonly ObservationDraft[] {
  const state = attestationState(words);
  const drafts: ObservationDraft[] =
    state === null ? [] : [{ quantity: 'reserve_attestation_state', value: state, meaning: MEANING }];
  const ratio = ratioIn(words);
  if (ratio !== null) drafts.push({ quantity: 'collateral_ratio', value: ratio, meaning: MEANING });
  const dated = /dated (\d{4}-\d{2}-\d{2})/.exec(words)?.[1];
  if (dated && !Number.isNaN(Date.parse(dated)))
    drafts.push({ quantity: 'attestation_at', value: new Date(dated).toISOString() });
  const open = /redemption at par for (?:everyone|all holders|anybody)/i.test(words);
  if (open || /redemption/i.test(words))
    drafts.push({ quantity: 'redemption_route_state', value: open ? 'open' : 'qualified', meaning: MEANING });
  return drafts;
}

function attestationState(words: string): string | null {
  const byFirm = /(?:attestation|examination|report)s? by [A-Z]/.test(words);
  if (byFirm && /monthly (?:attestation|report|examination)/i.test(words)) return 'monthly_by_firm';
  if (byFirm && /quarterly (?:attestation|report|examination)/i.test(words)) return 'quarterly';
  if (/attestation|reserves/i.test(words)) return 'self_declared';
  return isFilledIn(words) ? 'none' : null;
}

function ratioIn(words: string): number | null {
  const percent = PERCENT.exec(words)?.[1];
  if (percent !== undefined) return Number((Number(percent) / 100).toFixed(6));
  const ratio = RATIO.exec(words)?.[1];
  return ratio === undefined ? null : Number(ratio);
}
