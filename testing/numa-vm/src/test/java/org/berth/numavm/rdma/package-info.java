/** Tests of RDMA in software between processes of the guest. */
@NullMarked
package org.berth.numavm.rdma;

import org.jspecify.annotations.NullMarked;
