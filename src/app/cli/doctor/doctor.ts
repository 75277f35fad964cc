import { X509Certificate } from 'node:crypto';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { connect } from 'node:tls';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { kubeconfigFlag, outputFlag } from '../../../adapters/config/flags/common-flags.ts';
import { isOwnKubeconfig } from '../../../adapters/config/kubeconfig.ts';
import { callServer, type ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { healthSentence } from '../../../explain/render/chain-words.ts';
import { createPage, type Style } from '../../../explain/render/explain-page.ts';
import type { ChainBackend } from '../../../explain/trace/chain-document.ts';
import { errorText } from '../../../machinery/errors.ts';
import { asList, asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import { bareHost } from '../../../machinery/url-address.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, printDocument } from '../terminal/io.ts';
import { setVariable } from '../terminal/platform.ts';
import { createLiveLine, ownTerminal, type Terminal } from '../terminal/terminal.ts';
import { type DoctorCheck, checkPrograms, expiryCheck, passedCheck } from './check-programs.ts';

/** `kadmit doctor`: exit code 1 when it finds a problem. */
export const doctorCommand = defineCommand({
  name: 'doctor',
  group: 'Server',
  synopsis: ['[FLAGS]'],
  purpose: 'check versions, ports, kubeconfig, certificates and webhooks',
  details: [
    'Also shows which kubeconfig the commands use in this folder and why, and whether the webhooks of the server can be ' +
      'reached. Changes nothing.',
    'Exit codes: 0 no problem, 1 a problem, such as no server or a webhook that cannot be reached.',
  ],
  flags: { output: outputFlag, kubeconfig: kubeconfigFlag },
  positionals: { name: 'argument', max: 0, complete: [{ type: 'nothing' }] },
  examples: ['doctor', 'doctor -o json'],
  run: async ({ options: { output, kubeconfig } }, io) => {
    const checks = await checkAll(kubeconfig);
    await printDocument(io, output, checks, () => doctorText(checks, ownTerminal()));
    return checks.some(({ level }) => level === 'problem') ? exitCodes.failed : exitCodes.fine;
  },
});

async function checkAll(kubeconfig: string): Promise<readonly DoctorCheck[]> {
  const line = createLiveLine(process.stderr);
  line.show('checking programs and ports …');
  try {
    const access = await accessOf(kubeconfig);
    const programs = await checkPrograms();
    const ports = await checkPorts(access?.url);
    line.show('calling the server …');
    const served = access ? await checkServer(access, Date.now()) : [];
    line.show('calling the webhooks …');
    const isThere = access !== undefined && served.every(({ level }) => level !== 'problem');
    const backends = isThere ? await checkBackends(access, Date.now()) : [];
    const chosen = kubeconfigChecks(kubeconfig, access, process.env);
    return [...programs, ...ports, ...chosen, ...served, ...backends];
  } finally {
    line.clear();
  }
}

/** undefined when there is no readable kubeconfig. */
async function accessOf(kubeconfig: string): Promise<ServerAccess | undefined> {
  try {
    return await readKubeconfig(kubeconfig);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

const styles: Readonly<Record<DoctorCheck['level'], Style>> = {
  ok: 'good',
  note: 'quiet',
  warning: 'warn',
  problem: 'bad',
};

export function doctorText(
  checks: readonly DoctorCheck[],
  { paint, width = Number.POSITIVE_INFINITY }: Terminal,
): string {
  const page = createPage({ width, paint });
  for (const { level, text, hint } of checks) {
    page.item(`${page.painted(styles[level], level.padEnd(7))}  ${text}`, undefined, 0, 9);
    if (hint !== undefined) page.item(`${page.painted('strong', 'hint:')} ${hint}`, undefined, 9, 11);
  }
  page.line('');
  page.line(ending(checks), 'strong');
  return page.text();
}

function ending(checks: readonly DoctorCheck[]): string {
  const counts = (['problem', 'warning'] as const).flatMap((level) => {
    const count = checks.filter((one) => one.level === level).length;
    return count === 0 ? [] : [`${count} ${level}${count === 1 ? '' : 's'}`];
  });
  return counts.length === 0 ? 'no problems found' : counts.join(', ');
}

/** The default ports of `kadmit serve`. */
const ports = [
  { port: 6443, what: 'the API server', flag: '--secure-port' },
  { port: 6480, what: 'the page', flag: '--ui-port' },
] as const;

/** `url` is that of the running server. */
const checkPorts = (url: string | undefined): Promise<readonly DoctorCheck[]> =>
  Promise.all(ports.map(async (port) => portCheck(port, await listenError(port.port), url)));

function portCheck({ port, what, flag }: (typeof ports)[number], taken: string | undefined, url?: string): DoctorCheck {
  if (taken === undefined) return passedCheck('port', `port ${port} is free for ${what}`);
  const own = url !== undefined && new URL(url).port === '6443';
  if (own && taken === 'EADDRINUSE') return passedCheck('port', `port ${port} is in use by this server, for ${what}`);
  return {
    code: 'port',
    level: 'note',
    text: `port ${port}, usually that of ${what}, is ${taken === 'EADDRINUSE' ? 'in use by another program' : `not available (${taken})`}`,
    hint: `kadmit serve ${flag} 0 picks a free one`,
  };
}

/** undefined: the port is free. */
const listenError = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(undefined)));
  });

async function checkBackends(access: ServerAccess, now: number): Promise<readonly DoctorCheck[]> {
  const { code, text } = await callServer(access, { method: 'GET', path: '/kadmit/v1/backends' });
  if (code !== 200) return [];
  const backends = asList(asObject(JSON.parse(text))['backends']).flatMap((one) => (isBackend(one) ? [one] : []));
  return backends.length === 0
    ? [passedCheck('webhook', 'no webhook is configured')]
    : backends.map((one) => backendCheck(one, now));
}

const isBackend = (value: unknown): value is ChainBackend => isJsonObject(value) && asString(value['name']) !== '';

/** An unreachable webhook is a problem under either failurePolicy: with Ignore, requests pass unchecked. */
export function backendCheck(
  { phase, name, within, failurePolicy, health, assumed }: ChainBackend,
  now: number,
): DoctorCheck {
  const subject = `${phase} webhook ${name} (${within})`;
  if (assumed)
    return { code: 'webhook', level: 'note', text: `${subject}: not called, assumed to ${assumed} (--assume)` };
  if (!health) return passedCheck('webhook', subject);
  const text = `${subject}: ${healthSentence(health, now)}`;
  if (health.outcome === 'reachable') return passedCheck('webhook', text);
  const fix = `start it, route it with kadmit map, or use kadmit serve --assume ${name}=allow`;
  const consequence =
    failurePolicy === 'Ignore' ? 'requests pass without it, because its failurePolicy is Ignore; ' : '';
  return { code: 'webhook', level: 'problem', text, hint: `${consequence}${fix}` };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The kubeconfig of kadmit's commands and its origin, and whether kubectl uses the same server. */
export function kubeconfigChecks(
  given: string,
  access: ServerAccess | undefined,
  environment: Environment,
): readonly DoctorCheck[] {
  if (access === undefined) {
    const text = `${given} cannot be read: no server runs, or it runs in another folder`;
    return [
      { code: 'kubeconfig', level: 'problem', text, hint: 'kadmit serve writes it; --kubeconfig selects another' },
    ];
  }
  const used = access.kubeconfig;
  const why =
    given !== kubeconfigFlag.fallback
      ? 'selected by --kubeconfig'
      : used === given
        ? 'it is in this folder'
        : 'selected by KUBECONFIG, and written by kadmit';
  return [passedCheck('kubeconfig', `the kubeconfig is ${used}: ${why}`), ...kubectlCheck(used, environment)];
}

/** kubectl uses the files of KUBECONFIG, else that of the home folder. */
function kubectlCheck(used: string, { KUBECONFIG = '' }: Environment): readonly DoctorCheck[] {
  const named = KUBECONFIG.split(delimiter).filter((path) => path !== '');
  const files = named.length > 0 ? named : [join(homedir(), '.kube', 'config')];
  const absolute = resolve(used.split(delimiter)[0] ?? used);
  if (files.some((path) => resolve(path) === absolute))
    return [passedCheck('kubectl-kubeconfig', 'kubectl uses the same kubeconfig')];
  const isElsewhere = files.some((path) => !isOwnKubeconfig(path));
  return [
    {
      code: 'kubectl-kubeconfig',
      level: isElsewhere ? 'warning' : 'note',
      text: `kubectl would use ${files.join(delimiter)}${named.length > 0 ? ', selected by KUBECONFIG' : ''}`,
      hint: setVariable('KUBECONFIG', absolute),
    },
  ];
}

const timeoutMs = 5000;

/** Whether it responds, is kadmit, knows the user, and until when certificates are valid. */
async function checkServer(access: ServerAccess, now: number): Promise<readonly DoctorCheck[]> {
  const response = await responseCheck(access);
  if (response.level === 'problem') return [response];
  const ends = await certificateEnd(access.url);
  return [
    response,
    ...(ends === undefined
      ? []
      : [expiryCheck('server-certificate', 'the certificate of the server', { notAfter: ends, now })]),
    ...(access.certificate === undefined ? [] : [clientCertificateCheck(access.kubeconfig, access.certificate, now)]),
  ];
}

const clientCertificateCheck = (kubeconfig: string, certificate: string, now: number): DoctorCheck =>
  expiryCheck('client-certificate', `the client certificate in ${kubeconfig}`, { notAfter: endOf(certificate), now });

async function responseCheck(access: ServerAccess): Promise<DoctorCheck> {
  const { url } = access;
  try {
    const { code, text } = await callServer(access, { method: 'GET', path: '/version', timeout: timeoutMs });
    if (code === 401 || code === 403) {
      return {
        code: 'server',
        level: 'problem',
        text: `${url} responds with ${code}: it does not accept these credentials`,
        hint: startAgain,
      };
    }
    const traces = await callServer(access, { method: 'GET', path: '/kadmit/v1/traces?limit=1', timeout: timeoutMs });
    const version = asString(asObject(JSON.parse(text))['gitVersion']);
    if (traces.code === 200) return passedCheck('server', `${url} responds: kadmit, as Kubernetes ${version}`);
    return {
      code: 'server',
      level: 'warning',
      text: `${url} is not kadmit: Kubernetes ${version}`,
      hint: 'explain, requests, chain and map need kadmit serve',
    };
  } catch (error) {
    return { code: 'server', level: 'problem', text: errorText(error), hint: startAgain };
  }
}

const startAgain = 'start kadmit serve in this folder: it writes a new kubeconfig';

const endOf = (pem: string): number => Date.parse(new X509Certificate(pem).validTo);

/** When the server's certificate expires, whatever its CA; undefined when there is none. */
function certificateEnd(url: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({
      host: bareHost(hostname),
      port: Number(port) || 443,
      rejectUnauthorized: false,
    });
    const end = (found: number | undefined): void => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(timeoutMs, () => end(undefined));
    socket.once('error', () => end(undefined));
    socket.once('secureConnect', () => {
      const shown = socket.getPeerX509Certificate();
      end(shown && Date.parse(shown.validTo));
    });
  });
}
