package org.berth.spark.ui;

/**
 * The style sheet of the page. Colours are translucent, so that they suit both the light and the dark background of Spark's
 * style; in a window below 1200 pixels every table row becomes a card.
 */
final class UiStyle {
    /** Number of colours for executors; further executors repeat them, since every cell names its executor, too. */
    static final int COLOURS = 8;

    static final String SHEET = """

            .berth { overflow-wrap: anywhere; } .berth a { text-decoration: underline; }
            .berth h4 { margin-top: 1.4rem; }
            .berth ul.notes { padding-left: 1.2rem; margin-bottom: .5rem; }
            .berth .quiet { opacity: .75; }
            .berth .number { text-align: right; white-space: nowrap; }
            .berth table { width: auto; }
            .berth th { overflow-wrap: normal; }
            .berth summary { margin: .4rem 0; }
            .berth .machine, .berth .box { border: 1px solid rgba(128,128,128,.55); border-radius: 4px; padding: 3px 6px 5px;
              width: fit-content; max-width: 100%; background: rgba(128,128,128,.07); }
            .berth .inside { display: flex; flex-wrap: wrap; gap: 4px; align-items: flex-start; }
            .berth .title { font-size: .85rem; font-weight: bold; }
            .berth .bar { font-size: .8rem; border-radius: 3px; padding: 1px 6px; margin: 2px 0 4px; }
            .berth .memory { background: rgba(214,90,104,.22); }
            .berth .cache { background: rgba(222,178,40,.24); }
            .berth .device { margin: 4px 0 0; background: rgba(50,160,110,.22); }
            .berth .core { padding: 1px 3px 3px; }
            .berth .core .title { font-weight: normal; font-size: .8rem; }
            .berth .pu { flex: 0 0 auto; min-width: 4.3rem; min-height: 3.4rem; padding: 1px 5px; border-radius: 3px;
              border: 1px solid rgba(128,128,128,.55); font-size: .8rem; line-height: 1.35; }
            .berth .pu b { font-size: .85rem; }
            .berth .pu.busy { border: 2px solid currentColor; padding: 0 4px; }
            .berth .chip { display: inline-block; border-radius: 3px; padding: 0 .4rem; border: 1px solid rgba(128,128,128,.55); }
            .berth .e0 { background: rgba(31,119,220,.32); }
            .berth .e1 { background: rgba(255,140,20,.3); }
            .berth .e2 { background: rgba(60,170,60,.34); }
            .berth .e3 { background: rgba(150,90,200,.34); }
            .berth .e4 { background: rgba(20,180,190,.3); }
            .berth .e5 { background: rgba(225,90,170,.34); }
            .berth .e6 { background: rgba(170,120,70,.36); }
            .berth .e7 { background: rgba(190,190,30,.24); }
            .berth .pu.overlap { background-image: repeating-linear-gradient(45deg, transparent 0 6px,
              rgba(128,128,128,.45) 6px 9px); }
            @media (max-width: 1199px) {
            .berth table { width: 100%; }
            .berth table:not(.slim) { border: 0; }
            .berth table:not(.slim) thead { display: none; }
            .berth table:not(.slim), .berth table:not(.slim) tbody, .berth table:not(.slim) tr { display: block; }
            .berth table:not(.slim) tr { border: 1px solid rgba(128,128,128,.55); border-radius: 4px; margin-bottom: .6rem; }
            .berth table:not(.slim) td { display: flex; justify-content: space-between; gap: 1rem; text-align: right;
              white-space: normal; border: 0; }
            .berth table:not(.slim) td::before { content: attr(data-label); font-weight: bold; text-align: left; flex: none; }
            }
            """;

    private UiStyle() {}
}
