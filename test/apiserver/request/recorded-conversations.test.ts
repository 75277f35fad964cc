import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Conversation, conversationsOf, readConversation, type Step } from '../../harness/conversation.ts';
import { createNormaliser } from '../../harness/normalise.ts';
import { atLevelAudit } from '../../harness/play-conversation.ts';
import { createTestWorld, type TestWorld } from '../../harness/world.ts';
import { knownGaps } from '../../known-gaps.ts';

/** What the door adds or chooses: the way of printing, the caller, events; and what takes time. The system tests play all of it. */
const isOfTheDoor = ({ headers, timed, path = '' }: Step): boolean =>
  headers !== undefined || timed === true || /[?&]watch=/.test(path);

/** What stands in no catalogue of kinds but in documents of their own. */
const isDocument = ({ path = '' }: Step): boolean => !/^\/apis?\/(?:v1|[^/]+\/[^/]+)\/./.test(path);

/** Webhooks are called, names of definitions are accepted by a controller, and some expressions go to the end of their budget. */
const needsMore = (text: string): boolean =>
  /clientConfig|"stubs"|customresourcedefinitions|"name":"[a-z]+-cost-/.test(text);

const gaps = new Set(knownGaps.flatMap(({ facts = [] }) => facts));

function isPlayedHere({ name, text }: { readonly name: string; readonly text: string }): boolean {
  if (gaps.has(name) || needsMore(text)) return false;
  const { steps } = readConversation(text, new Map()).case;
  return !steps.some((step) => isOfTheDoor(step) || (step.do !== undefined && isDocument(step)));
}

const namespace = 'c-777';

async function play({ case: script }: Conversation, world: TestWorld): Promise<readonly unknown[]> {
  const normalise = createNormaliser(namespace, 'no bundle of authorities');
  const send = (step: Step) => {
    const path = String(step.path).replaceAll('$NS', namespace);
    const body: unknown = step.body === undefined ? undefined : JSON.parse(inNamespace(JSON.stringify(step.body)));
    const contentType = step.contentType ?? 'application/json';
    return world.send(step.do ?? '', path, body, { contentType, headers: { 'user-agent': 'conform/1.0' } });
  };
  if (script.namespace !== false) {
    const metadata = { name: namespace, labels: script.namespaceLabels };
    await send({ do: 'POST', path: '/api/v1/namespaces', body: { apiVersion: 'v1', kind: 'Namespace', metadata } });
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
    await send({ do: 'POST', path: '/api/v1/namespaces/$NS/serviceaccounts', body: account });
  }
  const seen: unknown[] = [];
  for (const step of script.steps) {
    if (step.do === undefined) continue;
    const { code, body, warnings } = await send(step);
    if (step.setup === true && code < 400) continue;
    // The door says each warning once.
    const shown = [...new Set(warnings)].map((text) => `299 - ${JSON.stringify(text)}`);
    seen.push(normalise({ status: code, warnings: shown, body: JSON.parse(JSON.stringify(body)) }));
  }
  return seen;
}

const inNamespace = (text: string): string => text.replaceAll('$NS', namespace);

const groups = readdirSync('test/facts/conversations')
  .map((name) => ({ name, played: conversationsOf(name).filter(isPlayedHere) }))
  .filter(({ played }) => played.length > 0);

// Source: conversations with kube-apiserver v1.36.2, test/facts/conversations: those that need no webhook and no socket.
describe.each(groups)('$name', ({ played }) => {
  test.each(played)(
    '$name',
    async ({ text }) => {
      const conversation = readConversation(text, new Map());
      const recorded = conversation.transcript.map(({ status, warnings, body }) => ({ status, warnings, body }));
      const seen = await play(conversation, await createTestWorld());
      expect(seen.map(atLevelAudit)).toEqual(recorded.map(atLevelAudit));
    },
    60_000,
  );
});
