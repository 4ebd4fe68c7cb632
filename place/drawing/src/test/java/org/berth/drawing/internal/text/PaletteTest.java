package org.berth.drawing.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Colours as readers with and without colour blindness see them. */
class PaletteTest {
    private static final double DIFFERENT = 12;

    /** Matrices of Machado, Oliveira, Fernandes, "A Physiologically-based Model" (2009), for the whole defect. */
    @ParameterizedTest
    @CsvSource({
        "none, 1, 0, 0, 0, 1, 0, 0, 0, 1",
        "protanopia, 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998",
        "deuteranopia, 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881",
        "tritanopia, 1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900"
    })
    void anyTwoColoursDiffer(
            String defect, double a, double b, double c, double d, double e, double f, double g, double h, double i) {
        double[][] matrix = {{a, b, c}, {d, e, f}, {g, h, i}};
        for (List<String> page : List.of(light(), dark())) {
            for (int one = 0; one < page.size(); one++) {
                for (int other = 0; other < one; other++) {
                    assertThat(Colours.difference(
                                    Colours.lab(page.get(one), matrix), Colours.lab(page.get(other), matrix)))
                            .as("%s: %s and %s", defect, page.get(one), page.get(other))
                            .isGreaterThan(DIFFERENT);
                }
            }
        }
    }

    @Test
    void eachStandsOutFromItsPage() {
        assertThat(light()).allMatch(colour -> Colours.contrast(colour, "#ffffff") >= 3);
        assertThat(dark()).allMatch(colour -> Colours.contrast(colour, "#14181d") >= 3);
        assertThat(Colours.contrast(Palette.OTHERS, "#ffffff")).isGreaterThan(3);
        assertThat(Colours.contrast(Palette.OTHERS_ON_DARK, "#14181d")).isGreaterThan(3);
    }

    @Test
    void aNameHasItsColourInEveryPicture() {
        int[] one = Palette.byName(List.of("worker-3", "worker-0", "worker-1", "worker-2"));
        int[] other = Palette.byName(List.of("worker-0", "worker-1", "worker-2", "worker-3"));
        assertThat(one).containsExactly(other[3], other[0], other[1], other[2]).doesNotHaveDuplicates();
    }

    @Test
    void threadsOfOneNameHaveColoursOfTheirOwn() {
        assertThat(Palette.byName(List.of("t", "t", "t", "t", "t", "t", "t", "t")))
                .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(Palette.byName(List.of())).isEmpty();
    }

    private static List<String> light() {
        return IntStream.range(0, Palette.SIZE).mapToObj(Palette::thread).toList();
    }

    private static List<String> dark() {
        return IntStream.range(0, Palette.SIZE).mapToObj(Palette::threadOnDark).toList();
    }
}
