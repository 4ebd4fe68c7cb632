package org.berth.transport.internal.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists of UCX's transports: where shared memory is among them, links of one host do without UCX's error handling. */
final class UcxTransportsTest {
    @ParameterizedTest
    @CsvSource({
        "all, true",
        "'^tcp,cma', true",
        "'rc,sm', true",
        "'rc_verbs,posix,self', true",
        "'rc_verbs,ud_verbs,self', false",
        "'rc,ud', false",
        "rc:aux, false",
        "'^sm,tcp', false",
        "'^posix', true",
        "\\posix, true",
    })
    void sharedMemoryIsFoundInThem(String list, boolean expected) {
        assertThat(UcxTransports.includeSharedMemory(list)).isEqualTo(expected);
    }
}
