import { attest } from '../src/attestation/eas.ts';
import { seeded } from '../test/security/seeded.ts';
import { startAnvil } from '../test/support/anvil.ts';
import { claimAt, HERE, presented, SERVICE } from '../test/support/forged-attestations.ts';
import { deployVault, tryForgeries } from '../test/support/rated-vault.ts';

// Gas of the verifier and the vault, and forged, stale or transplanted records against them: `node bench/proofs.ts [COUNT] [SEED]`.
const [count, seed] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 20_261_124)];
const anvil = await startAnvil();
try {
  const world = await deployVault(anvil);
  const newest = (await world.now()) * 1000 - 300_000;
  const record = (asOf: number) => presented(attest(claimAt(asOf), HERE, SERVICE));
  const first = await world.deposit(record(newest - 1_000));
  const newer = await world.deposit(record(newest));
  const again = await world.deposit(record(newest));
  const check = await world.gasOfCheck(record(newest));
  console.log(
    `gas: check as a transaction of its own ${check}; deposit: first ${first}, with a newer rating ${newer}, with the same again ${again}`,
  );
  const started = performance.now();
  const { tried, accepted, reasons } = await tryForgeries(world, { count, newest, draw: seeded(seed).next });
  for (const [kind, times] of Object.entries(tried))
    console.log(`${kind}: ${times} tried, refused by ${reasons[kind]?.join(', ')}`);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${accepted.length} of ${count} accepted (seed ${seed}, ${seconds} s)${accepted.length > 0 ? `: ${accepted.join(', ')}` : ''}`,
  );
  if (accepted.length > 0 || !(await world.accepts(record(newest)))) process.exitCode = 1;
} finally {
  await anvil.stop();
}
