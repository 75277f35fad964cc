import { readdirSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { conversationsOf, readConversation } from '../../harness/conversation.ts';
import { callStubs, runsInProcess, runInWorld } from '../../harness/facts-in-process.ts';
import { withoutIgnoredFields } from '../../harness/run-conversation.ts';
import { createTestWorld } from '../../harness/world.ts';

const caBundle = Buffer.from(rootCertificates[0] ?? '').toString('base64');

const groups = readdirSync('test/facts/conversations')
  .map((name) => ({ name, played: conversationsOf(name).filter(runsInProcess) }))
  .filter(({ played }) => played.length > 0);

// Source: conversations with kube-apiserver v1.36.2, test/facts/conversations: those that need no socket.
describe.each(groups)('$name', ({ played }) => {
  test.each(played)(
    '$name',
    async ({ text }) => {
      const conversation = readConversation(text, new Map());
      const recorded = conversation.transcript.map(({ status, warnings, body }) => ({ status, warnings, body }));
      const world = await createTestWorld({ wrapCall: callStubs(conversation.case.stubs ?? {}) });
      const seen = await runInWorld(conversation, world, caBundle);
      expect(seen.map(withoutIgnoredFields)).toEqual(recorded.map(withoutIgnoredFields));
    },
    60_000,
  );
});
