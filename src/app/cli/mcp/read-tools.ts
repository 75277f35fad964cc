import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import {
  argumentFlags,
  documentIn,
  flagsOf,
  runJson,
  runText,
  withFolder,
  argumentText,
  choiceArgument,
  switchArgument,
  textArgument,
  textsArgument,
  type Tool,
} from './tool.ts';

const explain: Tool = {
  name: 'explain',
  description:
    'Why was a request admitted, changed or refused, and why was a webhook or policy not called? Answers with the headline, findings with remedies, a table of all webhooks and policies, and remedies as commands and patches.',
  properties: {
    request: textArgument('The id of a request, TYPE/NAME of an object for its last write, or last (default).'),
    namespace: textArgument('Of TYPE/NAME.'),
    webhook: textArgument('Only webhooks whose name or configuration contains this.'),
    all: switchArgument('Also webhooks whose rules do not match, and complete diffs.'),
  },
  required: [],
  run: async (args, session) => {
    const { kubeconfig, runCommand } = session;
    const request = argumentText(args, 'request') || 'last';
    const where = [...argumentFlags(args, ['namespace']), ...flagsOf({ kubeconfig })];
    const { out, error } = await runCommand(['explain', request, ...where, '-o', 'json']);
    const document = documentIn(out);
    if (document === undefined) return { text: error, isError: true };
    const explanations = (document['items'] === undefined ? [document] : asList(document['items'])).map(asObject);
    // Another request may have become the last one.
    const same = request === 'last' ? asString(document['id']) : request;
    const shown = await runCommand(['explain', same, ...where, ...argumentFlags(args, ['webhook', 'all'])]);
    if (shown.exitCode !== 0) return { text: shown.error, isError: true };
    const remedies = explanations.flatMap((one) => asList(one['remedies']).map(asObject));
    const lines = remedies.map((one) => `  ${asString(one['text'])}: ${asString(one['command'])}`);
    return {
      text: [shown.out, ...(lines.length === 0 ? [] : ['', 'Remedies', ...lines])].join('\n'),
      data: { explanations: explanations.map(withoutTrace) },
    };
  },
};

/** What a person reads first, without the trace itself. */
const withoutTrace = ({ id, verdict, headline, findings, remedies, table, response }: JsonObject): JsonObject => ({
  ...dropUndefined({ id, verdict, headline, findings, remedies, table }),
  code: asObject(response)['code'] ?? null,
});

const dropUndefined = (fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const requests: Tool = {
  name: 'requests',
  description: 'List the recent writes with their verdict, webhooks and findings, newest last.',
  properties: {
    last: { type: 'integer', minimum: 1, maximum: 200, description: 'How many; default 20.' },
    refused: switchArgument('Only refused ones.'),
    findings: switchArgument('Only those with findings.'),
    resource: textArgument('Only this resource: pods, deploy, deployments.apps.'),
    namespace: textArgument('Only this namespace.'),
    webhook: textArgument('Only those with a webhook, called or skipped, whose name contains this.'),
    user: textArgument('Only those of this user.'),
  },
  required: [],
  run: async (args, session) => {
    const command = [
      'requests',
      ...argumentFlags({ last: 20, ...args }, [
        'last',
        'refused',
        'findings',
        'resource',
        'namespace',
        'webhook',
        'user',
      ]),
      ...flagsOf({ kubeconfig: session.kubeconfig }),
    ];
    const answer = await runJson(session, [...command, '-o', 'json']);
    if (answer.isError === true) return answer;
    const isEmpty = asList(answer.data?.['items']).length === 0;
    return { ...answer, text: isEmpty ? 'no recorded write matches' : (await session.runCommand(command)).out };
  },
};

const chain: Tool = {
  name: 'chain',
  description:
    'Which plugins, policies and webhooks would a request go through, and why not? Writes nothing and calls no webhook. An outcome that depends on the object is reported as such.',
  properties: {
    resource: textArgument('RESOURCE or RESOURCE/SUBRESOURCE, such as pods or deployments.apps/scale.'),
    manifest: textArgument('YAML of the object of the request, instead of resource.'),
    verb: choiceArgument(['create', 'update', 'patch', 'delete', 'connect'], 'Default create.'),
    namespace: textArgument('Of the request, unless the object has one.'),
    user: textArgument('Of the request; default kubernetes-admin.'),
    groups: textsArgument('Groups of the user.'),
  },
  required: [],
  run: (args, session) => {
    const given = argumentText(args, 'manifest');
    return withFolder(session, given === '' ? {} : { 'object.yaml': given }, (folder) =>
      runText(session, [
        'chain',
        ...[argumentText(args, 'resource')].filter((one) => one !== ''),
        ...argumentFlags(args, ['verb', 'namespace', ['user', 'as'], ['groups', 'as-group']]),
        ...flagsOf({ filename: given === '' ? '' : `${folder}/object.yaml`, kubeconfig: session.kubeconfig }),
      ]),
    );
  },
};

/** The tools that only read from the server. */
export const readTools: readonly Tool[] = [explain, requests, chain];
