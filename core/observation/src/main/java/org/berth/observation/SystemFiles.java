package org.berth.observation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.berth.topology.CpuSet;

/** Small files of /proc and /sys below a root; what is absent on this kernel or closed to this user is empty. */
record SystemFiles(Path root) {
    Optional<String> read(String file) {
        try {
            return Optional.of(new String(Files.readAllBytes(root.resolve(file)), StandardCharsets.UTF_8).strip());
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    OptionalInt number(String file) {
        Optional<String> text = read(file);
        try {
            return text.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text.get()));
        } catch (NumberFormatException notANumber) {
            return OptionalInt.empty();
        }
    }

    boolean exists(String file) {
        return Files.exists(root.resolve(file));
    }

    /** Names of a folder's entries, sorted; none where there is no such folder. */
    List<String> names(String folder) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(folder))) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (IOException | DirectoryIteratorException unreadable) {
            return List.of();
        }
        names.sort(null);
        return names;
    }

    /** Where a link of /sys leads, below the root as well; empty when there is nothing. */
    Optional<String> real(String file) {
        try {
            return Optional.of(root.toRealPath()
                    .relativize(root.resolve(file).toRealPath())
                    .toString());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /** A list of CPUs such as "0-3,8", if there is one that can be read. */
    Optional<CpuSet> cpuList(String file) {
        return read(file).filter(list -> !list.isEmpty()).flatMap(list -> {
            try {
                return Optional.of(CpuSet.parseList(list));
            } catch (IllegalArgumentException notAList) {
                return Optional.empty();
            }
        });
    }

    /** A mask of CPUs such as "00000000,0000000f", if there is one that can be read. */
    Optional<CpuSet> cpuMask(String file) {
        return read(file).filter(mask -> !mask.isEmpty()).flatMap(mask -> {
            try {
                return Optional.of(CpuSet.parseMask(mask));
            } catch (IllegalArgumentException notAMask) {
                return Optional.empty();
            }
        });
    }

    /** The numbers behind a prefix in the names of a folder's entries: cpu0, cpu1, … */
    List<Integer> numbered(String folder, String prefix) {
        List<Integer> numbers = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(folder), prefix + "[0-9]*")) {
            for (Path entry : entries) {
                String digits = entry.getFileName().toString().substring(prefix.length());
                if (digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
                    numbers.add(Integer.valueOf(digits));
                }
            }
        } catch (IOException unreadable) {
            return List.of();
        }
        numbers.sort(null);
        return numbers;
    }
}
