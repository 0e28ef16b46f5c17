import type { SandboxAsset } from '../../sandbox/world/types.ts';
import { type Chance, seeded } from '../security/seeded.ts';
import { together } from './adversary.ts';
import { ATTACKS, type Attack, TARPIT } from './attacks.ts';
import { openStage, type Published, type Stage } from './stage.ts';

/** What one attack, or one combination, came to on one asset. */
export interface Trial {
  readonly attack: string;
  readonly asset: string;
  readonly costUsd: number;
  readonly honest: Published;
  /** Null: nothing was published. */
  readonly attacked: Published | null;
  /** Points gained; 0 where nothing was published. */
  readonly gain: number;
  readonly liftsBand: boolean;
}

export interface CampaignOptions {
  readonly seed: number;
  readonly assets: number;
  /** Assets whose site is made to answer late, each on a service of its own. */
  readonly tarpits: number;
  /** Codes of the attacks that are tried; all where it is left out. */
  readonly only?: readonly string[];
  readonly onTrial?: (trial: Trial) => void;
}

/** Combinations drawn at random besides those that are built from the best single attacks. */
const RANDOM_SETS = 3;
const CHEAP_USD = 1_000;

/** An adversary tries everything it knows on each of some assets, alone and together, and keeps what gained. */
export async function runCampaign({
  seed,
  assets,
  tarpits,
  only,
  onTrial,
}: CampaignOptions): Promise<readonly Trial[]> {
  const chance = seeded(seed);
  const trials: Trial[] = [];
  const tried = ATTACKS.filter(({ code }) => only?.includes(code) ?? true);
  const note = (trial: Trial) => {
    trials.push(trial);
    onTrial?.(trial);
  };
  const stage = await openStage(1);
  try {
    for (const asset of shuffled(stage.sandbox.world.tokens, chance)) {
      if (new Set(trials.map((trial) => trial.asset)).size >= assets) break;
      const honest = await rated(stage, asset);
      if (honest !== null) await attackAsset(stage, asset, honest, tried, chance, note);
    }
  } finally {
    await stage.close();
  }
  const names = [...new Set(trials.map((trial) => trial.asset))];
  for (const slug of names.slice(0, tarpits)) await attackBySilence(slug, note);
  return trials;
}

async function attackAsset(
  stage: Stage,
  asset: SandboxAsset,
  honest: Published,
  tried: readonly Attack[],
  chance: Chance,
  note: (trial: Trial) => void,
): Promise<void> {
  const play = async (name: string, attacks: readonly Attack[]): Promise<Trial | null> => {
    const moves = attacks.map((attack) => attack.move(asset, stage.sandbox.world, chance));
    if (moves.some((move) => move === null)) return null;
    await stage.forget();
    const attacked = await stage.act(asset, together(moves.filter((move) => move !== null)));
    const costUsd = attacks.reduce((sum, attack) => sum + attack.costUsd(asset), 0);
    const trial = trialOf(name, asset, costUsd, honest, attacked);
    note(trial);
    return trial;
  };
  const gains = new Map<Attack, number>();
  for (const attack of tried) {
    const trial = await play(attack.code, [attack]);
    if (trial) gains.set(attack, trial.gain);
  }
  const useful = [...gains].filter(([, gain]) => gain > 0.05).map(([attack]) => attack);
  const freeOnes = useful.filter((attack) => attack.costUsd(asset) === 0);
  const cheap = affordable(useful, asset, CHEAP_USD);
  if (freeOnes.length > 1) await play('together: all that is free', freeOnes);
  if (cheap.length > 1) await play('together: under 1,000 USD', cheap);
  if (useful.length > 1) await play('together: whatever it costs', useful);
  for (let round = 0; round < RANDOM_SETS; round += 1) {
    const drawn = tried.filter((attack) => attack.costUsd(asset) === 0 && chance.once(0.4));
    if (drawn.length > 1) await play('together: drawn at random, free', drawn);
  }
}

/** The dearest are left out until the rest can be paid. */
function affordable(attacks: readonly Attack[], asset: SandboxAsset, budgetUsd: number): readonly Attack[] {
  let left = budgetUsd;
  return [...attacks]
    .sort((a, b) => a.costUsd(asset) - b.costUsd(asset))
    .filter((attack) => {
      const cost = attack.costUsd(asset);
      if (cost > left) return false;
      left -= cost;
      return true;
    });
}

async function attackBySilence(slug: string, note: (trial: Trial) => void): Promise<void> {
  const stage = await openStage(1);
  try {
    const asset = stage.sandbox.world.tokens.find((row) => row.slug === slug);
    const honest = asset ? await rated(stage, asset) : null;
    const move = asset ? TARPIT.move(asset, stage.sandbox.world, seeded(1)) : null;
    if (!asset || honest === null || move === null) return;
    await stage.forget();
    note(trialOf(TARPIT.code, asset, 0, honest, await stage.act(asset, move)));
    // Once more, with the circuit to the site open.
    await stage.forget();
    note(trialOf(`${TARPIT.code}, again`, asset, 0, honest, await stage.act(asset, move)));
  } finally {
    await stage.close();
  }
}

/** The published rating of an honest request; null where there is none, or none with a score. */
async function rated(stage: Stage, asset: SandboxAsset): Promise<Published | null> {
  await stage.forget();
  const honest = await stage.act(asset, {});
  return honest === null || honest.score === null ? null : honest;
}

function trialOf(
  attack: string,
  asset: SandboxAsset,
  costUsd: number,
  honest: Published,
  attacked: Published | null,
): Trial {
  const gain = attacked?.score === null || attacked === null ? 0 : attacked.score - (honest.score ?? 0);
  const liftsBand = attacked !== null && attacked.score !== null && attacked.rank < honest.rank;
  return { attack, asset: asset.slug, costUsd, honest, attacked, gain: Math.round(gain * 10) / 10, liftsBand };
}

function shuffled<Item>(items: readonly Item[], chance: Chance): readonly Item[] {
  const drawn = [...items];
  for (let at = drawn.length - 1; at > 0; at -= 1) {
    const other = chance.below(at + 1);
    [drawn[at], drawn[other]] = [drawn[other] as Item, drawn[at] as Item];
  }
  return drawn;
}
