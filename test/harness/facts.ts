import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { knownGaps } from '../known-gaps.ts';
import { conversationsOf, readConversation } from './conversation.ts';
import { atLevelCore, play } from './play-conversation.ts';
import { startKadmit } from './start-kadmit.ts';
import type { Kadmit } from './start-kadmit.ts';
import { startStubWebhooks } from './stub-webhooks.ts';
import type { StubWebhooks } from './stub-webhooks.ts';

const gaps = new Set(knownGaps.flatMap(({ facts = [] }) => facts));

/**
 * Plays every recorded conversation of these groups against one server, and compares at level core. A conversation
 * listed in known-gaps.ts must disagree. Source: conversations with kube-apiserver v1.36.2, test/facts/conversations.
 */
export function describeFacts(groups: readonly string[]): void {
  let server: Kadmit;
  let stubs: StubWebhooks;
  beforeAll(async () => {
    [server, stubs] = await Promise.all([startKadmit(), startStubWebhooks()]);
  });
  afterAll(async () => {
    await Promise.all([server.close(), stubs.close()]);
  });

  describe.each(groups)('%s', (group) => {
    test.each(conversationsOf(group))('$name', async ({ name, text }) => {
      const conversation = readConversation(text, stubs.ports);
      const seen = atLevelCore(await play(conversation, { url: server.url, token: server.token, stubs }));
      const recorded = atLevelCore(conversation.transcript);
      if (gaps.has(name)) expect(seen).not.toEqual(recorded);
      else expect(seen).toEqual(recorded);
    });
  });
}
