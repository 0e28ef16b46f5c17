/** One line of a page: its words, and the height of its letters in points. */
export interface PdfLine {
  readonly text: string;
  readonly size?: number;
}

/** A small PDF 1.4 of Helvetica lines, one array a page. ASCII alone, nothing compressed. */
export function pdfOf(pages: readonly (readonly PdfLine[])[]): string {
  const kids = pages.map((_, at) => `${4 + 2 * at} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((lines, at) => {
      const content = contentOf(lines);
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * at} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  return withTable(objects);
}

/** Objects 1 to n with their cross-reference table; the first is the catalogue. */
function withTable(objects: readonly string[]): string {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((body, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
}

function contentOf(lines: readonly PdfLine[]): string {
  let y = 800;
  const shown = lines.map(({ text, size = 11 }) => {
    y -= text === '' ? 14 : size * 1.3;
    const escaped = text.replaceAll(/[\\()]/g, (sign) => `\\${sign}`);
    return text === '' ? '' : `/F1 ${size} Tf 1 0 0 1 60 ${y.toFixed(1)} Tm (${escaped}) Tj`;
  });
  return `BT\n${shown.filter((row) => row !== '').join('\n')}\nET`;
}
