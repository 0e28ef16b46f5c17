import type { Command } from './context.ts';

/** Usage and purpose of each command, separate from the commands, so that help loads none of them. */
export const MANUAL = {
  score: {
    usage:
      'assay score ASSET [--chain C] [--type posttge|pretge] [--format minimal|standard|full|markdown] [--wait SECONDS] [--json]\nassay score --project NAME --url URL [--type posttge|pretge] [--symbol S] [--chain C] [--address A] [--category TEXT] [--format minimal|standard|full|markdown] [--wait SECONDS] [--json]\nassay score --file assets.csv|txt [--json|--csv] [--out FILE]',
    summary:
      'score an asset now: an address, an id, a website, a ticker or a name, or a project by name and url; with live progress',
  },
  bulk: {
    usage: 'assay bulk FILE [--json|--csv] [--out FILE]    (CSV with a header, or one asset a line)',
    summary: 'score every asset of a file as one job, with progress; a table in a terminal, JSON or CSV for programs',
  },
  report: {
    usage: 'assay report ASSET [--format markdown|html] [--out FILE]',
    summary: 'the report of the newest published rating, for people: two pages to read and print',
  },
  replay: {
    usage: 'assay replay JOB_ID | --file ARCHIVE  [--bodies] [--json] [--report]',
    summary: 'recompute a rating offline from its archived evidence and compare the bytes',
  },
  evidence: {
    usage: 'assay evidence JOB_ID --out FILE',
    summary: 'write a job’s evidence to a file that replays on another machine',
  },
  snapshot: {
    usage: 'assay snapshot ASSET [--kind market|holders|pools] [--timeout SECONDS]',
    summary: 'make a snapshot of an asset now and print it as JSON',
  },
  holders: {
    usage: [
      'assay holders --csv FILE[.gz] [--decimals N] [--supply BASE_UNITS] [--price USD]',
      'assay holders --rpc URL --mint MINT [--price USD]',
    ].join('\n'),
    summary: 'print every metric of a holder list: a file of address,amount, or a mint read from a Solana node',
  },
  decode: {
    usage: [
      'assay decode CHAIN FILE.json',
      'assay decode EVM_CHAIN --rpc URL --address CONTRACT_OR_POOL [--save FILE.json]',
    ].join('\n'),
    summary:
      'identify a raw account or contract: a token, a token account or a pool, with price, fee, tokens and liquidity',
  },
  validate: {
    usage: [
      'assay validate --data DIR --out DIR [--mapping FILE] [--methodology FILE] [--seed N] [--bootstrap N] [--nested]',
      'assay validate --init FILE.csv [--out MAPPING.json]',
      'assay validate --quantities',
    ].join('\n'),
    summary: 'measure the methodology on files of assets whose outcome is known; writes report.json, .md and .html',
  },
  index: {
    usage: [
      'assay index add ASSET... [--cadence newest|five-minutes|hourly] [--kinds market,holders,pools]',
      'assay index remove ASSET...',
      'assay index list [--json]',
    ].join('\n'),
    summary: 'choose the assets whose chain data is indexed',
  },
  export: {
    usage: [
      'assay export build   [--subject rms|solana|...] [--date YYYY-MM-DD]',
      'assay export verify  [--subject rms|solana|...] [--date YYYY-MM-DD] [--dir PATH] [--keys FILE|URL]',
      'assay export restate --subject rms|solana|... --date YYYY-MM-DD --reason TEXT',
      'assay export restate --subject rating --job JOB_ID --reason TEXT [--without SOURCE,...]',
    ].join('\n'),
    summary: 'write, check and correct the published files of a day',
  },
  rms: {
    usage: [
      'assay rms add ASSET...',
      'assay rms add --project NAME --url URL [--type posttge|pretge] [--symbol S] [--chain C] [--address A]',
      'assay rms remove ASSET...',
      'assay rms list [--json]',
      'assay rms show ASSET [--json]',
      'assay rms history ASSET [--actions] [--json]',
    ].join('\n'),
    summary: 'ratings that are kept up to date: add, remove, list, show, history',
  },
  thresholds: {
    usage: [
      'assay thresholds list [CHAIN] [--json]',
      'assay thresholds set ASSET --when "FIGURE above|below VALUE [SEVERITY]" [--when ...] [--add] [--hysteresis PERCENT] [--note TEXT]',
      'assay thresholds set ASSET --when "FIGURE rises|falls PERCENT [in 90s|30m|6h|2d] [SEVERITY]"',
      'assay thresholds remove ASSET...',
      '    at a service (ASSAY_URL and ASSAY_API_KEY); set replaces all lines of the asset, with --add it adds to them',
    ].join('\n'),
    summary:
      'lines on figures of snapshots (price, liquidity, depth, holders): list, set, remove; a crossing is an alert',
  },
  alerts: {
    usage: 'assay alerts tail [--account acc_...] [--after NUMBER] [--count N] [--json]',
    summary: 'show alerts as they come, of one account or of all',
  },
  keys: {
    usage: [
      'assay keys create --name NAME --scopes score,rms:read [--plan RATING] [--account acc_...] [--expires-days N] [--ips 10.0.0.0/8,...] [--json]',
      'assay keys list [--json]',
      'assay keys rotate ID [--overlap-seconds 86400] [--json]',
      'assay keys revoke ID',
    ].join('\n'),
    summary: 'create, list, rotate and revoke API keys',
  },
  plans: {
    usage: 'assay plans [--json]',
    summary: 'the plans in force, their limits and prices',
  },
  usage: {
    usage: 'assay usage [--account acc_...] [--month YYYY-MM] [--csv|--json]',
    summary: 'what accounts used in a month, and what is due',
  },
  mcp: {
    usage: 'assay mcp [--url URL]    (ASSAY_URL and ASSAY_API_KEY)',
    summary: 'serve the Model Context Protocol on standard input and output',
  },
  sources: {
    usage: [
      'assay sources list [--json]',
      'assay sources check [--json]',
      'assay sources prove [--out DIR] [--panel FILE] [--minutes N] [--json]',
      'assay sources adopt BUNDLE --out DIR [--panel FILE]',
      'assay sources lineage [--jobs N] [--out FILE] [--json]',
      'assay sources parse SOURCE ENDPOINT --asset CAIP19 --reply FILE [--pointer /raw] [--param name=value ...]',
    ].join('\n'),
    summary:
      'the public sources: list them, probe each once, prove every endpoint on known assets, find which copy each other, read a saved reply',
  },
  registers: {
    usage: [
      'assay registers check [--dir FOLDER] [--online] [--write] [--from URL] [--json]',
      'assay registers add REGISTER FILE.json [--dir FOLDER]',
      'assay registers diff REGISTER [FILE FILE] [--json]',
    ].join('\n'),
    summary: 'the kept registers: check them (also against public registers), add rows of your own, compare',
  },
  config: {
    usage: 'assay config [--json]',
    summary: 'every setting with its value in force; of secrets only whether they are set',
  },
  doctor: {
    usage: 'assay doctor [--offline] [--json]',
    summary: 'report what is wrong with this installation and how to fix it',
  },
  log: {
    usage: 'assay log verify [--url URL] [--keys FILE|URL] [--state FILE] [--records --api-key KEY]',
    summary: 'verify the log of published ratings of a service: finds what was changed, dropped or backdated',
  },
  verify: {
    usage: [
      'assay verify FILE.json --keys FILE|URL [--asset CAIP19] [--chain CAIP2] [--worst-band BBB] [--max-age HOURS]',
      '    [--proof FILE.json] [--revocations FILE.json] [--at TIME] [--sandbox] [--json]',
      '    FILE: a rating, or a record for contracts; exit code 0: it holds, 1: it does not, 65: it is neither',
    ].join('\n'),
    summary: 'verify a published rating or a record for contracts by public keys alone, with nothing of the service',
  },
  policy: {
    usage: [
      'assay policy check ASSET [--preset wallet|listing_desk|treasury|agent] [--rules FILE.json] [--amount USD] [--json]',
      'assay policy portfolio POSITIONS.csv [--preset ...] [--rules FILE.json] [--seed N] [--json]',
      'assay policy portfolio --address ADDRESS [--chain CHAIN,CHAIN] [--preset ...] [--rules FILE.json] [--seed N] [--json]',
      '    all: [--url URL] [--api-key KEY], or ASSAY_URL and ASSAY_API_KEY; exit code 0 allow, 2 caution, 3 block',
    ].join('\n'),
    summary:
      'check published ratings of a service against rules: whether an asset may be held, and what fails together',
  },
  backup: {
    usage: 'assay backup --out FILE',
    summary: 'write the database and the published exports into one file, while the service runs',
  },
  restore: {
    usage: ['assay restore --in FILE [--to POSTGRES_URL] [--force]', 'assay restore --in FILE --check'].join('\n'),
    summary: 'fill an empty database from a backup, or check a backup from end to end',
  },
  migrate: {
    usage: ['assay migrate [--check]', 'assay migrate --citus'].join('\n'),
    summary:
      "bring the database's tables up to date (a start does so automatically), list what is missing, or how to distribute them",
  },
  'migrate-to': {
    usage: 'assay migrate-to POSTGRES_URL [--verify]',
    summary: 'move this installation into another PostgreSQL, or compare the two',
  },
} as const satisfies Readonly<Record<string, Pick<Command, 'usage' | 'summary'>>>;

export type CommandName = keyof typeof MANUAL;
