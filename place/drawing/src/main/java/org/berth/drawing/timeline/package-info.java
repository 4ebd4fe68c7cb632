/**
 * Drawings of where threads ran over time, as text and SVG: pure functions of {@link ThreadSummary}.
 *
 * <pre>{@code
 * CpuRows cpus = CpuRows.of(topology);
 * Files.writeString(
 *         Path.of("threads.svg"),
 *         TimelineSvg.render(new Timeline(
 *                 "My job", "from 10:00 on", threads, startNanos, endNanos, intervalNanos, cpus, allowed)));
 * }</pre>
 */
@NullMarked
package org.berth.drawing.timeline;

import org.jspecify.annotations.NullMarked;
