/** The same program as a module. */
module sample {
    requires org.berth.binding;
}
