/**
 * The settings of the plugin, and those of Spark that go with it. Read {@code AffinitySettings} first; {@code
 * AgentAdvice} is what the driver logs for users without the agent.
 */
@NullMarked
package org.berth.spark.settings;

import org.jspecify.annotations.NullMarked;
