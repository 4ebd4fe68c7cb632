package org.berth.spark.status;

import java.io.Serializable;

/**
 * The machine of an executor, sent only when the driver requests it: it may have a megabyte, and most executors are on
 * machines that the driver knows already.
 *
 * @param id the first 16 hexadecimal digits of the SHA-256 of the XML
 * @param xml the machine as hwloc writes it, with what the executor may use
 */
public record StatusTopology(String id, String xml) implements Serializable {}
