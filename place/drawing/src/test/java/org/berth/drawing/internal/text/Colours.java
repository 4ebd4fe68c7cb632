package org.berth.drawing.internal.text;

/** How different two colours look. */
final class Colours {
    private static final double[] WHITE = {0.95047, 1, 1.08883};
    private static final double[][] TO_XYZ = {
        {0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}
    };

    private Colours() {}

    /** The contrast of WCAG 2, from 1 to 21. */
    static double contrast(String one, String other) {
        double a = luminance(one) + 0.05;
        double b = luminance(other) + 0.05;
        return Math.max(a, b) / Math.min(a, b);
    }

    private static double luminance(String colour) {
        double[] rgb = linear(colour);
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    }

    private static double[] linear(String colour) {
        double[] rgb = new double[3];
        for (int i = 0; i < 3; i++) {
            double value = Integer.parseInt(colour.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
            rgb[i] = value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
        }
        return rgb;
    }

    private static double[] times(double[][] matrix, double[] vector) {
        double[] result = new double[3];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                result[i] += matrix[i][j] * vector[j];
            }
        }
        return result;
    }

    /** CIELAB of a colour after a matrix has changed its linear red, green and blue. */
    static double[] lab(String colour, double[][] matrix) {
        double[] seen = times(matrix, linear(colour));
        for (int i = 0; i < 3; i++) {
            seen[i] = Math.min(1, Math.max(0, seen[i]));
        }
        double[] xyz = times(TO_XYZ, seen);
        double[] f = new double[3];
        for (int i = 0; i < 3; i++) {
            double t = xyz[i] / WHITE[i];
            f[i] = t > 216.0 / 24389 ? Math.cbrt(t) : (24389.0 / 27 * t + 16) / 116;
        }
        return new double[] {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
    }

    /** CIEDE2000: Sharma, Wu, Dalal, "The CIEDE2000 Color-Difference Formula" (2005). */
    static double difference(double[] one, double[] other) {
        double meanChroma = (Math.hypot(one[1], one[2]) + Math.hypot(other[1], other[2])) / 2;
        double g = 0.5 * (1 - Math.sqrt(Math.pow(meanChroma, 7) / (Math.pow(meanChroma, 7) + Math.pow(25, 7))));
        double chroma1 = Math.hypot((1 + g) * one[1], one[2]);
        double chroma2 = Math.hypot((1 + g) * other[1], other[2]);
        double hue1 = hue((1 + g) * one[1], one[2]);
        double hue2 = hue((1 + g) * other[1], other[2]);
        boolean grey = chroma1 * chroma2 == 0;
        double turn = hue2 - hue1;
        double dHue = grey ? 0 : turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn;
        double sum = hue1 + hue2;
        double meanHue = grey ? sum : Math.abs(turn) <= 180 ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
        double light = (one[0] + other[0]) / 2;
        double chroma = (chroma1 + chroma2) / 2;
        double t = 1
                - 0.17 * cos(meanHue - 30)
                + 0.24 * cos(2 * meanHue)
                + 0.32 * cos(3 * meanHue + 6)
                - 0.20 * cos(4 * meanHue - 63);
        double rotation = -2
                * Math.sqrt(Math.pow(chroma, 7) / (Math.pow(chroma, 7) + Math.pow(25, 7)))
                * Math.sin(Math.toRadians(60 * Math.exp(-Math.pow((meanHue - 275) / 25, 2))));
        double middle = Math.pow(light - 50, 2);
        double l = (other[0] - one[0]) / (1 + 0.015 * middle / Math.sqrt(20 + middle));
        double c = (chroma2 - chroma1) / (1 + 0.045 * chroma);
        double h = 2 * Math.sqrt(chroma1 * chroma2) * Math.sin(Math.toRadians(dHue / 2)) / (1 + 0.015 * chroma * t);
        return Math.sqrt(l * l + c * c + h * h + rotation * c * h);
    }

    private static double hue(double a, double b) {
        return (Math.toDegrees(Math.atan2(b, a)) + 360) % 360;
    }

    private static double cos(double degrees) {
        return Math.cos(Math.toRadians(degrees));
    }
}
