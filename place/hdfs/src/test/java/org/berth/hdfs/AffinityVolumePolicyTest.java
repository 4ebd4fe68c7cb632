package org.berth.hdfs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.Test;

class AffinityVolumePolicyTest {
    @Test
    void refusesToChooseByItself() {
        Configuration settings = new Configuration(false);
        settings.set(AffinityVolumePolicy.DELEGATE, AffinityVolumePolicy.class.getName());
        AffinityVolumePolicy<FsVolumeSpi> policy = new AffinityVolumePolicy<>();

        assertThatThrownBy(() -> policy.setConf(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(AffinityVolumePolicy.DELEGATE);
    }

    @Test
    void refusesAClassThatChoosesNoVolume() {
        Configuration settings = new Configuration(false);
        settings.set(AffinityVolumePolicy.DELEGATE, String.class.getName());
        AffinityVolumePolicy<FsVolumeSpi> policy = new AffinityVolumePolicy<>();

        assertThatThrownBy(() -> policy.setConf(settings)).hasMessageContaining("VolumeChoosingPolicy");
    }
}
