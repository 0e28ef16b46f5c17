/** Style of the report: light and dark by the reader's setting, one column on a phone, two A4 pages on paper. */
export const STYLE = `
:root{color-scheme:light dark;--bg:light-dark(#f4f6f8,#0b0e13);--panel:light-dark(#fff,#12161d);--line:light-dark(#d5dbe2,#2a3240);--soft:light-dark(#596376,#97a2b4);--ink:light-dark(#121722,#e9edf3);--accent:light-dark(#1a4fd0,#86adff);--price:light-dark(#6a7485,#97a2b4);--pos:light-dark(#0a6658,#63cfb6);--neg:light-dark(#a8321a,#ff9c7f);--crit:light-dark(#a3121a,#ff9a92);--crit-bg:light-dark(#fdebea,#33110f);--ground:light-dark(#e3e8ee,#262e3a)}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:13px/1.42 Inter,"Segoe UI",system-ui,-apple-system,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:860px;margin:0 auto;padding:16px}
.page,.appendix{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:28px 48px 20px;margin-bottom:12px}
header{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:4px 16px;align-items:end;border-bottom:2px solid var(--ink);padding-bottom:8px;margin-bottom:12px}
.mono{font-family:ui-monospace,"SF Mono","DejaVu Sans Mono",monospace}header p{margin:1px 0}header .meta{text-align:right}
h1{font-size:24px;line-height:1.15;margin:0 0 2px;overflow-wrap:anywhere}
h2{font-size:13px;margin:14px 0 4px;padding-bottom:3px;border-bottom:1px solid var(--line)}
h3{font-size:12px;margin:12px 0 3px}
p{margin:4px 0}.soft,.meta,header p{color:var(--soft);font-size:12px;overflow-wrap:anywhere}
.banner{border:1px solid var(--line);border-left:4px solid var(--neg);padding:4px 10px;font-weight:600;margin:0 0 8px}
.alert{border:1px solid var(--crit);background:var(--crit-bg);color:var(--crit);border-radius:4px;padding:6px 10px;margin:0 0 10px}
.alert ul{margin:0;padding-left:18px}
.verdict{display:flex;gap:14px;align-items:center;margin-bottom:8px}
.verdict b{font-size:38px;line-height:1;padding:12px 16px;border-radius:4px}.verdict p{margin:0;font-size:14px}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));border:1px solid var(--line);border-radius:4px;margin:6px 0 0}
.figures div{padding:6px 9px;border-left:1px solid var(--line);margin-left:-1px;min-width:0}
dl{margin:0}dt{color:var(--soft);font-size:11px}dd{margin:0;overflow-wrap:anywhere}dd b{display:block;font-size:15px;line-height:1.25}.figures dd span,.facts dd span{color:var(--soft);font-size:11px;line-height:1.3;display:block}
.facts{display:grid;grid-template-columns:repeat(6,1fr);gap:6px 12px}.facts dd b{font-size:12.5px}
.two{display:grid;grid-template-columns:1fr 1fr;gap:0 24px}.two>*{min-width:0}
table{border-collapse:collapse;width:100%;font-size:12px}
th,td{border-bottom:1px solid var(--line);padding:3px 8px 3px 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{color:var(--soft);font-weight:400;font-size:11px}td:last-child,th:last-child{padding-right:0}
.n{text-align:right;white-space:nowrap}.k{font-weight:600}.up{color:var(--pos)}.down{color:var(--neg)}
.reasons td:first-child{width:78px;white-space:nowrap}.reasons td:last-child{text-align:right;width:130px;white-space:nowrap}
.flags td:nth-child(1){width:24%}.flags td:nth-child(3){width:80px}.flags td:nth-child(4){width:130px}
.absences td:nth-child(1){width:22%;font-weight:600}.absences td:nth-child(3){width:33%}
.change td:first-child{width:84px;font-weight:600}.actions td{padding-right:6px}.actions td:first-child,.actions td:nth-child(2){white-space:nowrap}
.critical,.high{color:var(--crit)}
.foot{display:flex;justify-content:space-between;gap:12px;border-top:1px solid var(--line);margin-top:14px;padding-top:5px;color:var(--soft);font-size:11px}
.foot span:first-child{overflow-wrap:anywhere;min-width:0}
.chart{display:block;width:100%;height:auto;font-size:11px}.narrow{display:none}
.chart text{fill:var(--ink)}.chart .soft{fill:var(--soft);font-size:10px}.chart .name{font-size:10px}.chart .strong{font-weight:600}.chart .warn{fill:var(--neg)}
.range{stroke:var(--ink);stroke-width:1.5}.limit{stroke:var(--neg);stroke-width:1.5}.grid{stroke:var(--line)}.axis{stroke:var(--soft)}.ink{fill:var(--ink)}
.ground{fill:var(--ground)}.bar{fill:var(--accent)}.weak{fill:var(--neg)}.median{stroke:var(--ink);stroke-width:2}
.score,.sell,.buy,.price{fill:none;stroke-width:1.8;stroke:var(--accent)}.price{stroke:var(--price);stroke-width:1.2}.sell{stroke:var(--neg)}.buy{stroke-dasharray:4 3}
.faint{opacity:.32}
.h0{fill:#8a2f14}.h1{fill:#b8590f}.h2{fill:#e58a43}.h3{fill:#f3bc63}.h4{fill:#596376}.h5{fill:#8a94a3}.h6{fill:#2f70bf}.h7{fill:#a9cdf0}
.b-AAA{fill:#0d2f6b;background:#0d2f6b}.b-AA{fill:#1a509f;background:#1a509f}.b-A{fill:#2f70bf;background:#2f70bf}.b-BBB{fill:#a9cdf0;background:#a9cdf0}.b-BB{fill:#d7dee6;background:#d7dee6}.b-B{fill:#f5e2ae;background:#f5e2ae}.b-CCC{fill:#f3bc63;background:#f3bc63}.b-CC{fill:#e58a43;background:#e58a43}.b-C{fill:#a83f18;background:#a83f18}.b-D{fill:#4a1410;background:#4a1410}.b-NR{fill:#d7dee6;background:#d7dee6}
.t-AAA,.t-AA,.t-A,.t-C,.t-D{color:#fff}.t-BBB,.t-BB,.t-B,.t-CCC,.t-CC,.t-NR{color:#121722}
.chart .on-AAA,.chart .on-AA,.chart .on-A,.chart .on-C,.chart .on-D{fill:#fff}.chart .on-BBB,.chart .on-BB,.chart .on-B,.chart .on-CCC,.chart .on-CC{fill:#121722}
summary{cursor:pointer;font-weight:600;padding:4px 0}.wrap{overflow-x:auto}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media(max-width:640px){header{grid-template-columns:minmax(0,1fr)}main{padding:6px}.page,.appendix{padding:14px 12px}.two{grid-template-columns:minmax(0,1fr)}.facts{grid-template-columns:1fr 1fr}header .meta{text-align:left}.figures{grid-template-columns:1fr 1fr}.verdict{flex-direction:column;align-items:flex-start}.absences td:nth-child(1){width:29%}.absences td:nth-child(3){width:31%}.wide{display:none}.narrow{display:block}.reasons td:last-child{width:84px;white-space:normal}.flags td:nth-child(3){width:66px}.flags td:nth-child(4){width:76px}.foot{flex-wrap:wrap}}
@page{size:A4;margin:9mm 12mm}
@media print{p{margin:2px 0}:root{color-scheme:light}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}body{background:none;font-size:10.2px;line-height:1.27}main{max-width:none;padding:0}.page,.appendix{border:0;padding:0;margin:0;border-radius:0}.page{break-after:page}.page:last-of-type{break-after:auto}h1{font-size:20px}h2{font-size:11px;margin:7px 0 3px}table{font-size:9.6px}th,.soft,.meta,header p,.foot{font-size:9px}dt,.figures dd span,.facts dd span{font-size:8.6px}dd b{font-size:12.5px}.facts dd b{font-size:10.6px}.verdict b{font-size:32px}.verdict p{font-size:11.6px}th,td{padding-top:2px;padding-bottom:2px}.two{grid-template-columns:1fr 1fr;gap:0 20px}header{grid-template-columns:minmax(0,3fr) minmax(0,2fr)}header .meta{text-align:right}.facts{grid-template-columns:repeat(6,1fr)}.wide{display:block}.narrow{display:none}tr,.chart,.figures{break-inside:avoid}.appendix:has(details:not([open])){display:none}.appendix{break-before:page}summary{list-style:none}.wrap{overflow:visible}a{color:inherit}}
`;
