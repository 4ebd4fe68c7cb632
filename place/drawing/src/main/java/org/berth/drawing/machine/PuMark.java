package org.berth.drawing.machine;

/**
 * The owner of a PU, such as the worker of a plan.
 *
 * @param colour its number, from 0; colours repeat after eight
 * @param text a few characters for the cell
 * @param tooltip the whole sentence
 * @since 0.1.0
 */
public record PuMark(int colour, String text, String tooltip) {}
