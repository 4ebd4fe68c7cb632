package org.berth.mapreduce.programs.kmeans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.Test;

/** Numbers of a line are those that Java reads, to the last bit. */
class RowTest {
    private final Row row = new Row();

    @Test
    void numbersAreReadAsJavaReadsThem() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            String sign = random.nextBoolean() ? "-" : "";
            BigInteger digits = new BigInteger(random.nextInt(70), random);
            String text = sign + new BigDecimal(digits, random.nextInt(20)).toPlainString();
            text = random.nextInt(8) == 0 ? Double.toString(random.nextGaussian() * 1e-5) : text;
            assertThat(row.read(new Text("7," + text + ";.5\t5. 0.1"))).isTrue();
            assertThat(row.copy()).as("seed " + seed).containsExactly(7, Double.parseDouble(text), 0.5, 5, 0.1);
        }
    }

    @Test
    void linesWithoutNumbersAreNoRows() {
        for (String line : new String[] {"", "  ", "\r", ",", "# 1 2"}) {
            assertThat(row.read(new Text(line))).as(line).isFalse();
        }
    }

    @Test
    void whatIsNoNumberIsNamed() {
        for (String word : new String[] {"x", "-", ".", "1.2.3", "NaN", "1e999", "--1", "+"}) {
            assertThatThrownBy(() -> row.read(new Text("1 " + word)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + word + "'");
        }
    }
}
