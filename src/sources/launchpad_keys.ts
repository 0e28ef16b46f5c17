/**
 * Keys with which launchpads create tokens for others: what else they created, and what they hold, says nothing of who is
 * behind a token. Short and kept by hand, each with a public source.
 */
const LAUNCHPAD_KEYS: ReadonlySet<string> = new Set([
  // Believe (on Meteora's bonding curve): https://docs.bitquery.io/docs/blockchain/Solana/Believe-API
  '5qWya6UjwWnGVhdSBL3hyZ7B45jbk6Byt1hwd7ohEGXE',
]);

/** True when this address creates tokens for whoever asks. */
export function isLaunchpadKey(address: string): boolean {
  return LAUNCHPAD_KEYS.has(address);
}
