package org.berth.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.berth.topology.type.ObjectAttributes;

/** The attributes of an object, in the words of {@code lstopo -v}. */
final class AttributesText {
    private final List<String> words = new ArrayList<>();

    private AttributesText() {}

    static String of(TopologyObject object) {
        AttributesText text = new AttributesText();
        text.addMemory(object);
        text.addOwn(object.attributes());
        object.allInfos().forEach(info -> text.addInfo(info.name(), info.value()));
        return String.join(" ", text.words);
    }

    private void addMemory(TopologyObject object) {
        if (object.attributes() instanceof ObjectAttributes.NumaNode node && node.localMemoryBytes() != 0) {
            words.add("local=" + kibibytes(node.localMemoryBytes()));
        }
        if (object.totalMemoryBytes() != 0) {
            words.add("total=" + kibibytes(object.totalMemoryBytes()));
        }
    }

    private void addOwn(ObjectAttributes attributes) {
        if (attributes instanceof ObjectAttributes.Cache cache) {
            addCache(cache.sizeBytes(), cache.lineSizeBytes(), cache.associativity());
        } else if (attributes instanceof ObjectAttributes.MemoryCache cache) {
            addCache(cache.sizeBytes(), cache.lineSizeBytes(), cache.associativity());
        } else if (attributes instanceof ObjectAttributes.Bridge bridge) {
            ObjectAttributes.Pci pci = bridge.pci();
            if (pci != null) {
                addPci(pci);
            }
            if (!bridge.downstream().isEmpty()) {
                words.add("buses=" + bridge.downstream());
            }
        } else if (attributes instanceof ObjectAttributes.Pci pci) {
            addPci(pci);
        }
    }

    private void addCache(long sizeBytes, int lineSizeBytes, int associativity) {
        words.add("size=" + kibibytes(sizeBytes));
        words.add("linesize=" + lineSizeBytes);
        if (associativity != 0) {
            words.add(associativity == -1 ? "fully-associative" : "ways=" + associativity);
        }
    }

    private void addPci(ObjectAttributes.Pci pci) {
        words.add("busid=" + pci.busId());
        words.add(String.format(Locale.ROOT, "id=%04x:%04x", pci.vendorId(), pci.deviceId()));
        words.add(String.format(Locale.ROOT, "class=%04x(%s)", pci.classId(), pci.className()));
        if (pci.linkSpeedGigabytesPerSecond() != 0) {
            words.add(String.format(Locale.ROOT, "link=%.2fGB/s", pci.linkSpeedGigabytesPerSecond()));
        }
    }

    private void addInfo(String name, String value) {
        words.add(name + "=" + (value.indexOf(' ') < 0 ? value : "\"" + value + "\""));
    }

    private static String kibibytes(long bytes) {
        // Rounded as hwloc_memory_size_printf_value does.
        return (((bytes >>> 9) + 1) >>> 1) + "KB";
    }
}
