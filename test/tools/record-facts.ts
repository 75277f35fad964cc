import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { followAuditLog } from '../harness/audit-events.ts';
import { onPorts, readConversation } from '../harness/conversation.ts';
import { runConversation } from '../harness/run-conversation.ts';
import { startStubWebhooks } from '../harness/stub-webhooks.ts';

// Records conversations anew: plays each file's case against a running API server and writes what was seen as its
// transcript. A new fact begins as a file with `case` alone.
//
//   KUBE_APISERVER=https://127.0.0.1:6443 KUBE_TOKEN=… npm run record:facts -- [--audit-log FILE] [--settle MS] FILE…
//
// The server trusts the token as a user of system:masters, runs with test/facts/audit-policy.yaml and without
// controllers, and reaches this machine's loopback. A real one needs time before a configuration takes effect.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'audit-log': { type: 'string' }, settle: { type: 'string', default: '400' } },
});
const { KUBE_APISERVER: url, KUBE_TOKEN: token } = process.env;
if (url === undefined || token === undefined || positionals.length === 0) {
  throw new Error('KUBE_APISERVER and KUBE_TOKEN name a server, arguments the files to record');
}
const auditLog = values['audit-log'];
const stubs = await startStubWebhooks();
const recordedPorts = new Map([...stubs.ports].map(([recorded, now]) => [now, recorded]));
const audit = auditLog === undefined ? () => Promise.resolve(new Map()) : followAuditLog(auditLog);
try {
  for (const file of positionals) {
    const text = readFileSync(file, 'utf8');
    const stage = { url, token, stubs, audit, settleMs: Number(values.settle) };
    const transcript = await runConversation(readConversation(text, stubs.ports), stage);
    const script: unknown = JSON.parse(text).case;
    writeFileSync(file, onPorts(`${JSON.stringify({ case: script, transcript }, null, 1)}\n`, recordedPorts));
    process.stdout.write(`${file}: ${transcript.length} exchanges\n`);
  }
} finally {
  await stubs.close();
}
