/*
 * What the agent reports of its rules: one line about those that no thread matches, and a file in
 * memory that other processes can read.
 */
#ifndef BERTH_AGENT_RULES_H
#define BERTH_AGENT_RULES_H

/* There are rules, or others than before. The lock is held by the caller. */
void agent_rules_begin(void);

/* Called by the watching thread, once in a while. */
void agent_rules_look(void);

#endif
