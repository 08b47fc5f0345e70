// How an exported page looks: one sheet, in the reader's own colour scheme, made for a screen and for paper.

export const STYLE = `
:root { color-scheme: light dark; --bg: #fbfaf8; --card: #fff; --text: #1d1c1a; --soft: #66625b; --line: #e2ded6;
  --code: #f4f1eb; --ok: #1a7f4b; --bad: #b42318; --warn: #8a5a00; --info: #2757a8; }
@media (prefers-color-scheme: dark) { :root { --bg: #171615; --card: #1f1e1c; --text: #eceae6; --soft: #a5a098;
  --line: #35332f; --code: #262421; --ok: #5dc48d; --bad: #f08a7e; --warn: #e0b04e; --info: #8fb4f2; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
header { margin-bottom: 1.75rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 2.25rem 0 .6rem; }
h3 { font-size: .9rem; margin: 1.4rem 0 .4rem; color: var(--soft); font-weight: 600; overflow-wrap: anywhere; }
p { margin: .25rem 0; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.verdict { display: inline-block; margin: .9rem 0 0; padding: .3rem .7rem; border: 1px solid currentColor;
  border-radius: .4rem; font-weight: 600; overflow-wrap: anywhere; }
.ok { color: var(--ok); } .bad { color: var(--bad); } .warn { color: var(--warn); } .info { color: var(--info); }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .9rem 1.25rem; margin: 1.5rem 0 0; }
dt { color: var(--soft); font-size: .8rem; }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
details { background: var(--card); border: 1px solid var(--line); border-radius: .4rem; margin: .35rem 0; }
summary { display: flex; gap: .75rem; align-items: baseline; padding: .45rem .75rem; cursor: pointer; }
summary:focus-visible { outline: 2px solid var(--info); outline-offset: 1px; border-radius: .4rem; }
summary::marker { content: ""; }
summary::before { content: "\\25b8"; color: var(--soft); flex: none; }
details[open] > summary::before { content: "\\25be"; }
summary .name { flex: 1 1 auto; min-width: 0; overflow-wrap: anywhere; }
summary .figure { flex: none; color: var(--soft); font-variant-numeric: tabular-nums; font-size: .85rem; }
summary .status { flex: none; font-size: .85rem; min-width: 5.5rem; }
.body { padding: 0 .75rem .75rem; }
h4 { font-size: .8rem; margin: .8rem 0 .25rem; color: var(--soft); font-weight: 600; }
pre { margin: 0; padding: .6rem .75rem; background: var(--code); border-radius: .3rem; overflow-x: auto;
  font: 13px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }
ol.log { list-style: none; margin: 0; padding: 0; }
ol.log li { padding: .15rem 0; overflow-wrap: anywhere; white-space: pre-wrap; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .85rem; }
@media (max-width: 36rem) { summary { flex-wrap: wrap; } summary .name { flex-basis: 100%; order: 1; } }
@media print { body { background: #fff; } details { break-inside: avoid-page; } }
`
