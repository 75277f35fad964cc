import { basename } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { messageIn, type ServerAccess, fetchObjects } from '../../../adapters/config/kubeconfig/call-server.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { modelOf } from '../../../explain/render/model.ts';
import { maskTrace } from '../../../explain/trace/mask.ts';
import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { documentHead } from '../../../machinery/meta/object.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import { loadScenario } from '../../../testing/scenario/load-scenario.ts';
import { problemText } from '../../../testing/scenario/read/problems.ts';
import { createManifestWriter, type ManifestWriteOptions, streamManifests } from '../manifests.ts';
import { readTrace } from '../explain/trace-source.ts';
import type { McpSession } from './mcp-session.ts';
import {
  withFolder,
  argumentText,
  argumentTextMap,
  argumentTexts,
  isArgumentOn,
  choiceArgument,
  switchArgument,
  textArgument,
  textMapArgument,
  textsArgument,
  type Tool,
  type ToolAnswer,
} from './tool.ts';

const userArguments = {
  user: textArgument('Write as this user; default: kubernetes-admin.'),
  groups: textsArgument('Groups of the user.'),
};

const apply: Tool = {
  name: 'apply',
  description:
    'Write Kubernetes objects to the server, through its whole admission chain. Answers with the verdict, the warnings and the headline of each request.',
  properties: {
    manifests: textArgument('YAML or JSON, several documents separated by ---.'),
    operation: choiceArgument(
      ['apply', 'create', 'delete'],
      'apply (default): create the object, or server-side apply when it exists.',
    ),
    dryRun: switchArgument('Admit, but do not store.'),
    namespace: textArgument('Of objects without one; default: default.'),
    ...userArguments,
  },
  required: ['manifests'],
  run: (args, session) =>
    withFolder(session, { 'manifests.yaml': argumentText(args, 'manifests') }, async (folder) => {
      const access = await readKubeconfig(session.kubeconfig);
      const write = createManifestWriter(access, writeOptions(args));
      const results: JsonObject[] = [];
      for await (const manifest of streamManifests(`${folder}/manifests.yaml`, session.readYaml)) {
        results.push(await writeObject(manifest, { access, write }));
      }
      return toToolAnswer(results);
    }),
};

function writeOptions(
  args: JsonObject,
  operation: ManifestWriteOptions['operation'] = operationOf(args),
): ManifestWriteOptions {
  const user = argumentText(args, 'user');
  const groups = argumentTexts(args, 'groups');
  if (user === '' && groups.length > 0) throw new ConfigError('groups: give a user, too');
  const namespace = argumentText(args, 'namespace');
  return {
    operation,
    dryRun: isArgumentOn(args, 'dryRun'),
    fieldManager: 'kadmit-mcp',
    ...(namespace === '' ? {} : { namespace }),
    ...(user === '' ? {} : { impersonate: { user, groups } }),
  };
}

function operationOf(args: JsonObject): ManifestWriteOptions['operation'] {
  const operation = argumentText(args, 'operation');
  return operation === 'create' || operation === 'delete' ? operation : 'apply';
}

const patch: Tool = {
  name: 'patch',
  description:
    'Patch one object, through the whole admission chain. Takes target, patchType and patch of a remedy of explain.',
  properties: {
    target: {
      type: 'object',
      properties: Object.fromEntries(
        ['apiVersion', 'kind', 'name'].map((field) => [field, { type: 'string', minLength: 1 }]),
      ),
      required: ['apiVersion', 'kind', 'name'],
      description: 'The object.',
    },
    patchType: choiceArgument(['strategic', 'merge', 'json'], 'strategic is for built-in kinds only.'),
    patch: { type: ['object', 'array'], description: 'An object or, with patchType json, a list of operations.' },
    dryRun: switchArgument('Admit, but do not store.'),
    namespace: textArgument('Of the object; default: default.'),
    ...userArguments,
  },
  required: ['target', 'patchType', 'patch'],
  run: async (args, session) => {
    const target = asObject(args['target']);
    const head = documentHead({ ...target, metadata: { name: target['name'] ?? '' } });
    if (typeof head === 'string') throw new ConfigError(`target: ${head}`);
    const patchType = patchTypeOf(args);
    const access = await readKubeconfig(session.kubeconfig);
    const write = createManifestWriter(access, writeOptions(args, { patchType, patch: args['patch'] ?? {} }));
    return toToolAnswer([await writeObject({ ...head, place: 'target' }, { access, write })]);
  },
};

const patchTypeOf = (args: JsonObject): 'strategic' | 'merge' | 'json' => {
  const given = argumentText(args, 'patchType');
  return given === 'merge' || given === 'json' ? given : 'strategic';
};

type WrittenObject = Parameters<ReturnType<typeof createManifestWriter>>[0];

async function writeObject(
  object: WrittenObject,
  { access, write }: { readonly access: ServerAccess; readonly write: ReturnType<typeof createManifestWriter> },
): Promise<JsonObject> {
  const { code, auditId, text } = await write(object);
  return { object: objectTitle(object), code, ...(await readOutcome(access, auditId, text, code)) };
}

function toToolAnswer(results: readonly JsonObject[]): ToolAnswer {
  const isError = results.some(({ code }) => Number(code) >= 400);
  return { text: results.map(resultText).join('\n'), data: { results }, ...(isError ? { isError } : {}) };
}

const objectTitle = ({ kind, namespace, name }: WrittenObject): string =>
  `${apiVersionOf(kind)} ${kind.kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;

/** Reads and requests before admission have no trace. */
async function readOutcome(access: ServerAccess, id: string, answer: string, code: number): Promise<JsonObject> {
  const message = code < 400 ? {} : { message: messageIn(answer).trim() };
  const trace = id === '' ? undefined : await readTrace(access, id).catch(() => undefined);
  if (trace === undefined) return message;
  const { headline, warnings } = modelOf(maskTrace(trace));
  return { id, headline: headline.text, ...message, warnings };
}

const resultText = ({ object, code, headline, message, warnings, id }: JsonObject): string =>
  [
    `${asString(object)}: ${Number(code) < 400 ? 'admitted' : 'refused'} (${Number(code)})${id === undefined ? '' : `, request ${asString(id)}`}`,
    ...(headline === undefined ? [] : [`  ${asString(headline)}`]),
    ...(message === undefined ? [] : [`  ${asString(message)}`]),
    ...asList(warnings).map((one) => `  Warning: ${asString(one)}`),
  ].join('\n');

const webhookStub: Tool = {
  name: 'webhook_stub',
  description:
    'Declare stub webhooks in the format of `webhooks:` of a scenario (resource kadmit://schemas/scenario): their configuration and what they do, by behaviours, faults or a script. A stub of an existing name is replaced.',
  properties: {
    webhooks: {
      type: 'array',
      minItems: 1,
      items: { type: 'object' },
      description:
        'Each with name (three parts: labels.example.com) and does (allow, deny, label, set, patch, script: FILE, …) or faults. With type (mutating or validating) and rules, such as "CREATE pods", its configuration is stored; without, it answers for a webhook of a stored configuration.',
    },
    files: textMapArgument('Scripts by file name: {"review.js": "export default function (review) { … }"}.'),
  },
  required: ['webhooks'],
  run: addStubs,
};

async function addStubs(args: JsonObject, session: McpSession): Promise<ToolAnswer> {
  const server = ownServerOf(session, 'webhook_stub');
  const webhooks = asList(args['webhooks']).map(asObject);
  const stored = await storedConfigurations(session, webhooks);
  // A scenario needs a step; this one does not run.
  const steps = [{ name: 'none', delete: 'configmaps/none' }];
  const folder = session.keepFiles({
    ...argumentTextMap(args, 'files'),
    [storedFile]: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: stored }),
    'scenario.yaml': JSON.stringify({ ...(stored.length > 0 ? { load: [storedFile] } : {}), webhooks, steps }, null, 1),
  });
  const loading = await loadScenario(`${folder}/scenario.yaml`);
  if (loading.outcome === 'unreadable')
    return { text: loading.problems.map(problemText).join('\n').replaceAll(`${folder}/`, ''), isError: true };
  const { webhooks: stubs, load } = loading.scenario;
  const isStored = ({ place }: (typeof load)[number]): boolean => basename(place.file) === storedFile;
  await server.addStubs({ webhooks: stubs, load: load.filter((manifest) => !isStored(manifest)) });
  const names = webhooks.map(({ name }) => asString(name));
  return { text: `stub webhooks: ${names.join(', ')}`, data: { webhooks: names } };
}

const storedFile = '.stored.json';

/** The configurations on the server of the webhooks that come without one. */
async function storedConfigurations(
  { kubeconfig }: McpSession,
  webhooks: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const names = new Set(webhooks.filter(({ type }) => type === undefined).map(({ name }) => name));
  const found = await fetchObjects(
    await readKubeconfig(kubeconfig),
    ['mutating', 'validating'].map((type) => `/apis/admissionregistration.k8s.io/v1/${type}webhookconfigurations`),
  );
  return found.filter((one) => asList(one['webhooks']).some((webhook) => names.has(asObject(webhook)['name'])));
}

const reset: Tool = {
  name: 'reset',
  description: 'Restore the state after the start: objects, stub webhooks and recorded requests.',
  properties: {},
  required: [],
  run: async (_args, session) => {
    await ownServerOf(session, 'reset').reset();
    return { text: 'the server is as it was after its start' };
  },
};

function ownServerOf({ ownServer }: McpSession, tool: string): NonNullable<McpSession['ownServer']> {
  if (ownServer === undefined)
    throw new ConfigError(`${tool} needs a server of its own: start kadmit mcp without --kubeconfig`);
  return ownServer;
}

/** The tools that change the server. */
export const writeTools: readonly Tool[] = [apply, patch, webhookStub, reset];
