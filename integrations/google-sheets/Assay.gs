/**
 * Ratings of an Assay service in a Google sheet (docs/places.md). Paste it into Extensions > Apps Script, set the script
 * properties ASSAY_URL (https://assay.example.com) and ASSAY_KEY (a key with the scope rms:read), and use the menu Assay.
 */

const ASSAY_SHEET = 'Assay ratings';
const ASSAY_CHANGES = 'Assay changes';
const ASSAY_CHOSEN = 'Assay chosen';
const ASSAY_PAGE = 2000;
/** Rows of a page of the list, at most. */
const ASSAY_LIST_PAGE = 500;
/** Pages of one refresh at most: a script may run for six minutes. */
const ASSAY_PAGES = 50;

/** Columns that are numbers in the sheet; all others are text. */
const ASSAY_NUMBERS = [
  'score',
  'trust_score',
  'score_low',
  'score_high',
  'vfr',
  'flags',
  'score_before',
  'score_after',
  'trust_before',
  'trust_after',
];

function onOpen() {
  SpreadsheetApp.getUi()
    .createMenu('Assay')
    .addItem('Refresh ratings', 'refreshRatings')
    .addItem('Refresh changes since yesterday', 'refreshChanges')
    .addItem('Refresh chosen ratings', 'refreshChosen')
    .addToUi();
}

/** Every rating as it stands now, into the sheet "Assay ratings". */
function refreshRatings() {
  writeAssayRows_(ASSAY_SHEET, readAssayPages_('/v1/exports/rms/current'));
}

/** What changed in the last whole day, into the sheet "Assay changes". */
function refreshChanges() {
  writeAssayRows_(ASSAY_CHANGES, readAssayPages_('/v1/exports/rms/diff'));
}

/** The ratings that the script property ASSAY_LIST chooses (such as `band=AAA,AA&chain=solana&sort=-trust`), into the sheet "Assay chosen". */
function refreshChosen() {
  const chosen = PropertiesService.getScriptProperties().getProperty('ASSAY_LIST') || '';
  writeAssayRows_(ASSAY_CHOSEN, readAssayPages_('/v1/rms', ASSAY_LIST_PAGE, chosen));
}

/** Rows of all pages, the header row first. `chosen`: more of the query, as it stands in an address. */
function readAssayPages_(path, size = ASSAY_PAGE, chosen = '') {
  const properties = PropertiesService.getScriptProperties();
  const url = properties.getProperty('ASSAY_URL');
  const key = properties.getProperty('ASSAY_KEY');
  if (!url || !key) throw new Error('Set the script properties ASSAY_URL and ASSAY_KEY.');
  let rows = [];
  let cursor = '';
  for (let page = 0; page < ASSAY_PAGES; page += 1) {
    const response = UrlFetchApp.fetch(assayUrl_(url, path, size, cursor, chosen), {
      headers: { 'X-API-Key': key, Accept: 'text/csv' },
      followRedirects: false,
      muteHttpExceptions: true,
    });
    const status = response.getResponseCode();
    if (status !== 200) throw new Error(assayProblem_(status, response.getContentText()));
    const read = Utilities.parseCsv(response.getContentText());
    rows = rows.concat(page === 0 ? read : read.slice(1));
    cursor = assayHeader_(response.getHeaders(), 'assay-next-cursor');
    if (cursor === '') return assayTyped_(rows);
  }
  throw new Error(`More than ${ASSAY_PAGES * size} rows: this script does not read so many.`);
}

/** `cursor` is percent-encoded already. */
function assayUrl_(url, path, size, cursor, chosen) {
  const query = `format=csv&limit=${size}${chosen === '' ? '' : `&${chosen}`}${cursor === '' ? '' : `&cursor=${cursor}`}`;
  return `${url.replace(/\/+$/, '')}${path}?${query}`;
}

/** Names of headers have no fixed case. */
function assayHeader_(headers, name) {
  const found = Object.keys(headers).find((one) => one.toLowerCase() === name);
  return found === undefined ? '' : String(headers[found]);
}

/** What the service says is wrong, in its words. */
function assayProblem_(status, text) {
  try {
    const { title, detail } = JSON.parse(text);
    return `Assay: ${title} (${status}). ${detail}`;
  } catch (_error) {
    return `Assay: the service answered ${status}.`;
  }
}

/** Cells of number columns as numbers, empty where they are not known. Text stays as the service defused it: no cell is a formula. */
function assayTyped_(rows) {
  const [header = []] = rows;
  return rows.map((row, index) =>
    index === 0
      ? row
      : row.map((cell, column) => (ASSAY_NUMBERS.includes(header[column]) && cell !== '' ? Number(cell) : cell)),
  );
}

function writeAssayRows_(name, rows) {
  const book = SpreadsheetApp.getActiveSpreadsheet();
  const sheet = book.getSheetByName(name) || book.insertSheet(name);
  sheet.clearContents();
  if (rows.length > 0 && rows[0].length > 0) sheet.getRange(1, 1, rows.length, rows[0].length).setValues(rows);
}
