import {
  type Database,
  putThresholds,
  removeThresholds,
  type ThresholdRow,
  thresholdAssets,
  thresholdsOfAccount,
} from '../../store/index.ts';
import { type AccountRule, type KeptStates, kindOf, ruleKey } from './alerts.ts';

/** The thresholds of an account on an asset, with the state of each. */
export interface ThresholdSet {
  readonly asset: string;
  readonly chain: string;
  readonly addedAt: string;
  readonly note: string | null;
  readonly thresholds: readonly (AccountRule & { readonly state: 'waiting' | 'armed' | 'crossed' })[];
}

/** Thresholds of accounts on figures of snapshots. Accounts are isolated from each other. */
export type ThresholdBook = ReturnType<typeof createThresholdBook>;

export function createThresholdBook(db: Database, now: () => number) {
  return {
    /** By asset id. */
    async list(accountId: string, chain: string): Promise<readonly ThresholdSet[]> {
      return (await thresholdsOfAccount(db, accountId, { chain })).map(setOf);
    },
    /** Null when the account has none on the asset. */
    async get(accountId: string, assetId: string): Promise<ThresholdSet | null> {
      const [row] = await thresholdsOfAccount(db, accountId, { assetId });
      return row === undefined ? null : setOf(row);
    },
    /** Assets on which the account has thresholds, on all chains. */
    used: (accountId: string) => thresholdAssets(db, accountId),
    /**
     * Replaces all thresholds of an asset; unchanged ones keep their state. `full`: `most` assets have thresholds
     * already.
     */
    async put(
      accountId: string,
      asset: { readonly id: string; readonly chain: string },
      { note, rules }: { readonly note: string | null; readonly rules: readonly AccountRule[] },
      most: number,
    ) {
      const entry = {
        account_id: accountId,
        asset_id: asset.id,
        chain: asset.chain,
        added_at: new Date(now()).toISOString(),
        note,
      };
      const keys = new Set(rules.map(ruleKey));
      const make = (before: ThresholdRow | null) => {
        const kept = Object.entries(statesOf(before)).filter(([key]) => keys.has(key));
        const kinds = [...new Set(rules.map(kindOf))];
        return { rules: JSON.stringify(rules), states: JSON.stringify(Object.fromEntries(kept)), kinds };
      };
      const done = await putThresholds(db, entry, make, most);
      return done.outcome === 'full' ? done : { outcome: done.outcome, set: setOf(done.row) };
    },
    /** False when the account had none on the asset. */
    remove: (accountId: string, assetId: string) => removeThresholds(db, accountId, assetId),
  };
}

function statesOf(row: ThresholdRow | null): KeptStates {
  return row === null ? {} : (JSON.parse(row.states) as KeptStates);
}

function setOf(row: ThresholdRow): ThresholdSet {
  const states = statesOf(row);
  return {
    asset: row.asset_id,
    chain: row.chain,
    addedAt: row.added_at,
    note: row.note,
    thresholds: (JSON.parse(row.rules) as readonly AccountRule[]).map((rule) => {
      const isCrossed = states[ruleKey(rule)]?.isCrossed ?? null;
      return { ...rule, state: isCrossed === null ? 'waiting' : isCrossed ? 'crossed' : 'armed' };
    }),
  };
}
