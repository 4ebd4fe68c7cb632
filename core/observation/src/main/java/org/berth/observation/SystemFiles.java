package org.berth.observation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

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
