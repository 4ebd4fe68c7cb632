package org.berth.placement;

/** Skeleton: threads whose complete name matches the glob (* and ?) take slots of that role. */
public record ThreadRule(String glob, String role) {}
