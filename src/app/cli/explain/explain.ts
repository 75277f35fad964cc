import { ConfigError } from '../../../adapters/config/config-error.ts';
import { flagLines, parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { callServer, messageIn } from '../../../adapters/config/kubeconfig/call-server.ts';
import type { ServerAnswer, ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { namedResource } from '../../../adapters/config/kubeconfig/named-resource.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { traceInFolder } from '../../../analysis/trials/traced-request.ts';
import { historyFindings } from '../../../explain/findings/history.ts';
import { historyText } from '../../../explain/render/finding-lines.ts';
import { kinOf } from '../../../explain/render/kin.ts';
import type { NumberedSummary } from '../../../explain/trace/trace-summary.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { humanDuration } from '../../../machinery/go/human-duration.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { asList, asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import type { Parts } from '../command.ts';
import { readManifests } from '../read-manifests.ts';
import type { Manifest } from '../read-manifests.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { createLiveLine, tellingWhile } from '../terminal/live-line.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import { explainFlags } from './explain-options.ts';
import type { ExplainOptions } from './explain-options.ts';
import { traceOf } from './fetch-trace.ts';
import { familyOf, nothingKnown, tellingWrite, typeAndName, writesOf } from './object-writes.ts';
import type { AskedObject } from './object-writes.ts';
import { createPrinter } from './print-explained.ts';
import { sourceOf, summariesOf, tracePlace } from './trace-source.ts';

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

/**
 * Explains the last write of `TYPE/NAME`, with a line for everything that it owns; what was refused last of that is explained
 * before. With `--all` every write of it that is known. Throws ConfigError when none is.
 */
async function explainObject(
  [type, name]: readonly [type: string, name: string],
  options: ExplainOptions,
  io: Io,
): Promise<void> {
  const { known, newestFirst, ownNamespace, traceOf } = await sourceOf(options);
  const resource = namedResource(type, known);
  const namespace = resource.namespaced ? options.namespace || ownNamespace : '';
  const asked: AskedObject = { resource, namespace, name };
  const writes = writesOf(asked, newestFirst);
  const family = options.all ? [] : familyOf(asked, newestFirst, known);
  const write = tellingWrite(writes);
  if (write === undefined && family.length === 0) throw new ConfigError(nothingKnown(asked, newestFirst));
  const refused = family.filter(({ verdict }) => verdict === 'refused').slice(-refusedTold);
  const told = options.all ? writes : [...refused, ...(write ? [write] : [])];
  if (options.output === 'text') await tellingWhile('reading its writes …', tellHistory(writes, traceOf, io));
  const printer = await createPrinter({ ...options, all: false }, io);
  for (const [at, one] of told.entries()) {
    const title = `${at + 1} of ${told.length}, ${lineOf(one)}`;
    printer.add({ trace: await traceOf(one.id), title, place: await tracePlace(one.id, options) });
  }
  printer.end();
  if (family.length > 0 && options.output === 'text') io.out(['', 'Its family', ...familyLines(family)].join('\n'));
}

/** So many writes are looked at for what they show together. */
const mostLookedAt = 30;

async function tellHistory(
  writes: readonly NumberedSummary[],
  traceOf: (id: string) => Promise<Trace>,
  io: Io,
): Promise<void> {
  if (writes.length < 3) return;
  const traces = await Promise.all(writes.slice(-mostLookedAt).map(({ id }) => traceOf(id)));
  const findings = historyFindings(traces);
  if (findings.length > 0) io.out(`${historyText(findings, ownTerminal())}\n`);
}

/** Of a controller that tries again and again the last refusal is enough. */
const refusedTold = 1;

/** When it was and what: `3s ago: create pods web, 201`. */
const lineOf = ({ startedAt, verb, resource, name, code }: NumberedSummary): string =>
  `${humanDuration(Date.now() - startedAt)} ago: ${verb} ${resource}${name === '' ? '' : ` ${name}`}, ${code}`;

/** A line for each member; of those that went alike the last stands for all. */
function familyLines(family: readonly NumberedSummary[]): readonly string[] {
  const alike = new Map<string, NumberedSummary[]>();
  for (const one of family) {
    const key = JSON.stringify([one.verb, one.resource, one.code, one.webhooks]);
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  return [...alike.values()].flatMap((members) => {
    const last = members.at(-1);
    const more = members.length === 1 ? '' : `, and ${members.length - 1} more like it`;
    return last ? [`  ${lineOf(last)}${more}${webhookWords(last)}  (${last.id})`] : [];
  });
}

function webhookWords({ webhooks: { called, denied, failed, skipped } }: NumberedSummary): string {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['called', called],
    ['denied by', denied],
    ['failed', failed],
    ['skipped', skipped],
  ];
  const words = parts.filter(([, names]) => names.length > 0).map(([word, names]) => `${word} ${names.join(', ')}`);
  return `; ${words.length === 0 ? 'no webhook' : words.join('; ')}`;
}

const query = 'dryRun=All&fieldManager=kadmit-explain&fieldValidation=Strict';

/**
 * Sends manifests to the server without storing them: as a create or, when the object exists, as a server-side apply.
 * Throws ConfigError when the server cannot be reached or does not know the kind.
 */
function createDryRun(access: ServerAccess): (manifest: Manifest) => Promise<ServerAnswer> {
  const known = new Map<string, Resource>();
  return async (manifest) => {
    const kind = `${apiVersionOf(manifest.kind)} ${manifest.kind.kind}`;
    const resource = known.get(kind) ?? (await resourceOf(access, manifest));
    known.set(kind, resource);
    return sendDryRun(access, manifest, resource);
  };
}

async function sendDryRun(
  access: ServerAccess,
  manifest: Manifest,
  { resource, namespaced }: Resource,
): Promise<ServerAnswer> {
  const { group, version } = manifest.kind;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const namespace = manifest.namespace || access.namespace;
  const collection = namespaced
    ? `${root}/namespaces/${encodeURIComponent(namespace)}/${resource}`
    : `${root}/${resource}`;
  const path = `${collection}/${encodeURIComponent(manifest.name)}`;
  const body = writeJson(manifest.document);
  if (manifest.name !== '' && (await callServer(access, { method: 'GET', path })).code === 200) {
    const contentType = 'application/apply-patch+yaml';
    return callServer(access, { method: 'PATCH', path: `${path}?${query}&force=true`, body, contentType });
  }
  return callServer(access, { method: 'POST', path: `${collection}?${query}`, body, contentType: 'application/json' });
}

interface Resource {
  readonly resource: string;
  readonly namespaced: boolean;
}

/** The resource of a kind, as the server's discovery has it. */
async function resourceOf(access: ServerAccess, { kind, place }: Manifest): Promise<Resource> {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const answer = await callServer(access, { method: 'GET', path: root });
  if (answer.code !== 200 && answer.code !== 404) throw new ConfigError(messageIn(answer.text));
  const found = resourcesIn(answer).find(
    ({ name, kind: other }) => other === kind.kind && !asString(name).includes('/'),
  );
  if (found === undefined) {
    throw new ConfigError(`${place}: the server has no kind ${kind.kind} in ${apiVersionOf(kind)}`);
  }
  return { resource: asString(found['name']), namespaced: found['namespaced'] === true };
}

function resourcesIn({ code, text }: ServerAnswer): readonly JsonObject[] {
  if (code !== 200) return [];
  const list: unknown = JSON.parse(text);
  return isJsonObject(list) ? asList(list['resources']).map(asObject) : [];
}
