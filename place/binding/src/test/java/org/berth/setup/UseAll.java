package org.berth.setup;

import org.berth.binding.LocalMachine;
import org.berth.binding.errors.BindingException;
import org.berth.binding.leases.Leases;

/**
 * Prints what becomes of each part, twice: a class whose initializer has failed fails in another way. Not in the package of the library,
 * which may be a module's.
 */
public final class UseAll {
    private UseAll() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        tell(LocalMachine::open);
        tell(LocalMachine::open);
        tell(Leases::ofHost);
        tell(Leases::ofHost);
    }

    private static void tell(Runnable use) {
        try {
            use.run();
            System.out.println("works");
        } catch (BindingException e) {
            System.out.println(e.getMessage());
        }
    }
}
