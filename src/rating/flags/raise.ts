import type { Flag } from '../../domain/index.ts';
import { isOutdone } from '../../methodology/index.ts';
import type { Context } from '../context.ts';
import { plain } from '../words/plain.ts';
import { DATA_FLAGS } from './data.ts';
import { HISTORY_FLAGS } from './history.ts';
import { HOLDER_FLAGS } from './holders.ts';
import { MARKET_FLAGS } from './market.ts';
import { PROJECT_FLAGS } from './project.ts';
import type { FlagRule } from './rule.ts';
import { SECURITY_FLAGS } from './security.ts';

/** Every flag that this version can raise. */
export const FLAG_RULES: readonly FlagRule[] = [
  ...SECURITY_FLAGS,
  ...MARKET_FLAGS,
  ...HOLDER_FLAGS,
  ...HISTORY_FLAGS,
  ...PROJECT_FLAGS,
  ...DATA_FLAGS,
];

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];

/** Flags whose condition holds with enough confidence, worst first, then by catalogue number. */
export function raiseFlags(context: Context): readonly Flag[] {
  const { flags, flagConfidence } = context.methodology;
  const raised = FLAG_RULES.flatMap((rule): { flag: Flag; number: number }[] => {
    const definition = flags.find((row) => row.code === rule.code);
    if (!definition) throw new Error(`the methodology has no flag ${rule.code}`);
    const found = rule.raise(context);
    const severity = found?.severity ?? definition.severity;
    const needed = severity === 'critical' ? flagConfidence.critical : flagConfidence.raise;
    if (!found || found.confidence < needed - flagConfidence.ageing) return [];
    const flag = {
      code: rule.code,
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
