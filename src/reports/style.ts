/** The style of HTML reports, on the screen and on A4 and Letter paper. */

const tones = ['#1d4fbf', '#b3541e', '#0b6b3a', '#8a2d7c', '#7a6a00', '#006d77', '#a8201a', '#4b4fb0', '#5d6b2f', '#6b4a3a'];

/** The style of the part that people read, wherever it is shown. */
export const style = `.report { max-width: 46rem; margin: 1.5rem auto; padding: 0 1rem; color: #16202c; background: #fff; font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.report h1 { margin: 0.2rem 0 0.6rem; font-size: 1.3rem; line-height: 1.25; }
.report h2 { margin: 1.1rem 0 0.35rem; padding-bottom: 0.15rem; border-bottom: 1px solid #c9d0d8; font-size: 1.1rem; }
.report h3, .report figcaption { margin: 0.9rem 0 0.3rem; font-size: 0.95rem; font-weight: 650; }
.report p { margin: 0.3rem 0; }
.report .soft { color: #55616f; }
.report .draft { margin: 0 0 0.6rem; padding: 0.5rem 0.8rem; border: 2px solid #a8201a; color: #a8201a; font-weight: 700; letter-spacing: 0.04em; text-align: center; }
.report .answer { font-size: 1.1rem; font-weight: 600; }
.report dl { margin: 0.4rem 0; }
.report .inputs, .report .plain { font-size: 0.9rem; }
.report .inputs > div, .report .plain > div { display: grid; grid-template-columns: 12rem 1fr; gap: 0.2rem 1rem; padding: 0.1rem 0; }
.report dt { color: #55616f; }
.report dd { margin: 0; min-width: 0; }
.report .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 0.5rem; }
.report .figures > div { padding: 0.4rem 0.6rem; border: 1px solid #c9d0d8; border-radius: 6px; break-inside: avoid; }
.report .figures dt, .report .figures dd > span { font-size: 0.8rem; }
.report .figures dd { font-size: 1.05rem; font-weight: 600; }
.report .figures dd > span { display: block; font-weight: 400; }
.report figure { margin: 0.6rem 0; break-inside: avoid; }
.report img { display: block; width: 100%; height: auto; }
.report svg { display: block; width: 100%; height: auto; }
.report svg text { font: 11px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: #55616f; }
.report svg .axis, .report svg .name { fill: #16202c; }
.report .grid { stroke: #e3e7ec; }
.report .base, .report .tick { stroke: #6b7785; }
.report .closed, .report .held { fill: #eef1f5; }
.report .observed { fill: none; stroke: #16202c; stroke-width: 1.4; }
.report .ahead { fill: none; stroke: #1d4fbf; stroke-width: 2; }
.report .guess { fill: #b3541e; }
.report .outlier { fill: none; stroke: #a8201a; stroke-width: 1.6; }
.report .band { stroke: none; }
.report .b0 { fill: #dbe6fb; }
.report .b1 { fill: #b9cff6; }
.report .b2 { fill: #92b3f0; }
.report .point { fill: #92b3f0; }
.report .chosen { fill: #b3541e; }
.report .limit { stroke: #a8201a; stroke-dasharray: 5 4; }
.report .seam { stroke: #9aa5b1; stroke-width: 0.8; stroke-dasharray: 2 3; }
.report .seam.day { stroke: #55616f; stroke-width: 1.2; stroke-dasharray: none; }
.report .room { fill: #f3f5f8; }
.report svg .on { fill: #fff; }
${tones.map((colour, i) => `.report .t${i} { fill: ${colour}; background: ${colour}; }`).join('\n')}
.report .keys { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; margin: 0.3rem 0; padding: 0; list-style: none; font-size: 0.82rem; }
.report .key { display: inline-block; width: 0.9em; height: 0.7em; margin-right: 0.35em; border-radius: 2px; }
.report .key.observed { height: 2px; margin-bottom: 0.25em; background: #16202c; }
.report .key.ahead { height: 3px; margin-bottom: 0.2em; background: #1d4fbf; }
.report .key.guess, .report .key.chosen { width: 0.7em; border-radius: 50%; background: #b3541e; }
.report .key.point { width: 0.7em; border-radius: 50%; background: #92b3f0; }
.report .key.limit { height: 0; border-top: 2px dashed #a8201a; margin-bottom: 0.25em; }
.report .key.outlier { width: 0.6em; height: 0.6em; border: 2px solid #a8201a; border-radius: 50%; }
.report .key.b0 { background: #dbe6fb; }
.report .key.b1 { background: #b9cff6; }
.report .key.b2 { background: #92b3f0; }
.report table { width: 100%; border-collapse: collapse; font-size: 0.84rem; font-variant-numeric: tabular-nums; }
.report thead { display: table-header-group; }
.report tr { break-inside: avoid; }
.report th, .report td { padding: 0.18rem 0.35rem; border-bottom: 1px solid #e3e7ec; text-align: left; vertical-align: top; }
.report th { border-bottom-color: #6b7785; }
.report th { overflow-wrap: break-word; }
.report td:not(.n) { min-width: 4.5em; }
.report .n { text-align: right; white-space: nowrap; }
.report .d { white-space: nowrap; }
.report pre { margin: 0.4rem 0; padding: 0.5rem 0.7rem; border: 1px solid #c9d0d8; border-radius: 6px; font-size: 0.8rem; white-space: pre-wrap; }
.report blockquote { margin: 0.3rem 0; padding: 0.2rem 0.8rem; border-left: 3px solid #c9d0d8; white-space: pre-line; }
.report ul { margin: 0.3rem 0; padding-left: 1.2rem; }
.report h2, .report h3 { break-after: avoid; }
.report footer { margin-top: 1.4rem; padding-top: 0.4rem; border-top: 1px solid #c9d0d8; color: #55616f; font-size: 0.8rem; }
@media print { .report { max-width: none; margin: 0; padding: 0; font-size: 11.5px; } .report table { font-size: 10px; } .report th, .report td { padding-block: 1px; } }
@media (max-width: 32rem) { .report .inputs > div, .report .plain > div { grid-template-columns: 1fr; } .report table { display: block; overflow-x: auto; } .report td { overflow-wrap: break-word; } }
@media (forced-colors: active) { .report figure { forced-color-adjust: none; color: #16202c; background: #fff; } }
`;

/** The style of a report as a file. */
export const pageStyle = `@page { margin: 15mm 14mm 16mm; }
body { margin: 0; background: #fff; }
@media print { html { font-size: 12px; } }
${style}`;
