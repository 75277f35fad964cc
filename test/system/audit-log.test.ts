import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConfigError, commandFailed } from '../../src/adapters/config/config-error.ts';
import type { ServerConfig } from '../../src/adapters/config/server-config.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kadmit-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function flags(policy: string): Partial<ServerConfig> {
  const auditPolicyFile = join(folder, 'policy.yaml');
  writeFileSync(auditPolicyFile, `apiVersion: audit.k8s.io/v1\nkind: Policy\n${policy}`);
  return { auditPolicyFile, auditLogPath: join(folder, 'audit.log') };
}

const eventsIn = (file: string): readonly Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** The answer's code; a watch is left after its first bytes. */
function get({ url, token }: Pick<Kadmit, 'url' | 'token'>, path: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'audit-id': `id-${path.length}` };
  return new Promise((resolve, reject) => {
    const request = https.get(`${url}${path}`, { headers, rejectUnauthorized: false, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject);
  });
}

test('every stage of a read, a watch and a refused login is in the file, which only its owner may read', async () => {
  const config = flags(
    'rules: [{level: Metadata, users: [admin]}, {level: Metadata, nonResourceURLs: ["/version"]}]\n',
  );
  const server = await startKadmit(config);
  await get(server, '/api/v1/nodes');
  await get(server, '/api/v1/nodes?watch=true&timeoutSeconds=1');
  expect(await get({ ...server, token: 'wrong' }, '/version')).toBe(401);
  await server.close();
  const file = String(config.auditLogPath);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const events = eventsIn(file).map(({ stage, verb, requestURI, responseStatus, user }) => [
    `${String(verb)} ${String(requestURI)}`,
    stage,
    Object(responseStatus).code,
    Object(user).username,
  ]);
  expect(events).toEqual([
    ['list /api/v1/nodes', 'RequestReceived', undefined, 'admin'],
    ['list /api/v1/nodes', 'ResponseComplete', 200, 'admin'],
    ['watch /api/v1/nodes?watch=true&timeoutSeconds=1', 'RequestReceived', undefined, 'admin'],
    ['watch /api/v1/nodes?watch=true&timeoutSeconds=1', 'ResponseStarted', 200, 'admin'],
    ['watch /api/v1/nodes?watch=true&timeoutSeconds=1', 'ResponseComplete', 200, 'admin'],
    ['get /version', 'ResponseStarted', 401, undefined],
  ]);
  expect(eventsIn(file)[0]).toMatchObject({ sourceIPs: ['127.0.0.1'], auditID: 'id-13' });
});

test.runIf(existsSync('/dev/full'))('a full disk is one line, and the server goes on', async () => {
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const server = await startKadmit({ ...flags('rules: [{level: Metadata}]\n'), auditLogPath: '/dev/full' });
  expect(await get(server, '/api/v1/nodes')).toBe(200);
  expect(await get(server, '/version')).toBe(200);
  await server.close();
  vi.restoreAllMocks();
  expect(lines).toEqual(['--audit-log-path /dev/full: ENOSPC: no space left on device, write\n']);
});

test('a path alone makes the file and says why it stays empty', async () => {
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const auditLogPath = join(folder, 'audit.log');
  const server = await startKadmit({ auditLogPath });
  await get(server, '/version');
  await server.close();
  vi.restoreAllMocks();
  expect(lines).toEqual(['--audit-log-path: no events are recorded without --audit-policy-file\n']);
  expect(readFileSync(auditLogPath, 'utf8')).toBe('');
});

const nowhere = (problem: string): readonly [string, Partial<ServerConfig>, string] => [
  problem,
  { auditPolicyFile: '/nowhere/policy.yaml' },
  '"command failed" err="loading audit policy file: failed to read file path \\"/nowhere/policy.yaml\\": open /nowhere/policy.yaml: no such file or directory"',
];

test.each<readonly [string, Partial<ServerConfig>, string]>([
  nowhere('a policy file that is not there'),
  [
    'a file where a folder should be',
    { auditLogPath: '/dev/null/audit.log' },
    'ensureLogFile: mkdir /dev/null: not a directory',
  ],
])('%s is one line', async (_why, config, line) => {
  await expect(startKadmit(config)).rejects.toThrow(ConfigError);
  await expect(startKadmit(config)).rejects.toThrow(line);
});

test('a wrong policy is kube-apiserver’s line, with the file', async () => {
  const config = flags('rules: [{level: Everything}]\n');
  await expect(startKadmit(config)).rejects.toThrow(
    commandFailed(
      `loading audit policy file: rules[0].level: Unsupported value: "Everything": supported values: "None", "Metadata", "Request", "RequestResponse": from file ${String(config.auditPolicyFile)}`,
    ).message,
  );
});
