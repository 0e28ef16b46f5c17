/**
 * The answer in Chainlink's `latestRoundData()`, or the reason why it is rejected: an incomplete round, an answer that is not above zero,
 * or one that is too old. `now` is Unix time in seconds, `silenceSeconds` the maximum age in seconds.
 */
export function answerOf(
  returned: string | null | undefined,
  places: bigint | null,
  now: bigint,
  silenceSeconds: bigint,
): { readonly raw: bigint; readonly decimals: number; readonly updated: bigint } | string {
  const words = typeof returned === 'string' && /^0x[0-9a-fA-F]{320}$/.test(returned) ? returned.slice(2) : null;
  if (words === null || places === null || places > 36n) return 'the feed gave no round';
  const [round = 0n, raw = 0n, , updated = 0n, answeredIn = 0n] = [0, 1, 2, 3, 4].map((at) =>
    BigInt(`0x${words.slice(at * 64, at * 64 + 64)}`),
  );
  // The answer is a signed integer: values from 2^255 are negative.
  if (raw === 0n || raw >= 1n << 255n) return 'the feed returned no value above zero';
  if (answeredIn < round) return 'the feed returned an older round';
  if (updated === 0n || updated > now) return 'the feed gave an implausible time';
  return now - updated > silenceSeconds
    ? `the feed was not updated for ${now - updated} seconds`
    : { raw, decimals: Number(places), updated };
}
