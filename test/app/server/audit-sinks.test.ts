import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CallReply } from '../../../src/apiserver/admission/webhooks/call.ts';
import { parseFlags } from '../../../src/adapters/config/flags/flags.ts';
import { serveFlags } from '../../../src/adapters/config/flags/serve/serve-options.ts';
import { readUpstreamOptions } from '../../../src/adapters/config/upstream/options.ts';
import { openAuditSinks } from '../../../src/app/server/audit-sinks.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const kubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}]
contexts: [{name: a, context: {cluster: a, user: ""}}]
current-context: a
`;
const failed: CallReply = { outcome: 'failed', phase: 'connect', error: 'connection refused' };
const fine: CallReply = { outcome: 'answered', code: 200, contentType: 'application/json', body: new Uint8Array() };

function opened(flags: Readonly<Record<string, string>>, logPath: string, reply: CallReply) {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, 'config'), kubeconfig);
  const parsed = parseFlags(serveFlags, logPath === '' ? [] : [`--audit-log-path=${logPath.replace('$DIR', folder)}`]);
  if (parsed.outcome !== 'parsed') throw new Error('these flags are fine');
  const given = new Map(Object.entries(flags).map(([name, value]) => [name, [value.replace('$DIR', folder)]] as const));
  const lines: string[] = [];
  const sink = openAuditSinks(
    { ...parsed.options, upstream: readUpstreamOptions(given) },
    {
      clock: { now: () => 0, sleep: async () => {} },
      logError: (line) => lines.push(line),
      callWebhook: async () => reply,
    },
  );
  if (!sink) throw new Error('there is a sink');
  return { sink, lines, folder };
}

// Source: apiserver pkg/server/options/audit.go wrapBackend; /dev/full is a disk without room.
test.each([
  ['blocking', true],
  ['blocking-strict', false],
  ['batch', true],
])('mode %s of a log that cannot be written', async (mode, isFine) => {
  const { sink, lines } = opened({ 'audit-log-mode': mode }, '/dev/full', fine);
  expect(await sink.write('{}')).toBe(isFine);
  await sink.close();
  expect(lines.join()).toContain('ENOSPC');
});

test('a request waits until its event is in the log', async () => {
  const { sink, folder } = opened({ 'audit-log-mode': 'blocking-strict' }, '$DIR/audit.log', fine);
  expect(await sink.write('{"a":1}')).toBe(true);
  expect(readFileSync(join(folder, 'audit.log'), 'utf8')).toBe('{"a":1}\n');
  await sink.close();
});

test.each([
  ['blocking', failed, true],
  ['blocking-strict', failed, false],
  ['blocking-strict', fine, true],
  ['batch', failed, true],
])('mode %s of the webhook: %o', async (mode, reply, isFine) => {
  const { sink, lines } = opened({ 'audit-webhook-config-file': '$DIR/config', 'audit-webhook-mode': mode }, '', reply);
  expect(await sink.write('{}')).toBe(isFine);
  await sink.close();
  expect(lines.join().includes('1 events are lost')).toBe(reply === failed);
});

test('one of two sinks that minds is enough', async () => {
  const flags = {
    'audit-webhook-config-file': '$DIR/config',
    'audit-webhook-mode': 'blocking-strict',
    'audit-log-mode': 'blocking',
  };
  expect(await opened(flags, '$DIR/audit.log', failed).sink.write('{}')).toBe(false);
  expect(await opened(flags, '$DIR/audit.log', fine).sink.write('{}')).toBe(true);
});
