import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { asList, asObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { celContexts } from '../cel/answer.ts';
import type { McpSession } from './mcp-session.ts';
import {
  argumentFlags,
  toolAnswerOf,
  documentIn,
  flagsOf,
  runJson,
  runText,
  withFolder,
  argumentText,
  argumentTextMap,
  argumentTexts,
  isArgumentOn,
  choiceArgument,
  objectArgument,
  switchArgument,
  textArgument,
  textMapArgument,
  textsArgument,
  type Tool,
  type ToolAnswer,
} from './tool.ts';

const filesArgument = textMapArgument('Files that it names, such as scripts and manifests, by relative path.');

/** Arguments of `cel` that its flags name as files. */
const celFiles = ['object', 'oldObject', 'request', 'params', 'namespaceObject', 'schema'];

const cel: Tool = {
  name: 'cel',
  description:
    'Evaluate a CEL expression as the API server does: value, type and cost, or the error with its position.',
  properties: {
    expression: textArgument('Such as object.spec.replicas <= 5.'),
    object: objectArgument('The variable object; self with context crd.'),
    oldObject: objectArgument('The variable oldObject; oldSelf with context crd.'),
    request: objectArgument('The variable request, or an AdmissionReview.'),
    params: objectArgument('The variable params, with context validation.'),
    namespaceObject: objectArgument('The variable namespaceObject.'),
    schema: objectArgument('OpenAPI schema or CustomResourceDefinition of self, with context crd.'),
    context: choiceArgument(celContexts, 'Where the expression is used; default: any type of result.'),
    explain: switchArgument('The result of every part of the expression.'),
  },
  required: ['expression'],
  run: (args, session) => {
    const given = celFiles.filter((name) => args[name] !== undefined);
    const files = Object.fromEntries(given.map((name) => [`${name}.json`, writeJson(args[name] ?? null)]));
    return withFolder(session, files, async (folder) => {
      const paths = Object.fromEntries(given.map((name) => [name, `${folder}/${name}.json`]));
      const answer = await runJson(session, [
        'cel',
        '-o',
        'json',
        ...argumentFlags({ ...args, ...paths }, [...given, 'context', 'explain']),
        '--',
        argumentText(args, 'expression'),
      ]);
      if (/\bauthorizer\b/.test(argumentText(args, 'expression')))
        return unknownResult(
          'authorizer denies everything here: evaluate the expression in a policy, with apply',
          answer,
        );
      // An expression that does not compile has no type.
      return answer.data?.['type'] === undefined ? { ...answer, isError: true } : answer;
    });
  },
};

const lint: Tool = {
  name: 'lint',
  description: 'Find faults in webhook configurations, policies and bindings, with a code, a place and a remedy each.',
  properties: {
    manifests: textArgument('YAML or JSON, several documents separated by ---.'),
    paths: textsArgument('Files and folders, instead of or besides manifests.'),
    server: switchArgument('Also the objects of the server.'),
    ignore: textsArgument('Rules to skip (resource kadmit://lint-rules).'),
  },
  required: [],
  run: (args, session) =>
    withManifests(args, session, async (paths) => {
      const isServer = isArgumentOn(args, 'server');
      if (paths.length === 0 && !isServer) throw new ConfigError('lint: give manifests, paths or server');
      const options = {
        ignore: argumentTexts(args, 'ignore').join(','),
        'fail-on': 'never',
        kubeconfig: isServer ? session.kubeconfig : '',
      };
      const answer = await runText(session, ['lint', ...paths, ...flagsOf(options)]);
      return answer.data?.['objects'] === 0 ? unknownResult('there is no object to check', answer) : answer;
    }),
};

/** `manifests`, written to a file, and `paths`. */
function withManifests(
  args: JsonObject,
  session: McpSession,
  work: (paths: readonly string[]) => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  const manifests = argumentText(args, 'manifests');
  return withFolder(session, manifests === '' ? {} : { 'manifests.yaml': manifests }, (folder) =>
    work([...(manifests === '' ? [] : [`${folder}/manifests.yaml`]), ...argumentTexts(args, 'paths')]),
  );
}

const scenarioArguments = {
  scenario: textArgument('The text of a scenario.yaml (resource kadmit://schemas/scenario).'),
  files: filesArgument,
  paths: textsArgument('Scenarios and folders of scenarios, instead of scenario.'),
};

/** `scenario` with its files, written to a folder, and `paths`. */
function withScenarios(
  args: JsonObject,
  session: McpSession,
  work: (paths: readonly string[]) => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  const scenario = argumentText(args, 'scenario');
  const files = { ...argumentTextMap(args, 'files'), ...(scenario === '' ? {} : { 'scenario.yaml': scenario }) };
  return withFolder(session, files, (folder) =>
    work([...(scenario === '' ? [] : [`${folder}/scenario.yaml`]), ...argumentTexts(args, 'paths')]),
  );
}

const test: Tool = {
  name: 'test',
  description: 'Run scenarios, with an API server of their own for each, and explain failures.',
  properties: {
    ...scenarioArguments,
    filter: textArgument('Only scenarios whose name or file contains this.'),
    kubernetesVersion: textArgument('The release of Kubernetes, such as 1.37.'),
  },
  required: [],
  run: (args, session) =>
    withScenarios(args, session, (paths) => {
      if (paths.length === 0) throw new ConfigError('test: give scenario or paths');
      return withFolder(session, {}, async (folder) => {
        const file = join(folder, 'report.json');
        const result = await session.runCommand([
          'test',
          ...paths,
          ...argumentFlags(args, ['filter', 'kubernetesVersion']),
          ...flagsOf({ report: ['pretty', `json=${file}`] }),
        ]);
        return toolAnswerOf(result, existsSync(file) ? documentIn(readFileSync(file, 'utf8')) : undefined);
      });
    }),
};

/** `order` and `idempotency`. */
const trial = (name: string, description: string): Tool => ({
  name,
  description,
  properties: {
    ...scenarioArguments,
    load: textArgument('Instead of scenarios: YAML of configurations, policies and definitions.'),
    objects: textArgument('With load: YAML of the objects to create.'),
    to: textMapArgument('With load: the URL of each webhook. One without is not called, and the result is unknown.'),
  },
  required: [],
  run: (args, session) =>
    withScenarios(args, session, async (paths) => {
      const load = argumentText(args, 'load');
      if (load === '' && paths.length === 0) throw new ConfigError(`${name}: give scenario, paths or load`);
      if (load === '') return withUndecidedAsError(await runText(session, [name, ...paths]));
      return withFolder(session, { 'load.yaml': load, 'objects.yaml': argumentText(args, 'objects') }, async (folder) =>
        withUndecidedAsError(
          await runText(session, [
            name,
            ...flagsOf({
              load: `${folder}/load.yaml`,
              filename: `${folder}/objects.yaml`,
              to: Object.entries(argumentTextMap(args, 'to')).map(([webhook, url]) => `${webhook}=${url}`),
            }),
          ]),
        ),
      );
    }),
});

/** What no webhook answered is unknown. */
function withUndecidedAsError(answer: ToolAnswer): ToolAnswer {
  const requests = asList(answer.data?.['reports']).flatMap((report) =>
    asList(asObject(report)['requests']).map(asObject),
  );
  const listed = (field: string): readonly JsonValue[] => requests.flatMap((request) => asList(request[field]));
  if (answer.isError === true) return answer;
  const why =
    listed('unanswered').length > 0
      ? 'a webhook could not be called: start it, or give its URL in to'
      : listed('webhooks').length === 0
        ? 'no mutating webhook or policy matches these requests, and nothing was tried: declare one, or change its rules'
        : '';
  return why === '' ? answer : unknownResult(why, answer);
}

const unknownResult = (why: string, answer: ToolAnswer): ToolAnswer => ({
  ...answer,
  isError: true,
  text: `unknown: ${why}\n${answer.text}`,
});

const compat: Tool = {
  name: 'compat',
  description:
    'What changes for these manifests when the cluster is upgraded from one release of Kubernetes to another? Calls no webhook.',
  properties: {
    from: textArgument('The release now, such as 1.35.'),
    to: textArgument('The release after the upgrade, such as 1.37.'),
    manifests: textArgument('YAML of configurations, policies, definitions and objects.'),
    paths: textsArgument('Files and folders, instead of or besides manifests.'),
  },
  required: ['from', 'to'],
  run: (args, session) =>
    withManifests(args, session, (paths) => {
      if (paths.length === 0) throw new ConfigError('compat: give manifests or paths');
      return runText(session, ['compat', ...paths, ...argumentFlags(args, ['from', 'to'])]);
    }),
};

/** The tools that have worlds of their own, or none. */
export const offlineTools: readonly Tool[] = [
  cel,
  lint,
  test,
  trial('order', 'Does the result depend on the order in which mutating webhooks run? Tries every order.'),
  trial('idempotency', 'Do mutating webhooks change their own output when they are called again?'),
  compat,
];
