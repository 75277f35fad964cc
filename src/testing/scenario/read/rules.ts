import { isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import type { Located } from './located.ts';
import type { Problems } from './problems.ts';
import { scalarText } from './scalar-text.ts';

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*'];

/** The resources without a group; a CustomResourceDefinition cannot add one. */
const coreResources = [
  'bindings',
  'componentstatuses',
  'configmaps',
  'endpoints',
  'events',
  'limitranges',
  'namespaces',
  'nodes',
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'podtemplates',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'serviceaccounts',
  'services',
];

function checkCore(name: string, at: Located, problems: Problems): void {
  if (name === '*' || coreResources.includes(name)) return;
  const hint = didYouMean(name, coreResources) || `; with its group it is ${name}.GROUP, such as deployments.apps`;
  problems.at(at, `no resource without a group is called ${name}${hint}`);
}

/** `rules` of a webhook in its short forms: `pods`, `CREATE,DELETE deployments.apps/scale`, `* *`. */
export function readRules(at: Located | undefined, problems: Problems): readonly JsonObject[] {
  if (at === undefined) return [];
  const items = Array.isArray(at.value) ? at.items() : [at];
  return items.map((item) => (isJsonObject(item.value) ? item.value : readRule(item, problems)));
}

function readRule(at: Located, problems: Problems): JsonObject {
  const [resource = '', asked = 'CREATE,UPDATE', ...others] = scalarText(at.value).trim().split(/\s+/).toReversed();
  const wanted = readOperations(asked, at, problems);
  const [, name = resource, group, subresource = ''] =
    /^(?<name>[^./]+)(?:\.(?<group>[^/]+))?(?<subresource>\/.+)?$/.exec(resource) ?? [];
  if (others.length > 0 || name === '') problems.at(at, 'must be OPERATIONS RESOURCE, such as CREATE,UPDATE pods');
  else if (group === undefined) checkCore(name, at, problems);
  return {
    operations: wanted,
    apiGroups: [group ?? (name === '*' ? '*' : '')],
    apiVersions: ['*'],
    resources: [`${name}${subresource}`],
  };
}

function readOperations(asked: string, at: Located, problems: Problems): readonly string[] {
  const wanted = asked.toUpperCase().split(',');
  for (const operation of wanted.filter((one) => !operations.includes(one))) {
    problems.at(at, `${operation} is none of ${operations.join(', ')}${didYouMean(operation, operations)}`);
  }
  return wanted;
}
