/** The whole style of report.html. Colours come in pairs for light and dark; contrast is at least 4.5 to 1 in both. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1a1d21;--soft:#57606a;--line:#d0d7de;--panel:#f6f8fa;--link:#0550ae;
--passed:#116329;--failed:#b3001b;--warned:#7d4e00;--observed:#0550ae;--other:#57606a;--mark:#ffe3a3;--markfg:#1a1d21}
@media (prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--soft:#9aa4af;--line:#30363d;--panel:#161b22;--link:#79b8ff;
--passed:#56d364;--failed:#ff8080;--warned:#e3b341;--observed:#79b8ff;--other:#9aa4af;--mark:#5a4300;--markfg:#fff}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main,header,nav,footer{max-width:72rem;margin:0 auto;padding:0 1rem}
h1{font-size:1rem;color:var(--soft);font-weight:600;margin:1.25rem 0 .5rem}
h2{margin:2.5rem 0 .75rem;font-size:1.35rem;border-bottom:1px solid var(--line);padding-bottom:.25rem}
h3{margin:1.5rem 0 .5rem;font-size:1.05rem}
h4{margin:.75rem 0 .25rem;font-size:.9rem;color:var(--soft)}
a{color:var(--link)}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{margin:.25rem 0;padding:.6rem .75rem;background:var(--panel);border:1px solid var(--line);border-radius:6px;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
mark{background:var(--mark);color:var(--markfg);border-radius:3px}
.verdict{border-left:8px solid var(--other);padding:.5rem 1rem;margin:.5rem 0 1rem;background:var(--panel);border-radius:0 6px 6px 0}
.verdict p{margin:.25rem 0;font-size:1.15rem}
.verdict .word{font-size:1.8rem;font-weight:800;letter-spacing:.02em}
.verdict.conforms{border-color:var(--passed)}.verdict.conforms .word{color:var(--passed)}
.verdict.violates,.verdict.error{border-color:var(--failed)}.verdict.violates .word,.verdict.error .word{color:var(--failed)}
.verdict.incomplete,.verdict.interrupted{border-color:var(--warned)}.verdict.incomplete .word,.verdict.interrupted .word{color:var(--warned)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0;margin:1rem 0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.5rem 0}
dt{color:var(--soft)}dd{margin:0}
table{border-collapse:collapse;width:100%;margin:.5rem 0}
caption{text-align:left;color:var(--soft);padding-bottom:.25rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line)}
.counts{width:auto}.counts th,.counts td{padding-right:1.25rem}.counts td{font-variant-numeric:tabular-nums}
.bar{display:block;width:100%;height:12px;margin:.35rem 0 .75rem;border-radius:3px}
.outcome{font-weight:600;white-space:nowrap}
.passed{color:var(--passed);fill:var(--passed)}.failed,.o-error{color:var(--failed);fill:var(--failed)}
.warned{color:var(--warned);fill:var(--warned)}.observed{color:var(--observed);fill:var(--observed)}
.inconclusive,.untested,.waived{color:var(--other);fill:var(--other)}
.zero{color:var(--soft)}
article{border:1px solid var(--line);border-left:5px solid var(--failed);border-radius:6px;padding:.25rem 1rem .75rem;margin:1rem 0}
article.warning{border-left-color:var(--warned)}
article h3{margin-top:.75rem}
details{margin:.4rem 0}summary{cursor:pointer;color:var(--link)}
.exchange{border:1px solid var(--line);border-radius:6px;padding:.35rem .75rem}
.note{color:var(--soft);margin:.25rem 0}
.skip{position:absolute;left:-999rem}.skip:focus{position:static}
:target{outline:3px solid var(--observed);outline-offset:2px}
@media (max-width:44rem){
.matrix thead{position:absolute;left:-999rem}
.matrix tr{display:block;border-bottom:1px solid var(--line);padding:.4rem 0}
.matrix td,.matrix th{display:block;border:0;padding:.05rem 0}
dl{grid-template-columns:1fr}dd{margin-bottom:.35rem}
.counts th,.counts td{padding-right:.6rem}
}
@media print{nav{display:none}details::details-content{content-visibility:visible;block-size:auto}article{break-inside:avoid}}
`;
