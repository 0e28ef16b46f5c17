import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createContext, runInContext } from 'node:vm';
import { parse } from 'csv-parse/sync';

/**
 * Runs one function of an Apps Script file with stand-ins for the services of Google that it uses, and prints what it wrote as
 * JSON. `UrlFetchApp.fetch` waits for its answer, as there: another process asks.
 *
 * usage: apps-script.ts FILE FUNCTION PROPERTIES-JSON
 */
const [, , file = '', name = '', properties = '{}'] = process.argv;
const given = JSON.parse(properties) as Readonly<Record<string, string>>;
const sheets: Record<string, unknown[][]> = {};

const ASK = `
const { url, headers } = JSON.parse(process.argv[1]);
fetch(url, { headers, redirect: 'manual' }).then(async (reply) =>
  process.stdout.write(JSON.stringify({ status: reply.status, text: await reply.text(), headers: Object.fromEntries(reply.headers) })));
`;

function fetchNow(url: string, options: { readonly headers: Readonly<Record<string, string>> }) {
  const asked = spawnSync(process.execPath, ['-e', ASK, JSON.stringify({ url, headers: options.headers })], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  const { status, text, headers } = JSON.parse(asked.stdout) as {
    status: number;
    text: string;
    headers: Record<string, string>;
  };
  return { getResponseCode: () => status, getContentText: () => text, getHeaders: () => headers };
}

function sheetNamed(sheet: string) {
  return {
    clearContents() {
      sheets[sheet] = [];
    },
    getRange: (row: number, column: number, rows: number, columns: number) => ({
      setValues(values: unknown[][]) {
        if (row !== 1 || column !== 1 || values.length !== rows || values.some((one) => one.length !== columns))
          throw new Error('the values do not fit the range');
        sheets[sheet] = values;
      },
    }),
  };
}

const context = createContext({
  PropertiesService: { getScriptProperties: () => ({ getProperty: (key: string) => given[key] ?? null }) },
  UrlFetchApp: { fetch: fetchNow },
  Utilities: { parseCsv: (text: string) => parse(text) as string[][] },
  SpreadsheetApp: {
    getActiveSpreadsheet: () => ({ getSheetByName: () => null, insertSheet: (sheet: string) => sheetNamed(sheet) }),
  },
});
const source = await readFile(file, 'utf8');
// Small pages, so that a few rows are several of them.
const paged = source.replace(
  /(ASSAY_(?:LIST_)?PAGE) = (\d+)/g,
  (_, constant, size) => `${constant} = ${given.PAGE ?? size}`,
);
runInContext(paged, context, { filename: file });
try {
  runInContext(`${name}()`, context);
  process.stdout.write(JSON.stringify({ sheets }));
} catch (error) {
  process.stdout.write(JSON.stringify({ error: String(error) }));
}
