const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Outside text as HTML may show it: no markup, no control characters, no change of direction. */
export function escapeHtml(text: string): string {
  return plainText(text).replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? '');
}

/** Outside text as a Markdown paragraph or table cell may show it. */
export function escapeMarkdown(text: string): string {
  return plainText(text)
    .replaceAll(/[\\`*_[\]|~#]/g, (letter) => `\\${letter}`)
    .replaceAll(/[&<>]/g, (letter) => ENTITIES[letter] ?? '')
    .replace(/^\s*([-+=]|\d+[.)])(?=\s)/, (mark) => `${mark.slice(0, -1)}\\${mark.slice(-1)}`);
}

/** Line ends, control characters and marks that turn the direction of text become spaces. */
function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}
