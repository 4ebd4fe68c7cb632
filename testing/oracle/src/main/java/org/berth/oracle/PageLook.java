package org.berth.oracle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page on a phone, a tablet and a desktop, in a real browser: text that leaves the page, is cut off, lies on other text or
 * is too small, and what <a href="https://github.com/dequelabs/axe-core">axe</a> finds. Folded parts are opened. Aborts the
 * test when no browser is installed.
 */
public final class PageLook {
    /** In pixels of a style sheet; no window of the browser is as narrow as a phone, so each one is a frame. */
    private static final int[] WIDTHS = {390, 820, 1100};

    private static final Pattern FAULTS = Pattern.compile("data-faults=\"([^\"]*)\"");

    /** What a page is for, and with it the smallest text that it may have, in pixels. */
    public enum Use {
        /** Pages are read on phones, too. */
        READ(11, 11, 11),
        /** Drawings of machines are looked at on a desktop; a narrow screen shrinks them. */
        DRAWN(0, 0, 9);

        private final int phone;
        private final int tablet;
        private final int desktop;

        Use(int phone, int tablet, int desktop) {
            this.phone = phone;
            this.tablet = tablet;
            this.desktop = desktop;
        }

        private int least(int screen) {
            return screen == 0 ? phone : screen == 1 ? tablet : desktop;
        }
    }

    private PageLook() {}

    /**
     * Looks at a page that is complete in itself.
     *
     * @param picture where the three widths are shown next to each other
     * @return a JSON list of sentences; "[]" without a fault
     */
    public static String faults(String page, Path picture, boolean dark, Use use) throws IOException {
        // The script that looks would not be allowed by a page that allows none.
        String free = page.replaceFirst("<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "");
        String frame = "srcdoc=\"" + free.replace("&", "&amp;").replace("\"", "&quot;") + "\"";
        Path folder = Files.createTempDirectory("berth-page-");
        Path wrapper = Files.writeString(folder.resolve("page.html"), wrapper(frame, use));
        try {
            return faultsOf(wrapper.toUri().toString(), picture, dark);
        } finally {
            Files.delete(wrapper);
            Files.delete(folder);
        }
    }

    /** A page that shows a drawing as wide as the screen permits. */
    public static String ofSvg(String svg) {
        return "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>drawing</title>"
                + "<meta name=color-scheme content='light dark'>"
                + "<style>main > svg { max-width: 100%; height: auto; }</style></head>"
                + "<body style='margin:0'><main><h1>Drawing</h1>" + svg.substring(svg.indexOf("<svg"))
                + "</main></body></html>";
    }

    /**
     * A page with a frame for each width, and what looks at them.
     *
     * @param frame the attribute of each frame that says what is in it
     */
    public static String wrapper(String frame, Use use) throws IOException {
        StringBuilder out = new StringBuilder(
                "<!DOCTYPE html><meta charset=utf-8>"
                        + "<meta name=color-scheme content='light dark'><body style='margin:0;display:flex;align-items:flex-start'>");
        for (int i = 0; i < WIDTHS.length; i++) {
            out.append("<iframe style='border:0;flex:none;height:900px;width:")
                    .append(WIDTHS[i])
                    .append("px' data-least=")
                    .append(use.least(i))
                    .append(' ')
                    .append(frame)
                    .append("></iframe>");
        }
        return out.append("<script type='text/plain' id=axe>")
                .append(text("/axe.min.js").replace("</script", "<\\/script"))
                .append("</script><script>")
                .append(text("page-look.js"))
                .append("</script>")
                .toString();
    }

    /** Opens a {@link #wrapper} at its address. */
    public static String faultsOf(String url, Path picture, boolean dark) throws IOException {
        HeadlessBrowser browser = HeadlessBrowser.require();
        Files.createDirectories(picture.getParent());
        Files.deleteIfExists(picture);
        String dom = browser.run(
                "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1),
                "--window-size=2310,5000",
                "--virtual-time-budget=60000",
                "--screenshot=" + picture,
                "--dump-dom",
                url);
        Matcher faults = FAULTS.matcher(dom);
        if (!faults.find() || !Files.exists(picture)) {
            throw new AssertionError(
                    "The browser did not look at " + url + ": " + dom.substring(Math.max(0, dom.length() - 300)));
        }
        return faults.group(1)
                .replace("&quot;", "\"")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&");
    }

    private static String text(String resource) throws IOException {
        try (InputStream in = PageLook.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
