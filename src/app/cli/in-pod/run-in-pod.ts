import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { parseFlags } from '../../../adapters/config/flags/flags.ts';
import { callServer, messageIn } from '../../../adapters/config/kubeconfig/call-server.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { errorText } from '../../../machinery/error-text.ts';
import { makeFolder } from '../../../machinery/files/make-folder.ts';
import { asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { runCommand } from '../record/run-command.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { becomeAccount } from './become-account.ts';
import { inPodFlags, inPodHelp, mappingsOf, mountsOf, qualified } from './in-pod-options.ts';
import type { InPodOptions, Mount, Qualified } from './in-pod-options.ts';
import { leadServices } from './lead-services.ts';
import { runStarts } from './run-starts.ts';

/**
 * `kadmit run`: a local program with what it would have in its Pod: the credentials of a ServiceAccount, and Secrets and
 * ConfigMaps as files that follow the objects. Resolves with the exit code of its last end.
 */
export async function runInPod(args: readonly string[], io: Io): Promise<number> {
  const end = args.indexOf('--');
  const [own, command] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const parsed = parseFlags(inPodFlags, own);
  if (parsed.outcome === 'help') {
    io.out(inPodHelp());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'run', parsed.problem);
  if (parsed.rest.length > 0 || command.length === 0)
    return usageError(io, 'run', 'which program? kadmit run --as-service-account NAMESPACE/NAME -- PROGRAM');
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-run-'));
  try {
    return await runWith(parsed.options, command, { io, folder });
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'run', error.message);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface RunFolder {
  readonly io: Io;
  /** Nobody else may look in. */
  readonly folder: string;
}

async function runWith(options: InPodOptions, command: readonly string[], { io, folder }: RunFolder): Promise<number> {
  const access = await readKubeconfig(options.kubeconfig);
  const account = accountOf(options);
  const mounts = mountsOf(options);
  const mappings = mappingsOf(options);
  const say = (line: string): void => io.error(`kadmit run: ${line}`);
  const become = account && (await becomeAccount(access, account, folder));
  const following = await followFiles(access, mounts, say);
  const program = basename(command[0] ?? '');
  const leading = await leadServices(access, mappings, program);
  const own = become?.environment ?? { KUBECONFIG: resolve(access.kubeconfig) };
  const environment = { ...process.env, ...own, ...(options.inCluster ? { KUBECONFIG: undefined } : {}) };
  const started = options.inCluster ? inClusterCommand(command, process.getuid?.()) : command;
  const run = async (): Promise<number> => exitCodeOf(await runCommand(started, environment, { say }));
  try {
    return await runStarts(run, { program, policy: options.restart, become, leading, say });
  } finally {
    following.stop();
    become?.stop();
    await leading.stop();
  }
}

/** Whom it runs as, if it is somebody; --in-cluster wants a place for the files of that one. */
function accountOf({ asServiceAccount, inCluster }: InPodOptions): Qualified | undefined {
  if (asServiceAccount === '' && inCluster) throw new ConfigError('--in-cluster needs --as-service-account');
  if (inCluster) prepareMountPoint();
  return asServiceAccount === '' ? undefined : qualified('as-service-account', asServiceAccount);
}

/** As a shell has it: 128 and the number of the signal. */
function exitCodeOf(end: string): number {
  const signal = Object.entries(constants.signals).find(([name]) => name === end)?.[1];
  return signal === undefined ? Number(end) : 128 + signal;
}

/** Where client-go rest.InClusterConfig and the others look. */
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';

const script = `mount --bind "$KADMIT_SERVICE_ACCOUNT" ${mountPath} && exec "$@"`;

/**
 * The command in a mount namespace of its own, in which the account's folder is where a Pod has it; nobody else sees it.
 * Who is not root (`uid` 0) needs a user namespace for that.
 */
export const inClusterCommand = (command: readonly string[], uid: number | undefined): readonly string[] => [
  'unshare',
  '--mount',
  ...(uid === 0 ? [] : ['--map-current-user', '--keep-caps']),
  '--',
  'sh',
  '-c',
  script,
  'sh',
  ...command,
];

/** Makes the empty folder to mount on. Throws ConfigError where that cannot be done. */
export function prepareMountPoint(platform: NodeJS.Platform = process.platform, path = mountPath): void {
  if (platform !== 'linux') throw new ConfigError('--in-cluster needs the mount namespaces of Linux');
  try {
    makeFolder(path, 0o777);
  } catch (error) {
    throw new ConfigError(`--in-cluster: ${errorText(error)}: make that folder once, with: sudo mkdir -p ${path}`);
  }
}

const everyMs = 1000;

/**
 * Keeps folders as the kubelet would: a file for each key, new ones when the object changes. Throws ConfigError for an
 * object that is not there to begin with; `tell` gets what goes wrong later. Follows kubernetes pkg/volume/{secret,configmap}.
 */
export async function followFiles(
  access: ServerAccess,
  mounts: readonly Mount[],
  tell: (line: string) => void,
): Promise<{ readonly stop: () => void }> {
  const followed = await Promise.all(
    mounts.map(async (mount) => ({ mount, seen: await bring(access, mount, nothing) })),
  );
  let isOver = false;
  const look = async (): Promise<void> => {
    for (const one of followed) {
      if (isOver) return;
      try {
        one.seen = await bring(access, one.mount, one.seen);
      } catch (error) {
        tell(errorText(error));
      }
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const again = (): void => {
    timer = setTimeout(() => void look().finally(() => isOver || again()), everyMs).unref();
  };
  if (mounts.length > 0) again();
  return {
    stop: () => {
      isOver = true;
      clearTimeout(timer);
      for (const { mount, seen } of followed) if (mount.resource === 'secrets') removeFiles(mount.folder, seen.keys);
    },
  };
}

/** What a Secret holds does not stay on the disk. */
function removeFiles(folder: string, keys: readonly string[]): void {
  for (const key of keys) rmSync(join(folder, key), { force: true });
}

/** What was written last: of which version, and the files. */
interface Seen {
  readonly version: string;
  readonly keys: readonly string[];
}

const nothing: Seen = { version: '', keys: [] };

/** Writes the files if the object is another than the one that was seen. */
async function bring(access: ServerAccess, { resource, namespace, name, folder }: Mount, seen: Seen): Promise<Seen> {
  const path = `/api/v1/namespaces/${namespace}/${resource}/${name}`;
  const { code, text } = await callServer(access, { method: 'GET', path });
  if (code !== 200) throw new ConfigError(messageIn(text));
  const answer: JsonValue = JSON.parse(text);
  const object = asObject(answer);
  const version = asString(valueAt(object, 'metadata', 'resourceVersion'));
  if (version === seen.version) return seen;
  const files = filesOf(resource, object);
  writeFiles(folder, files, seen.keys);
  return { version, keys: [...files.keys()] };
}

/** Keys cannot hold a slash, so each names a file of its folder. */
export function filesOf(resource: Mount['resource'], object: JsonObject): ReadonlyMap<string, Buffer> {
  const entries = (field: string, encoding: BufferEncoding): [string, Buffer][] =>
    Object.entries(asObject(object[field])).map(([key, value]) => [key, Buffer.from(asString(value), encoding)]);
  if (resource === 'secrets') return new Map(entries('data', 'base64'));
  return new Map([...entries('data', 'utf8'), ...entries('binaryData', 'base64')]);
}

/** Each file is replaced at once; of those that were written before, the ones whose keys are gone go. */
export function writeFiles(folder: string, files: ReadonlyMap<string, Buffer>, before: readonly string[] = []): void {
  makeFolder(folder, 0o700);
  for (const [key, content] of files) {
    const draft = join(folder, `..${key}.new`);
    writeFileSync(draft, content, { mode: 0o600 });
    renameSync(draft, join(folder, key));
  }
  for (const key of before) if (!files.has(key)) rmSync(join(folder, key), { force: true });
}
