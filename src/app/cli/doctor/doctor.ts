import { ConfigError } from '../../../adapters/config/config-error.ts';
import { flagLines } from '../../../adapters/config/flags/flag-help.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/server-access.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { createLiveLine } from '../terminal/live-line.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import type { Check } from './check.ts';
import { doctorFlags } from './doctor-options.ts';
import { doctorText } from './doctor-text.ts';
import { lookAtBackends } from './look-at-backends.ts';
import { kubeconfigChecks } from './look-at-kubeconfig.ts';
import { lookAtPorts } from './look-at-ports.ts';
import { lookAtPrograms } from './look-at-programs.ts';
import { lookAtServer } from './look-at-server.ts';
import { structured } from '../terminal/structured.ts';

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
