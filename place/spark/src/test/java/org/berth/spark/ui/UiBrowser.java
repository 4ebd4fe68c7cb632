package org.berth.spark.ui;

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
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.ui.SparkUI;
import org.berth.oracle.HeadlessBrowser;
import org.berth.oracle.PageLook;

/**
 * A real browser that renders the page through a reverse proxy, which puts the UI below {@code /gateway} as Knox does. A
 * second page of the proxy has the UI in frames of three widths.
 */
final class UiBrowser implements AutoCloseable {
    static final Path PICTURES = Path.of(System.getProperty("basedir", "."), "target", "affinity-tab");

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
        byte[] wrapper = PageLook.wrapper("src=\"/gateway/affinity/\"", PageLook.Use.READ)
                .getBytes(StandardCharsets.UTF_8);
        proxy.createContext("/frames", exchange -> answer(exchange, 200, "text/html;charset=utf-8", wrapper));
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

    /** Takes a picture of the page at each width and gives what {@link PageLook} finds in it. */
    String faults(String name) throws Exception {
        return PageLook.faultsOf(address() + "/frames", PICTURES.resolve(name + ".png"), false);
    }

    /** The document as the browser has it after its scripts ran. */
    String document() throws Exception {
        HeadlessBrowser browser = HeadlessBrowser.require();
        return browser.run("--virtual-time-budget=5000", "--dump-dom", address() + "/gateway/affinity/");
    }

    private String address() {
        return "http://127.0.0.1:" + proxy.getAddress().getPort();
    }

    @Override
    public void close() {
        proxy.stop(0);
        threads.shutdownNow();
    }
}
