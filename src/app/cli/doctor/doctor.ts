import { ConfigError } from '../../../adapters/config/config-error.ts';
import { kubeconfigFlag, outputFlag } from '../../../adapters/config/flags/common-flags.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { type Style, createPage } from '../../../explain/render/explain-page.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, printDocument } from '../terminal/io.ts';
import { type Terminal, createLiveLine, ownTerminal } from '../terminal/terminal.ts';
import {
  type DoctorCheck,
  checkPrograms,
  checkBackends,
  kubeconfigChecks,
  checkServer,
  passedCheck,
} from './checks.ts';
import { createServer } from 'node:net';
import { countText } from '../../../machinery/lists.ts';

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
    const access = await tryReadKubeconfig(kubeconfig);
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
async function tryReadKubeconfig(kubeconfig: string): Promise<ServerAccess | undefined> {
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

export function doctorText(checks: readonly DoctorCheck[], terminal: Terminal): string {
  const page = createPage(terminal);
  for (const { level, text, hint } of checks) {
    page.item(`${page.painted(styles[level], level.padEnd(7))}  ${text}`, undefined, 0, 9);
    if (hint !== undefined) page.item(`${page.painted('strong', 'hint:')} ${hint}`, undefined, 9, 11);
  }
  page.line('');
  page.line(countsText(checks), 'strong');
  return page.text();
}

function countsText(checks: readonly DoctorCheck[]): string {
  const counts = (['problem', 'warning'] as const).flatMap((level) => {
    const count = checks.filter((one) => one.level === level).length;
    return count === 0 ? [] : [countText(count, level)];
  });
  return counts.length === 0 ? 'no problems found' : counts.join(', ');
}

/** The default ports of `kadmit serve`. */
export const ports = [
  { port: 6443, what: 'the API server', flag: '--secure-port' },
  { port: 6480, what: 'the page', flag: '--ui-port' },
] as const;

/** `url` is that of the running server. */
export const checkPorts = (url: string | undefined): Promise<readonly DoctorCheck[]> =>
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
