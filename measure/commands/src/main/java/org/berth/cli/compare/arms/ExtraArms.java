package org.berth.cli.compare.arms;

import java.util.List;
import java.util.Optional;

/**
 * The arms of a command besides its levels: the values of {@link ArmOptions}.
 *
 * @param written arms that the user wrote
 * @param near a device
 * @param numactl an arm for each node
 * @param balancing automatic NUMA balancing
 * @param balanceOrBind options of the bound arms of {@link BalanceArms}, which then stand first and in for the levels
 */
public record ExtraArms(
        List<UserArm> written,
        Optional<String> near,
        boolean numactl,
        boolean balancing,
        Optional<String> balanceOrBind) {
    public boolean isEmpty() {
        return written.isEmpty() && near.isEmpty() && !numactl && !balancing && balanceOrBind.isEmpty();
    }
}
