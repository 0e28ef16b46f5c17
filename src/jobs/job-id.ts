/** What is not written like an id cannot be one; the store need not see it. */
export const JOB_ID = /^[a-z]{1,32}_\d{1,16}_[a-z0-9]{8}$/;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** An id of the contract's form: type, milliseconds, eight random letters. */
export function newJobId(
  type: string,
  { now, random }: { readonly now: () => number; readonly random: (bytes: number) => Uint8Array },
): string {
  let text = '';
  // 252 = 7 x 36: bytes above would make some letters likelier.
  while (text.length < 8) for (const byte of random(8)) if (byte < 252 && text.length < 8) text += LETTERS[byte % 36];
  return `${type.toLowerCase()}_${now()}_${text}`;
}
