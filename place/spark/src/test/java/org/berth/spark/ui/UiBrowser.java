package org.berth.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.ui.SparkUI;
import org.berth.oracle.HeadlessBrowser;

/**
 * A real browser that renders the page through a reverse proxy, which puts the UI below {@code /gateway} as Knox does. A
 * second page of the proxy has the UI in a frame, because no window of the browser is as narrow as a phone.
 */
final class UiBrowser implements AutoCloseable {
    static final Path PICTURES = Path.of(System.getProperty("basedir", "."), "target", "affinity-tab");

    private static final String MEASURE = """
            <script>addEventListener('load', function () { setTimeout(function () {
              var frame = document.querySelector('iframe'), page = frame.contentDocument, wide = [];
              page.querySelectorAll('.berth, .berth *').forEach(function (element) {
                var box = element.getBoundingClientRect();
                if (box.right > frame.clientWidth + 0.5 || box.left < -0.5) wide.push(element.outerHTML.substring(0, 80));
              });
              var cells = page.querySelectorAll('.berth .pu'), flat = 0;
              cells.forEach(function (cell) {
                var box = cell.getBoundingClientRect();
                if (box.width < 30 || box.height < 20) flat++;
              });
              document.body.setAttribute('data-measured', JSON.stringify({
                width: frame.contentWindow.innerWidth, cells: cells.length, flat: flat,
                busy: page.querySelectorAll('.berth .pu.busy').length,
                scripts: page.querySelectorAll('.berth script, .berth img, .berth link, .berth iframe').length,
                title: page.title, tab: (page.querySelector('.navbar-nav .active') || page.body).textContent.trim().substring(0, 20),
                json: page.querySelector('.berth a').getAttribute('href'), wide: wide.slice(0, 5) }));
            }, 500); });</script>
            """;

    private final HttpClient http = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer proxy;

    /** Looks at the UI of a running application. */
    UiBrowser(String ui) throws IOException {
        this(ui, "");
    }

    /** Looks at a page that no application shows, in the style of Spark. */
    static UiBrowser ofContent(String content) throws IOException {
        String head = Stream.of("bootstrap.min.css", "webui.css")
                .map(name -> "<link rel='stylesheet' href='/gateway/" + name + "'>")
                .collect(Collectors.joining());
        return new UiBrowser(
                "",
                "<!DOCTYPE html><html data-bs-theme='dark'><head><title>page</title>"
                        + "<meta name='viewport' content='width=device-width, initial-scale=1'>" + head
                        + "</head><body><div class='container-fluid'>" + content + "</div></body></html>");
    }

    private UiBrowser(String ui, String page) throws IOException {
        proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.setExecutor(threads);
        proxy.createContext("/gateway/", exchange -> {
            if (page.isEmpty()) {
                forward(exchange, ui);
            } else {
                serve(exchange, page);
            }
        });
        proxy.createContext("/frame/", exchange -> {
            String width = exchange.getRequestURI().getPath().substring("/frame/".length());
            answer(
                    exchange,
                    200,
                    "text/html",
                    ("<!DOCTYPE html><body style='margin:0'><iframe style='border:0;width:" + width
                                    + "px;height:3000px' src='/gateway/affinity/'></iframe>" + MEASURE)
                            .getBytes(StandardCharsets.UTF_8));
        });
        proxy.start();
    }

    private static void serve(HttpExchange exchange, String page) throws IOException {
        String name = exchange.getRequestURI().getPath().substring("/gateway/".length());
        if (name.equals("affinity/")) {
            answer(exchange, 200, "text/html;charset=utf-8", page.getBytes(StandardCharsets.UTF_8));
            return;
        }
        try (InputStream style = SparkUI.class.getResourceAsStream("static/" + name)) {
            answer(exchange, style == null ? 404 : 200, "text/css", style == null ? new byte[0] : style.readAllBytes());
        }
    }

    private void forward(HttpExchange exchange, String ui) throws IOException {
        String path = exchange.getRequestURI().toString().substring("/gateway".length());
        try {
            HttpResponse<byte[]> answer = http.send(
                    HttpRequest.newBuilder(URI.create(ui + path))
                            .header("X-Forwarded-Context", "/gateway")
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            answer.headers()
                    .firstValue("X-Frame-Options")
                    .ifPresent(value -> exchange.getResponseHeaders().set("X-Frame-Options", value));
            String type = answer.headers().firstValue("Content-Type").orElse("text/plain");
            answer(exchange, answer.statusCode(), type, answer.body());
        } catch (InterruptedException e) {
            answer(exchange, 502, "text/plain", new byte[0]);
        }
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Takes a picture of the page at a width and gives what was measured in it. */
    String render(String name, int width) throws Exception {
        String url = "http://127.0.0.1:" + proxy.getAddress().getPort() + "/frame/" + width;
        Files.createDirectories(PICTURES);
        Path picture = PICTURES.resolve(name + "-" + width + ".png");
        Files.deleteIfExists(picture);
        run(
                "--window-size=" + Math.max(width, 500) + ",2200",
                "--virtual-time-budget=5000",
                "--screenshot=" + picture,
                url);
        assertThat(picture).isNotEmptyFile();
        String dom = run("--window-size=1400,900", "--virtual-time-budget=5000", "--dump-dom", url);
        Matcher measured = Pattern.compile("data-measured=\"([^\"]*)\"").matcher(dom);
        assertThat(measured.find())
                .as("the page was measured: " + dom.substring(Math.max(0, dom.length() - 300)))
                .isTrue();
        return measured.group(1).replace("&quot;", "\"");
    }

    private String run(String... arguments) throws Exception {
        HeadlessBrowser browser = HeadlessBrowser.require();
        return browser.run(arguments);
    }

    @Override
    public void close() {
        proxy.stop(0);
        threads.shutdownNow();
    }
}
