/** The native library, its launcher and the agent: resources, and not one class. */
module org.berth.natives {}
