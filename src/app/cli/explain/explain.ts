import { ConfigError } from '../../../adapters/config/config-error.ts';
import type { Parts } from '../command.ts';
import { createDryRun } from './dry-run.ts';
import { explainFlags } from './explain-options.ts';
import type { ExplainOptions } from './explain-options.ts';
import { explainObject } from './explain-object.ts';
import { familyLines } from './family-lines.ts';
import { typeAndName } from './object-writes.ts';
import { summariesOf, tracePlace } from './trace-source.ts';
import { kinOf } from '../../../explain/render/kin.ts';
import { traceOf } from './fetch-trace.ts';
import { traceInFolder } from '../../../analysis/trials/traces-in-folder.ts';
import { createPrinter } from './print-explained.ts';
import { flagLines } from '../../../adapters/config/flags/flag-help.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { readManifests } from '../read-manifests.ts';
import { createLiveLine } from '../terminal/live-line.ts';

/**
 * `kadmit explain [ID|last|TYPE/NAME]`: asks the server for a trace and says in words which webhooks were called, and why not.
 * With `--dry FILE` it first sends the file's objects without storing them, and explains each.
 */
export async function explain(args: readonly string[], io: Io, parts: Pick<Parts, 'readYaml'>): Promise<number> {
  const parsed = parseFlags(explainFlags, spelledOut(args, { o: 'output', n: 'namespace' }));
  if (parsed.outcome === 'help') {
    io.out(help());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'explain', parsed.problem);
  const { options, rest } = parsed;
  const tooMany = rest[options.dry === '' ? 1 : 0];
  if (tooMany !== undefined) {
    return usageError(
      io,
      'explain',
      `${JSON.stringify(tooMany)} is one argument too many${options.dry === '' ? '' : ': --dry explains the file'}`,
    );
  }
  try {
    if (options.dry !== '') return await explainDry(options, io, parts);
    const object = typeAndName(rest[0] ?? '');
    if (object === undefined) return await explainOne(rest[0], options, io);
    await explainObject(object, options, io);
    return exitCodes.fine;
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'explain', error.message);
    throw error;
  }
}

async function explainOne(id: string | undefined, options: ExplainOptions, io: Io): Promise<number> {
  const trace =
    options.traceDir === ''
      ? await traceOf(await readKubeconfig(options.kubeconfig), id ?? 'last')
      : traceInFolder(options.traceDir, id);
  const printer = await createPrinter(options, io);
  printer.add({ trace, title: '', place: await tracePlace(trace.id, options) });
  printer.end();
  if (options.output === 'text') await tellKin(trace.id, options, io);
  return exitCodes.fine;
}

/** What led to the request, and what came of it. */
async function tellKin(id: string, options: ExplainOptions, io: Io): Promise<void> {
  const { ledBy, ledTo } = kinOf(id, await summariesOf(options));
  const parts = [
    { title: 'Led to it', family: ledBy },
    { title: 'Came of it', family: ledTo.map(({ request }) => request) },
  ];
  for (const { title, family } of parts) {
    if (family.length > 0) io.out(['', title, ...familyLines(family)].join('\n'));
  }
}

/** Every object of the file, in order, each printed as soon as it is known; exit code 1 when one of them would be refused. */
async function explainDry(options: ExplainOptions, io: Io, { readYaml }: Pick<Parts, 'readYaml'>): Promise<number> {
  const access = await readKubeconfig(options.kubeconfig);
  const printer = await createPrinter(options, io);
  const send = createDryRun(access);
  const line = createLiveLine(process.stderr);
  let isRefused = false;
  try {
    for await (const manifest of readManifests(options.dry, readYaml)) {
      line.show(manifest.progress);
      const { auditId, code } = await send(manifest);
      if (auditId === '') throw new ConfigError(`${manifest.place}: the server answered ${code} without an Audit-Id`);
      const trace = await traceOf(access, auditId);
      isRefused ||= trace.verdict === 'refused';
      line.clear();
      printer.add({ trace, title: manifest.place, place: { file: manifest.file, line: manifest.line, column: 1 } });
    }
  } finally {
    line.clear();
  }
  printer.end();
  return isRefused ? exitCodes.failed : exitCodes.fine;
}

function help(): string {
  return [
    'usage: kadmit explain [ID|last] [FLAGS]',
    '       kadmit explain TYPE/NAME [FLAGS]',
    '       kadmit explain --dry FILE [FLAGS]',
    '       kadmit explain [ID|last|TYPE/NAME] --trace-dir FOLDER [FLAGS]',
    '',
    'ID is the Audit-Id header of an answer (kubectl -v=8 shows it); kadmit requests lists them. Of pod/web, deploy/web or any',
    'other TYPE/NAME the last write is explained, with what became of the objects that it owns.',
    '',
    ...flagLines(explainFlags),
  ].join('\n');
}
