import { X509Certificate } from 'node:crypto';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { connect } from 'node:tls';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { kubeconfigFlag } from '../../../adapters/config/flags/common-flags.ts';
import { flagLines, parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { isOwnKubeconfig } from '../../../adapters/config/kubeconfig.ts';
import { callServer } from '../../../adapters/config/kubeconfig/call-server.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { healthSentence } from '../../../explain/render/chain-words.ts';
import { createPage } from '../../../explain/render/explain-page.ts';
import type { Style } from '../../../explain/render/explain-page.ts';
import type { Backend } from '../../../explain/trace/chain-document.ts';
import { errorText } from '../../../machinery/error-text.ts';
import { asList, asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import { bareHost } from '../../../machinery/url-address.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { createLiveLine } from '../terminal/live-line.ts';
import { structured } from '../terminal/structured.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { lookAtPrograms, ok, untilCheck } from './look-at-programs.ts';
import type { Check } from './look-at-programs.ts';
import { doctorFlags } from './doctor-options.ts';

/** `kadmit doctor`: programs, ports, kubeconfig, server, certificates, webhooks; exit code 1 when something is wrong. */
export async function doctor(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseFlags(doctorFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(help());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'doctor', parsed.problem);
  const { options, rest } = parsed;
  if (rest.length > 0) return usageError(io, 'doctor', `${JSON.stringify(rest[0])} is one argument too many`);
  const checks = await lookAround(options.kubeconfig);
  const { output } = options;
  io.out(
    output === 'text' ? doctorText(checks, ownTerminal()) : await structured(output, JSON.stringify(checks, null, 2)),
  );
  return checks.some(({ level }) => level === 'problem') ? exitCodes.failed : exitCodes.fine;
}

async function lookAround(kubeconfig: string): Promise<readonly Check[]> {
  const line = createLiveLine(process.stderr);
  line.show('looking at programs and ports …');
  try {
    const access = await accessOf(kubeconfig);
    const programs = await lookAtPrograms();
    const ports = await lookAtPorts(access?.url);
    line.show('asking the server …');
    const served = access ? await lookAtServer(access, Date.now()) : [];
    line.show('looking for the webhooks …');
    const isThere = access !== undefined && served.every(({ level }) => level === 'ok');
    const backends = isThere ? await lookAtBackends(access, Date.now()) : [];
    const chosen = kubeconfigChecks(kubeconfig, access, process.env);
    return [...programs, ...ports, ...chosen, ...served, ...backends];
  } finally {
    line.clear();
  }
}

/** undefined when there is none that can be read. */
async function accessOf(kubeconfig: string): Promise<ServerAccess | undefined> {
  try {
    return await readKubeconfig(kubeconfig);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

const help = (): string =>
  [
    'usage: kadmit doctor [FLAGS]',
    '',
    'Looks at the versions of programs, at ports, at the kubeconfig that commands use here and why, at the',
    'server, its certificates, and whether its webhooks can be reached. Nothing is changed. Exit code 1 for a problem.',
    '',
    ...flagLines(doctorFlags),
  ].join('\n');

const styles: Readonly<Record<Check['level'], Style>> = { ok: 'good', note: 'quiet', warning: 'warn', problem: 'bad' };

/** A line for each look, what helps below it, and at the end whether all is well. */
export function doctorText(checks: readonly Check[], { paint, width = Number.POSITIVE_INFINITY }: Terminal): string {
  const page = createPage({ width, paint });
  for (const { level, text, hint } of checks) {
    page.item(`${page.painted(styles[level], level.padEnd(7))}  ${text}`, undefined, 0, 9);
    if (hint !== undefined) page.item(`${page.painted('strong', 'hint:')} ${hint}`, undefined, 9, 11);
  }
  page.line('');
  page.line(ending(checks), 'strong');
  return page.text();
}

function ending(checks: readonly Check[]): string {
  const counts = (['problem', 'warning'] as const).flatMap((level) => {
    const count = checks.filter((one) => one.level === level).length;
    return count === 0 ? [] : [`${count} ${level}${count === 1 ? '' : 's'}`];
  });
  return counts.length === 0 ? 'all is well' : counts.join(', ');
}

/** The ports of `kadmit serve` unless its flags say otherwise. */
const ports = [
  { port: 6443, what: 'the API server', flag: '--secure-port' },
  { port: 6480, what: 'the page', flag: '--ui-port' },
] as const;

/** Are they free, or taken by the server that runs (its url)? */
const lookAtPorts = (url: string | undefined): Promise<readonly Check[]> =>
  Promise.all(ports.map(async (port) => portCheck(port, await whyTaken(port.port), url)));

function portCheck({ port, what, flag }: (typeof ports)[number], taken: string | undefined, url?: string): Check {
  if (taken === undefined) return ok(`port ${port} is free for ${what}`);
  const own = url !== undefined && new URL(url).port === '6443';
  if (own && taken === 'EADDRINUSE') return ok(`port ${port} is taken by this server, for ${what}`);
  return {
    level: 'note',
    text: `port ${port}, usually that of ${what}, is ${taken === 'EADDRINUSE' ? 'taken by another program' : `not to be had (${taken})`}`,
    hint: `kadmit serve ${flag} 0 picks a free one`,
  };
}

/** Why nobody may listen there; undefined when it is free. */
const whyTaken = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(undefined)));
  });

/** Can the webhooks that are configured be reached, and what happens if not? */
async function lookAtBackends(access: ServerAccess, now: number): Promise<readonly Check[]> {
  const { code, text } = await callServer(access, { method: 'GET', path: '/kadmit/v1/backends' });
  if (code !== 200) return [];
  const backends = asList(asObject(JSON.parse(text))['backends']).flatMap((one) => (isBackend(one) ? [one] : []));
  return backends.length === 0 ? [ok('no webhook is configured')] : backends.map((one) => backendCheck(one, now));
}

const isBackend = (value: unknown): value is Backend => isJsonObject(value) && asString(value['name']) !== '';

/** A webhook that is not there is a problem, unless the requests go on without it. */
export function backendCheck({ phase, name, within, failurePolicy, health, assumed }: Backend, now: number): Check {
  const who = `${phase} webhook ${name} (${within})`;
  if (assumed) return { level: 'note', text: `${who}: not called, assumed to ${assumed} (--assume)` };
  if (!health) return ok(who);
  const text = `${who}: ${healthSentence(health, now)}`;
  if (health.outcome === 'reachable') return ok(text);
  return failurePolicy === 'Ignore'
    ? { level: 'warning', text, hint: 'requests go on without it: its failurePolicy is Ignore' }
    : {
        level: 'problem',
        text,
        hint: `start it, say where it listens (kadmit map), or kadmit serve --assume ${name}=allow`,
      };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Which kubeconfig the commands of kadmit use and why, and whether kubectl goes to the same server. */
export function kubeconfigChecks(
  given: string,
  access: ServerAccess | undefined,
  environment: Environment,
): readonly Check[] {
  if (access === undefined) {
    const text = `there is no ${given} that can be read: no server runs, or it runs in another folder`;
    return [{ level: 'warning', text, hint: 'kadmit serve writes it; --kubeconfig names another' }];
  }
  const used = access.kubeconfig;
  const why =
    given !== kubeconfigFlag.fallback
      ? '--kubeconfig names it'
      : used === given
        ? 'it lies in this folder'
        : 'KUBECONFIG names it, and kadmit wrote it';
  return [ok(`the kubeconfig is ${used}: ${why}`), ...kubectlCheck(used, environment)];
}

/** kubectl takes what KUBECONFIG names, else that of the home folder. */
function kubectlCheck(used: string, { KUBECONFIG = '' }: Environment): readonly Check[] {
  const named = KUBECONFIG.split(delimiter).filter((path) => path !== '');
  const files = named.length > 0 ? named : [join(homedir(), '.kube', 'config')];
  const absolute = resolve(used.split(delimiter)[0] ?? used);
  if (files.some((path) => resolve(path) === absolute)) return [ok('kubectl uses the same one')];
  const isElsewhere = files.some((path) => !isOwnKubeconfig(path));
  return [
    {
      level: isElsewhere ? 'warning' : 'note',
      text: `kubectl would use ${files.join(delimiter)}${named.length > 0 ? ', which KUBECONFIG names' : ''}`,
      hint: `export KUBECONFIG=${absolute}`,
    },
  ];
}

const patienceMs = 5000;

/** Does it answer, is it kadmit, who is asking, and how long are the certificates good? */
async function lookAtServer(access: ServerAccess, now: number): Promise<readonly Check[]> {
  const answering = await answerCheck(access);
  if (answering.level === 'problem') return [answering];
  const ends = await certificateEnd(access.url);
  return [
    answering,
    ...(ends === undefined ? [] : [untilCheck('the certificate of the server', ends, now)]),
    ...(access.certificate === undefined
      ? []
      : [untilCheck(`the client certificate in ${access.kubeconfig}`, endOf(access.certificate), now)]),
  ];
}

async function answerCheck(access: ServerAccess): Promise<Check> {
  const { url } = access;
  try {
    const { code, text } = await callServer(access, { method: 'GET', path: '/version', timeout: patienceMs });
    if (code === 401 || code === 403) {
      return { level: 'problem', text: `${url} answers ${code}: it does not know who is asking`, hint: startAgain };
    }
    const traces = await callServer(access, { method: 'GET', path: '/kadmit/v1/traces?limit=1', timeout: patienceMs });
    const version = asString(asObject(JSON.parse(text))['gitVersion']);
    if (traces.code === 200) return ok(`${url} answers: kadmit, as Kubernetes ${version}`);
    return {
      level: 'warning',
      text: `${url} answers, and is not kadmit: Kubernetes ${version}`,
      hint: 'explain, requests, chain and map need a server that kadmit serve runs',
    };
  } catch (error) {
    return { level: 'problem', text: errorText(error), hint: startAgain };
  }
}

const startAgain = 'start kadmit serve in this folder: it writes its kubeconfig anew';

const endOf = (pem: string): number => Date.parse(new X509Certificate(pem).validTo);

/** When the certificate that is shown there ends, whoever signed it; undefined when none is. */
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
    socket.setTimeout(patienceMs, () => end(undefined));
    socket.once('error', () => end(undefined));
    socket.once('secureConnect', () => {
      const shown = socket.getPeerX509Certificate();
      end(shown && Date.parse(shown.validTo));
    });
  });
}
