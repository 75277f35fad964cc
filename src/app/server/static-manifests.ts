import type { Registry } from 'prom-client';
import { caBundleError } from '../../api/validation/certificates/x509.ts';
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { createLazyExpressions } from '../../apiserver/admission/matching/lazy-expressions.ts';
import {
  type LoadConfigurationPorts,
  type ManifestFile,
  loadStaticConfigurations,
} from '../../apiserver/admission/configuration/manifests/load-manifests.ts';
import {
  type ManifestPlugin,
  manifestKindsOf,
  type LoadedManifests,
} from '../../apiserver/admission/configuration/manifests/static-manifests.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { commandFailed } from '../../adapters/config/config-error.ts';
import { createLazyEngine } from '../../apiserver/custom-resources/engine.ts';
import { createRequestStrategies } from '../../apiserver/request/strategies.ts';
import { defaultRelease } from '../../api/release/load-release.ts';
import type { Log } from '../../adapters/telemetry/log.ts';
import { type RecordReload, createManifestMetrics } from '../../adapters/telemetry/admission-metrics.ts';
import type { Closing } from './closing.ts';
import { watchFolder } from './watch-folder.ts';
import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type GoResult, tryGo } from '../../adapters/config/read-files.ts';
import { readRegularFile } from '../../adapters/files/bounded-file.ts';

export interface ManifestParts {
  readonly manifests: LoadedManifests;
  readonly log: Log;
  readonly now: () => number;
  readonly registry: Registry;
}

interface Following extends Pick<ManifestParts, 'manifests' | 'log'> {
  readonly recordReload: RecordReload;
}

/**
 * Reads the folders of the plugins, and again when they change; after an error the old manifests stay in force, with a line in
 * the log. Rejects with StartFailure for an unusable folder at the start.
 * Follows apiserver pkg/admission/plugin/webhook/manifest/source and policy/manifest/source (rules STA-2, STA-8).
 */
export async function followManifests(
  folders: ReadonlyMap<ManifestPlugin, string>,
  { now, registry, ...given }: ManifestParts,
  closing: Closing,
): Promise<void> {
  if (folders.size === 0) return;
  const parts = { ...given, recordReload: createManifestMetrics(registry, now, serverIdHash()) };
  const ports = loadPorts();
  for (const [plugin, folder] of folders) {
    const read = createReader(plugin, folder, parts, ports);
    const error = await read();
    if (error !== undefined) {
      const { about } = manifestKindsOf(plugin);
      throw commandFailed(
        `failed to apply admission: failed to initialize admission plugin ${goQuote(plugin)}: failed to load static ${about} manifests from ${goQuote(folder)}: ${error}`,
      );
    }
    closing.add(
      watchFolder(
        folder,
        serializeRuns(() => reload(read, { plugin, folder }, parts)),
      ).end,
    );
  }
}

type Read = () => Promise<string | undefined>;

/** Reads the folder if it has changed; resolves with the problem. */
function createReader(
  plugin: ManifestPlugin,
  folder: string,
  { manifests, recordReload }: Following,
  ports: LoadConfigurationPorts,
): Read {
  let last: string | undefined;
  return async () => {
    const state = readManifestFolder(folder);
    if (!state.ok) return state.error;
    const { files, hash } = state.value;
    if (hash === last) return undefined;
    const loaded = await loadStaticConfigurations(files, plugin, ports);
    if (!loaded.ok) return loaded.error;
    last = hash;
    manifests.replace(plugin, loaded.value);
    recordReload(plugin, hash);
    return undefined;
  };
}

async function reload(
  read: Read,
  { plugin, folder }: { readonly plugin: ManifestPlugin; readonly folder: string },
  { recordReload, log }: Following,
): Promise<void> {
  const error = await read();
  if (error === undefined) return;
  recordReload(plugin, undefined);
  log.error(`${plugin}: ${folder} cannot be reloaded, the previous manifests stay in force: ${error}`);
}

/** Calls during a run start one more run afterwards. */
function serializeRuns(act: () => Promise<void>): () => void {
  let running = false;
  let requested = false;
  const run = async (): Promise<void> => {
    running = true;
    while (requested) {
      requested = false;
      await act();
    }
    running = false;
  };
  return () => {
    requested = true;
    if (!running) void run();
  };
}

/** Validates objects as the API does. */
function loadPorts(): LoadConfigurationPorts {
  const expressions = createLazyExpressions(() => import('../../cel/index.ts'));
  const engine = createLazyEngine(() => import('../../api/crd/engine.ts'));
  const strategyFor = createRequestStrategies(defaultRelease.strategyFor, expressions, engine.get, {
    allowPrivileged: true,
    reservesStaticNames: false,
    release: defaultRelease.minor,
    caBundleError,
  });
  return {
    codec: defaultRelease.codec,
    validate: async (object) => {
      await expressions.load();
      const strategy = strategyFor({ group: 'admissionregistration.k8s.io', resource: resources[object.kind] ?? '' });
      return strategy.validate(object);
    },
  };
}

const resources: Readonly<Record<string, string>> = {
  MutatingAdmissionPolicy: 'mutatingadmissionpolicies',
  MutatingAdmissionPolicyBinding: 'mutatingadmissionpolicybindings',
  MutatingWebhookConfiguration: 'mutatingwebhookconfigurations',
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
  ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
};

/** The server id in upstream's metrics. Follows apiserver pkg/server/config.go. */
export function serverIdHash(host = hostname()): string {
  const prefixed = (text: string): Buffer => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(Buffer.byteLength(text));
    return Buffer.concat([length, Buffer.from(text)]);
  };
  const hash = createHash('sha256').update(prefixed(host)).update(prefixed('kube-apiserver')).digest();
  return `sha256:${createHash('sha256')
    .update(`apiserver-${base32(hash.subarray(0, 16))}`)
    .digest('hex')}`;
}

const base32 = (bytes: Buffer): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
};

/** The files by name, and a hash of their contents; '' without files. */
export interface FolderState {
  readonly files: readonly ManifestFile[];
  readonly hash: string;
}

const extensions: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);

/** Follows apiserver pkg/admission/plugin/manifest/loader.go LoadFiles. */
export function readManifestFolder(folder: string): GoResult<FolderState> {
  const entries = tryGo(() => readdirSync(folder, { withFileTypes: true }));
  if (!entries.ok) {
    return wrong(`failed to read manifest directory ${goQuote(folder)}: open ${folder}: ${entries.error}`);
  }
  const names = entries.value.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  const files: ManifestFile[] = [];
  const hash = createHash('sha256');
  for (const name of names.filter((one) => extensions.has(extname(one).toLowerCase())).toSorted()) {
    const path = join(folder, name);
    const text = tryGo(() => readRegularFile(path));
    if (!text.ok) return wrong(`failed to read file ${goQuote(path)}: open ${path}: ${text.error}`);
    if (text.value === '') continue;
    hash.update(text.value).update('\0');
    files.push({ path, text: text.value });
  }
  return { ok: true, value: { files, hash: files.length === 0 ? '' : `sha256:${hash.digest('hex')}` } };
}

const wrong = (error: string): GoResult<never> => ({ ok: false, error });
