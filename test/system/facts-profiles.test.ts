import { readdirSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueCertificate } from '../../src/adapters/certificates/issue-certificate.ts';
import { parseFlags } from '../../src/adapters/config/flags/flags.ts';
import { serveFlags } from '../../src/adapters/config/flags/serve/serve-options.ts';
import type { ServerConfig } from '../../src/adapters/config/server-config.ts';
import { knownGaps } from '../known-gaps.ts';
import { followAuditLog, type ReadAuditEvents } from '../harness/audit-events.ts';
import { conversationsIn, onPorts, readConversation } from '../harness/conversation.ts';
import { withoutIgnoredFields, runConversation } from '../harness/run-conversation.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { startStubWebhooks, type StubWebhooks } from '../harness/stub-webhooks.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const gaps = new Set(knownGaps.flatMap(({ facts = [] }) => facts));
const recorded = 'test/facts/profiles';

const profiles = readdirSync(recorded)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length));

/** How a recorded server was started: `$DIR` is the folder that these files are in. */
interface Profile {
  readonly flags: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Plays the conversations of each profile against a server started with the profile's flags and files, and compares at
 * level audit. Source: conversations with kube-apiserver v1.36.2, test/facts/profiles.
 */
describe.each(profiles)('%s', (name) => {
  const folder = temporaryFolder();
  let server: Kadmit;
  let stubs: StubWebhooks;
  let audit: ReadAuditEvents;
  beforeAll(async () => {
    stubs = await startStubWebhooks();
    const auditLogPath = join(folder, 'audit.log');
    const auditPolicyFile = 'test/facts/audit-policy.yaml';
    server = await startKadmit({
      kubernetesVersion: '1.36', // The release that they are recorded from.
      ...(await prepareServer(name, folder, stubs)),
      auditLogPath,
      auditPolicyFile,
    });
    audit = followAuditLog(auditLogPath);
  });
  afterAll(() => Promise.all([server.close(), stubs.close()]));

  const conversations = conversationsIn(join(recorded, name)).filter((conversation) => !gaps.has(conversation.name));
  test.each(conversations)('$name', async ({ text }) => {
    const conversation = readConversation(text, stubs.ports);
    const transcript = await runConversation(conversation, { url: server.url, token: server.token, stubs, audit });
    expect(withoutIgnoredFields(transcript)).toEqual(withoutIgnoredFields(conversation.transcript));
  });
});

/** Writes the profile's files and returns the options that its flags set. */
async function prepareServer(name: string, folder: string, stubs: StubWebhooks): Promise<Partial<ServerConfig>> {
  const caller = await issueCertificate({
    commonName: 'apiserver-caller',
    organizations: ['callers'],
    purpose: 'client',
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 24 * 3_600_000),
  });
  const fill = (text: string): string =>
    onPorts(text, stubs.ports)
      .replaceAll('$DIR', folder)
      .replaceAll('$CALLER_CERT', Buffer.from(caller.certificate).toString('base64'))
      .replaceAll('$CALLER_KEY', Buffer.from(caller.key).toString('base64'));
  const profile: Profile = JSON.parse(readFileSync(join(recorded, `${name}.json`), 'utf8'));
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(profile.files)) writeFileSync(join(folder, file), fill(text));
  const parsed = parseFlags(serveFlags, profile.flags.map(fill));
  if (parsed.outcome !== 'parsed') throw new Error(`${name}: ${JSON.stringify(parsed)}`);
  return Object.fromEntries(Object.entries(parsed.options).filter(([key]) => isGiven(key, parsed.given)));
}

/** `given` has names of flags, the configuration the same in camel case. */
const isGiven = (key: string, given: ReadonlySet<string>): boolean =>
  given.has(key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
