/** Text for people: control, direction and invisible characters out, length capped. Outside text may be inside. */
export function plain(text: string, longest: number): string {
  if (text.length <= longest && /^[\x20-\x7e]*$/.test(text)) return text;
  const clean = [...text].filter((character) => !isHidden(character.codePointAt(0) ?? 0)).join('');
  if (clean.length <= longest) return clean;
  const cut = clean.slice(0, longest - 1);
  // Never half of a surrogate pair.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

function isHidden(code: number): boolean {
  return (
    code < 0x20 ||
    (code >= 0x7f && code <= 0x9f) ||
    code === 0x00ad ||
    code === 0x061c ||
    code === 0x180e ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0xfeff ||
    (code >= 0xd800 && code <= 0xdfff) ||
    (code >= 0xe0000 && code <= 0xe007f)
  );
}
