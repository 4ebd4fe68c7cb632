package org.berth.transport;

/**
 * What an engine has done since it was opened.
 *
 * @param messagesSent of the application, and the few of the engine itself
 * @param bytesSent with headers
 * @param messagesReceived as sent
 * @param bytesReceived without headers
 * @param leasedBuffers how many buffers have an owner now
 * @param pauses how often a connection was not read for want of a buffer
 * @param failures how many links were closed for a reason
 * @param refusals how many peers were not let in, or could not be accepted
 * @since 0.1.0
 */
public record TransportStatistics(
        long messagesSent,
        long bytesSent,
        long messagesReceived,
        long bytesReceived,
        int leasedBuffers,
        long pauses,
        long failures,
        long refusals) {}
