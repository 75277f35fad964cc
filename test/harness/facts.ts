import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServerConfig } from '../../src/adapters/config/server-config.ts';
import { knownGaps } from '../known-gaps.ts';
import { followAuditLog, type ReadAuditEvents } from './audit-events.ts';
import { conversationsIn, conversationsOf, readConversation } from './conversation.ts';
import { withoutIgnoredFields, runConversation } from './run-conversation.ts';
import { type Kadmit, startKadmit } from './start-kadmit.ts';
import { startStubWebhooks, type StubWebhooks } from './stub-webhooks.ts';
import { temporaryFolder } from './temporary-folder.ts';

const gaps = new Set(knownGaps.flatMap(({ facts = [] }) => facts));

/**
 * Plays every recorded conversation of these groups against one server, and compares at level audit. A conversation
 * listed in known-gaps.ts must disagree. Source: conversations with kube-apiserver v1.36.2, test/facts/conversations.
 */
export function describeFacts(groups: readonly string[]): void {
  describeConversations(
    groups.map((group) => ({ name: group, conversations: conversationsOf(group) })),
    { kubernetesVersion: '1.36' },
  );
}

/** The same with the conversations of another release of Kubernetes, test/facts/releases, against a server of that release. */
export function describeFactsOfRelease(release: string): void {
  const conversations = conversationsIn(join('test/facts/releases', release)).map(({ name, text }) => ({
    name: `${release}/${name}`,
    text,
  }));
  describeConversations([{ name: release, conversations }], { kubernetesVersion: release });
}

interface Group {
  readonly name: string;
  readonly conversations: ReturnType<typeof conversationsIn>;
}

function describeConversations(groups: readonly Group[], asked: Partial<ServerConfig> = {}): void {
  let server: Kadmit;
  let stubs: StubWebhooks;
  let audit: ReadAuditEvents;
  const folder = temporaryFolder();
  beforeAll(async () => {
    const auditLogPath = join(folder, 'audit.log');
    const flags = { ...asked, auditLogPath, auditPolicyFile: 'test/facts/audit-policy.yaml' };
    [server, stubs] = await Promise.all([startKadmit(flags), startStubWebhooks()]);
    audit = followAuditLog(auditLogPath);
  });
  afterAll(() => Promise.all([server.close(), stubs.close()]));

  const runOne = async (text: string): Promise<{ readonly seen: unknown; readonly recorded: unknown }> => {
    const conversation = readConversation(text, stubs.ports);
    const seen = await runConversation(conversation, { url: server.url, token: server.token, stubs, audit });
    return { seen: withoutIgnoredFields(seen), recorded: withoutIgnoredFields(conversation.transcript) };
  };

  describe.each(groups)('$name', ({ conversations }) => {
    test.each(conversations.filter(({ name }) => !gaps.has(name)))('$name', async ({ text }) => {
      const { seen, recorded } = await runOne(text);
      expect(seen).toEqual(recorded);
    });
    const known = conversations.filter(({ name }) => gaps.has(name));
    if (known.length === 0) return;
    test.each(known)('$name disagrees, as known-gaps.ts says', async ({ text }) => {
      const { seen, recorded } = await runOne(text);
      expect(seen).not.toEqual(recorded);
    });
  });
}
