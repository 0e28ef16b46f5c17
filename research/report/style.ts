/** The page's whole look; light or dark as the reader's system is. */
export const STYLE = `
:root{--ink:#1c2430;--faint:#66707f;--paper:#fbfbf9;--card:#fff;--rule:#dfe2e6;--main:#1f5fa8;--soft:#1f5fa81f;--second:#b0641a;--warn:#8a4b00;--warnpaper:#fff4e2}
@media(prefers-color-scheme:dark){:root{--ink:#e4e8ee;--faint:#97a1b0;--paper:#12161c;--card:#1a2028;--rule:#303844;--main:#6ea8ee;--soft:#6ea8ee26;--second:#e39a4f;--warn:#f2c27f;--warnpaper:#33270f}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
header,main{max-width:1040px;margin:0 auto;padding:0 20px}
header{padding-top:36px}
h1{font-size:26px;line-height:1.2;margin:0 0 8px}
h2{font-size:20px;margin:0 0 6px}
header p,.note{color:var(--faint);margin:6px 0 12px}
.note{font-size:13.5px;max-width:80ch}
code{font-size:12.5px}
a{color:var(--main)}
nav,section{margin:28px 0}
section{border-top:1px solid var(--rule);padding-top:24px}
.headline{font-size:16px;margin:0 0 6px;max-width:80ch}
.warning{background:var(--warnpaper);color:var(--warn);padding:7px 12px;margin:6px 0;border-radius:4px;font-size:13.5px}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:12px;margin:18px 0}
.figures div{background:var(--card);border:1px solid var(--rule);border-radius:6px;padding:10px 14px}
dt{color:var(--faint);font-size:13px}
dd{margin:0;font-size:24px;font-variant-numeric:tabular-nums}
dd.range{font-size:12.5px;color:var(--faint)}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr));gap:14px;align-items:start}
figure{margin:0;background:var(--card);border:1px solid var(--rule);border-radius:6px;padding:12px 14px}
figcaption{font-weight:600;margin-bottom:8px;font-size:14px}
svg{display:block;width:100%;max-width:540px;height:auto;margin:0 auto;font:11.5px system-ui,sans-serif}
svg text{fill:var(--ink)}
svg .tick,svg .faint,svg .axis{fill:var(--faint)}
svg .grid{stroke:var(--rule);stroke-width:1}
svg .curve{fill:none;stroke:var(--main);stroke-width:2.2;stroke-linejoin:round}
svg .curve.thin{stroke-width:1.2;opacity:.6}
svg .area{fill:var(--soft)}
svg .perfect{fill:none;stroke:var(--second);stroke-width:1.6;stroke-dasharray:5 4}
svg .random{fill:none;stroke:var(--faint);stroke-width:1.2;stroke-dasharray:2 3}
svg .dot{fill:var(--main)}
svg .bar{fill:var(--main);opacity:.75}
svg .whisker{stroke:var(--ink);stroke-width:1.4}
svg .target{stroke:var(--second);stroke-width:2.6}
svg .low{fill:var(--second)}
svg .high{fill:var(--main)}
details{border-bottom:1px solid var(--rule);padding:9px 0}
summary{cursor:pointer;font-weight:600}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:13.5px;margin:8px 0 12px;font-variant-numeric:tabular-nums}
th,td{padding:4px 14px 4px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}
th{color:var(--faint);font-weight:500;white-space:nowrap}
td{overflow-wrap:anywhere;min-width:4ch}
.number{text-align:right;white-space:nowrap}
@media print{details{break-inside:avoid}body{background:#fff}}
`.trim();
