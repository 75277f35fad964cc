import { expect, test } from 'vitest';
import { startDevProgram, freePort, isPortTaken, waitForBackend } from '../../../../src/app/cli/dev/program.ts';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type Server } from 'node:net';
import { issueCertificate, type KeyedCertificate } from '../../../../src/adapters/certificates/issue-certificate.ts';

/** A printer, and a promise of the first line. */
function printer() {
  const lines: string[] = [];
  let first: (line: string) => void = () => {};
  const begun = new Promise<string>((resolve) => (first = resolve));
  const print = (prefix: string) => (line: string) => {
    lines.push(prefix + line);
    first(line);
  };
  return { lines, begun, io: { out: print('out '), error: print('err ') } };
}

const node = (script: string): readonly string[] => [process.execPath, '-e', script];

test('the output comes line by line, with the exit code', async () => {
  const { lines, io } = printer();
  const script = "process.stdout.write('a\\nb'); process.stderr.write('c\\n'); process.exitCode = 3";
  const running = await startDevProgram(node(script), process.env, io);
  expect(await running.ended).toBe('3');
  expect(lines.toSorted()).toEqual(['err c', 'out a', 'out b']);
  await running.stop();
});

test('a stopped program takes along what it started, which has the same output', async () => {
  const { begun, io } = printer();
  const child = "process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000)";
  const start = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' })`;
  const running = await startDevProgram(
    node(`${start}; process.on('SIGTERM', () => process.exit(0))`),
    process.env,
    io,
  );
  expect(await begun).toBe('ready');
  await running.stop(50);
  expect(await running.ended).toBe('0');
});

test('a program that is not there is named', async () => {
  const started = startDevProgram(['kadmit-no-such-program'], process.env, printer().io);
  await expect(started).rejects.toThrow('kadmit-no-such-program cannot be run');
});

const issue = (): Promise<KeyedCertificate> =>
  issueCertificate({
    commonName: 'hook',
    purpose: 'server',
    names: ['localhost'],
    notBefore: new Date(Date.now() - 1000),
    notAfter: new Date(Date.now() + 3_600_000),
  });
const [given, own] = await Promise.all([issue(), issue()]);

const listening = async (server: Server, host = '127.0.0.1'): Promise<number> => {
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return port;
};

const never = new AbortController().signal;

test.each<readonly [protocol: string, host: string, server: () => Server]>([
  ['given certificate', '127.0.0.1', () => createHttps({ cert: given.certificate, key: given.key })],
  ['given certificate', '::1', () => createHttps({ cert: given.certificate, key: given.key })],
  ['own certificate', '127.0.0.1', () => createHttps({ cert: own.certificate, key: own.key })],
  ['plain HTTP', '127.0.0.1', () => createHttp()],
  ['plain HTTP', '127.0.0.1', () => createTcp((socket) => socket.end())],
])('a backend is recognized: %s at %s', async (protocol, host, create) => {
  const server = create();
  const failures: unknown[] = [];
  server.on('tlsClientError', (error) => failures.push(error));
  const port = await listening(server, host);
  expect(await waitForBackend(port, given.certificate, never)).toEqual({ host, port, protocol });
  expect(failures).toEqual([]);
  server.close();
});

test('a port is free after its listener is closed; an abort ends the wait', async () => {
  const server = createTcp();
  const port = await listening(server);
  expect(await isPortTaken(port)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
  expect(await isPortTaken(port)).toBe(false);
  const late = waitForBackend(port, given.certificate, AbortSignal.timeout(20));
  expect(await late).toBeUndefined();
});
