package org.berth.report;

import org.berth.drawing.internal.text.Palette;

/** The style sheet of the report: the reader's light or dark scheme, paper, phones. Text keeps a contrast of 4.5 to 1. */
final class ReportStyle {
    static final String CSS = """
            :root { color-scheme: light dark; --page: #ffffff; --card: #f6f8fa; --ink: #1b2430; --soft: #515c69;
              --line: #d3d9e0; --strong: #8d97a3; --used: #cfe3f7; --used-line: #1f6fb2; --out: #e4e6e9; --accent: #1f6fb2;
              --a0: #5b6673; --a1: #1f6fb2; --a2: #b3541e; --a3: #2b7a3d; --a4: #9b3a8c;
              --a5: #8a6d00; --a6: #00767a; --a7: #b02a37;
              LIGHT-THREADS }
            @media (prefers-color-scheme: dark) { :root { --page: #12161b; --card: #1a2027; --ink: #e6ebf0; --soft: #a7b2be;
              --line: #323b46; --strong: #76828f; --used: #1d4263; --used-line: #6db3ef; --out: #262b31; --accent: #6db3ef;
              --a0: #aab4bf; --a1: #6db3ef; --a2: #f0975c; --a3: #6ccb82; --a4: #e08fd2;
              --a5: #d9b93b; --a6: #4cc9cd; --a7: #f0808a;
              DARK-THREADS } }
            * { box-sizing: border-box; }
            html { -webkit-text-size-adjust: 100%; }
            body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; }
            main { max-width: 1160px; margin: 0 auto; padding: 16px; }
            h1 { font-size: 1.5rem; line-height: 1.25; margin: 8px 0; overflow-wrap: anywhere; }
            h2 { font-size: 1.15rem; margin: 36px 0 10px; padding-bottom: 4px; border-bottom: 1px solid var(--line); }
            h3 { font-size: 1rem; margin: 0 0 8px; overflow-wrap: anywhere; }
            p { margin: 8px 0; overflow-wrap: anywhere; }
            .meta, .note, figcaption { color: var(--soft); font-size: 0.875rem; overflow-wrap: anywhere; }
            .verdict { border-left: 5px solid var(--accent); background: var(--card); padding: 10px 16px; margin: 14px 0;
              font-size: 1.08rem; }
            .answer { font-size: 1.08rem; font-weight: 600; border: 0; margin: 8px 0; padding: 0; overflow-wrap: anywhere; }
            .badges { list-style: none; margin: 8px 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 6px 18px; font-size: 1rem; }
            .badge { border: 1.5px solid; border-radius: 5px; padding: 0 8px; font-weight: 600; white-space: nowrap; }
            .good { color: var(--a3); } .worse { color: var(--a7); } .open { color: var(--soft); }
            .warning { border-left: 5px solid var(--a2); background: var(--card); padding: 4px 16px; margin: 14px 0; }
            details { margin: 14px 0; } summary { cursor: pointer; color: var(--soft); }
            .part { border-bottom: 1px solid var(--line); margin: 0; padding: 8px 0; }
            .part summary h2 { display: inline; border: 0; color: var(--ink); }
            .scroll { overflow-x: auto; }
            .badges li { min-width: 0; overflow-wrap: anywhere; } .same { fill: var(--strong); opacity: 0.3; }
            .cards { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; }
            .card { margin: 0; padding: 14px; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
              min-width: 0; }
            @media (min-width: 800px) { .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
            figcaption { margin-top: 8px; }
            .verdict .note { font-size: 0.9375rem; }
            .table-name { margin-top: 20px; }
            table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
            th, td { padding: 6px 10px; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top;
              overflow-wrap: anywhere; }
            th:first-child, td:first-child { text-align: left; }
            thead th { color: var(--soft); font-weight: 600; font-size: 0.875rem; }
            .stack tbody th { min-width: 7em; }
            .numbers thead th { overflow-wrap: normal; } .numbers td { min-width: 4.6em; }
            .facts td { text-align: left; } .facts th { text-align: left; font-weight: 600; width: 34%; }
            pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 10px; margin: 6px 0 14px;
              white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
            svg { display: block; }
            .legend svg { display: inline-block; flex: none; }
            text { fill: var(--ink); font: 13px system-ui, "DejaVu Sans", sans-serif; }
            .tick { fill: var(--soft); font-size: 12px; }
            .name, .value { paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round; }
            .name { font-weight: 600; } .value { font-size: 12.5px; }
            .middle { text-anchor: middle; } .end { text-anchor: end; }
            .bad { fill: var(--a2); font-weight: 700; }
            .grid { stroke: var(--line); } .one { stroke: var(--ink); stroke-width: 1.5; }
            .whisker { stroke: var(--ink); stroke-width: 1.5; } .interval { stroke-width: 5; } .track { stroke-width: 2; }
            .box { fill: none; stroke: var(--strong); stroke-width: 1.5; } .median { stroke: var(--ink); stroke-width: 2.5; }
            .arm0 { fill: var(--a0); stroke: var(--a0); } .arm1 { fill: var(--a1); stroke: var(--a1); }
            .arm2 { fill: var(--a2); stroke: var(--a2); } .arm3 { fill: var(--a3); stroke: var(--a3); }
            .arm4 { fill: var(--a4); stroke: var(--a4); } .arm5 { fill: var(--a5); stroke: var(--a5); }
            .arm6 { fill: var(--a6); stroke: var(--a6); } .arm7 { fill: var(--a7); stroke: var(--a7); }
            .bar { fill-opacity: 0.55; } .hollow { fill: var(--card); stroke-width: 1.5; }
            .legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 8px 0 0; padding: 0;
              font-size: 0.8125rem; }
            .legend li { display: flex; align-items: center; gap: 6px; min-width: 0; overflow-wrap: anywhere; }
            .machine { font-size: 0.8125rem; }
            .frame, .core { border: 1px solid var(--strong); border-radius: 5px; padding: 6px; min-width: 0; }
            .frame { flex: 1 1 auto; } .core { padding: 3px; border-color: var(--line); background: var(--page); }
            .dense { font-size: 0.75rem; } .dense .pu { min-width: 28px; padding: 0 2px; } .dense .inside { gap: 3px; }
            .dense .frame { padding: 3px; } .dense .core { padding: 1px; border: 0; } .dense .pu small { font-size: 0.6875rem; }
            .frame-title { color: var(--soft); margin-bottom: 4px; overflow-wrap: anywhere; }
            .inside { display: flex; flex-wrap: wrap; gap: 5px; }
            .pu { display: inline-block; min-width: 38px; padding: 2px 4px; border: 1.5px solid var(--strong); border-radius: 4px;
              text-align: center; line-height: 1.25; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
            .pu small { display: block; font-size: 0.75rem; }
            .used { background: var(--used); border-color: var(--used-line); }
            .out { background: var(--out); border-style: dashed; color: var(--soft); }
            .key { min-width: 20px; height: 14px; vertical-align: middle; }
            .lanes { display: grid; grid-template-columns: 58px minmax(0, 1fr); }
            .plot { width: 100%; } .time { width: 100%; grid-column: 2; overflow: visible; }
            .band { fill: var(--page); } .other-node { fill: var(--out); }
            .thread0 { fill: var(--t0); } .thread1 { fill: var(--t1); } .thread2 { fill: var(--t2); }
            .thread3 { fill: var(--t3); } .thread4 { fill: var(--t4); } .thread5 { fill: var(--t5); }
            .thread6 { fill: var(--t6); } .thread7 { fill: var(--t7); } .others { fill: var(--others); }
            @media (max-width: 959px) {
              .stack thead { display: none; }
              .stack tr { display: block; padding: 8px 0; border-bottom: 1px solid var(--strong); }
              .stack th, .stack td { display: flex; justify-content: space-between; gap: 14px; border: 0; padding: 2px 0; }
              .stack td::before { content: attr(data-label); color: var(--soft); text-align: left; }
              .stack td.nothing { display: none; }
              .facts th, .facts td { display: block; width: auto; border: 0; padding: 2px 0; }
              .facts th { padding-top: 8px; color: var(--soft); }
            }
            @media print {
              details::details-content { content-visibility: visible; block-size: auto; } summary { list-style: none; }
              .scroll svg { max-width: 100%; height: auto; }
              body { font-size: 11pt; } main { max-width: none; padding: 0; }
              .card, .verdict { break-inside: avoid; } h2 { break-after: avoid; }
              svg, .verdict, .card { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
            }
            """.replace("LIGHT-THREADS", threads(false)).replace("DARK-THREADS", threads(true));

    private ReportStyle() {}

    private static String threads(boolean dark) {
        StringBuilder variables = new StringBuilder();
        for (int rank = 0; rank < Palette.SIZE; rank++) {
            variables
                    .append("--t")
                    .append(rank)
                    .append(": ")
                    .append(dark ? Palette.threadOnDark(rank) : Palette.thread(rank))
                    .append("; ");
        }
        return variables + "--others: " + (dark ? Palette.OTHERS_ON_DARK : Palette.OTHERS) + ";";
    }
}
