import { seeded } from '../test/security/seeded.ts';
import { record, startSolanaVault, trySolanaForgeries } from '../test/support/solana-vault.ts';

// Compute units of the vault of Solana, and forged, stale or transplanted records against it: `node bench/proofs-solana.ts [COUNT] [SEED]`.
const [count, seed] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 20_261_126)];
const vault = await startSolanaVault();
const newest = vault.now - 300;
await vault.deposit(record(newest));
console.log(
  `compute units of a transaction with a deposit: ${vault.units()} (the signature itself is charged as a fee)`,
);
const started = performance.now();
const { tried, accepted, reasons } = await trySolanaForgeries(vault, {
  count,
  newest: newest * 1000,
  draw: seeded(seed).next,
});
for (const [kind, times] of Object.entries(tried))
  console.log(`${kind}: ${times} tried, refused by ${reasons[kind]?.join(', ')}`);
const seconds = Math.round((performance.now() - started) / 1000);
console.log(`${accepted.length} of ${count} accepted (seed ${seed}, ${seconds} s)`);
if (accepted.length > 0 || (await vault.deposit(record(newest))) !== null) process.exitCode = 1;
