package org.berth.topology.type;

/**
 * A text about an object that hwloc knows by name: CPUModel of a package, Backend of the machine ({@code hwloc_info_s}).
 *
 * @param name an object can have several infos of one name
 * @since 0.1.0
 */
public record Info(String name, String value) {}
