package org.berth.cli.mapreduce;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;

/** The properties of a job as a file of Hadoop's format, which the program of the job's JVM reads and removes. */
final class JobProperties {
    static final String FRAMEWORK = "mapreduce.framework.name";
    static final String ENGINE = "berth.mapreduce.engine";
    static final String LEVEL = "berth.mapreduce.level";
    static final String THREADS = "berth.mapreduce.threads";
    /** An executor of Spark is a worker. */
    static final String WORKERS = "spark.executor.instances";

    private static final String FILE = "berth-site.xml";

    private JobProperties() {}

    /** Returns the folder with the file, for a class path. */
    static Path write(Map<String, String> properties) {
        try {
            Path folder = Files.createTempDirectory("berth-mapreduce");
            try (OutputStream out = Files.newOutputStream(folder.resolve(FILE))) {
                write(properties, out);
            }
            return folder;
        } catch (IOException e) {
            throw CommandException.failure(
                    "cannot write the job's properties: " + IoErrors.reason(e) + "; set TMPDIR to a folder with room",
                    e);
        }
    }

    private static void write(Map<String, String> properties, OutputStream out) throws IOException {
        try {
            XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out, "UTF-8");
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("configuration");
            for (Map.Entry<String, String> property : properties.entrySet()) {
                xml.writeStartElement("property");
                element(xml, "name", property.getKey());
                element(xml, "value", property.getValue());
                xml.writeEndElement();
            }
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static void element(XMLStreamWriter xml, String name, String text) throws XMLStreamException {
        xml.writeStartElement(name);
        xml.writeCharacters(text);
        xml.writeEndElement();
    }
}
