/** EVM addresses nobody has a key for and that tokens are sent to for good, lower-case. */
export const EVM_BURN_ADDRESSES: readonly string[] = [
  '0x0000000000000000000000000000000000000000',
  '0x000000000000000000000000000000000000dead',
];
