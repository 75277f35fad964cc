import { asList, asObject, asString, isJsonObject, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import { defaultRelease } from '../../../api/release/load-release.ts';
import { hidesReviews, isReview } from '../../../machinery/meta/hidden-reviews.ts';
import type { Operation } from '../../../apiserver/admission/chain/attributes.ts';
import { ruleMatches } from '../../../apiserver/admission/matching/match-rules.ts';
import type { MatchRule } from '../../../apiserver/admission/matching/match-selectors.ts';

export interface ServedRow {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** '' for the resource itself. */
  readonly subresource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly deletesCollections: boolean;
  /** False: known only from a rule. */
  readonly isKnown: boolean;
  readonly isBuiltin: boolean;
}

const builtinRows: readonly ServedRow[] = defaultRelease
  .createCatalogue()
  .all()
  .map(({ group, version, resource, subresource, kind, namespaced, verbs }) => ({
    group,
    version,
    resource,
    subresource,
    namespaced,
    deletesCollections: verbs.includes('deletecollection'),
    kind: kind.kind,
    isKnown: true,
    isBuiltin: true,
  }));

/** Built-in resources and those of these CustomResourceDefinitions. */
export const servedRows = (definitions: readonly JsonObject[]): readonly ServedRow[] => [
  ...builtinRows,
  ...definitions.flatMap(definitionRows),
];

function definitionRows(definition: JsonObject): readonly ServedRow[] {
  const spec = asObject(definition['spec']);
  const names = asObject(spec['names']);
  return asList(spec['versions'])
    .map(asObject)
    .filter(({ served }) => served === true)
    .flatMap((version) => {
      const common = {
        group: asString(spec['group']),
        version: asString(version['name']),
        resource: asString(names['plural']),
        kind: asString(names['kind']),
        namespaced: spec['scope'] !== 'Cluster',
        deletesCollections: true,
        isKnown: true,
        isBuiltin: false,
      };
      const own = ['status', 'scale'].filter((one) => isJsonObject(valueAt(version, 'subresources', one)));
      return ['', ...own].map((subresource) => ({ ...common, subresource }));
    });
}

/** `pods/status`, `deployments.apps`. */
export const resourceName = ({
  group,
  resource,
  subresource,
}: Pick<ServedRow, 'group' | 'resource' | 'subresource'>): string =>
  `${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}`;

export interface MatchedRequest {
  readonly operation: Operation;
  readonly row: ServedRow;
  readonly rule: number;
}

const connectSubresources = new Set(['exec', 'attach', 'portforward', 'proxy']);
const createSubresources = new Set(['binding', 'eviction', 'token']);

export function operationsOn({ subresource }: Pick<ServedRow, 'subresource'>): readonly Operation[] {
  if (subresource === '') return ['CREATE', 'UPDATE', 'DELETE'];
  if (connectSubresources.has(subresource)) return ['CONNECT'];
  return createSubresources.has(subresource) ? ['CREATE'] : ['UPDATE'];
}

/** Known resources, and groups that may have others. */
export interface ServedRows {
  readonly rows: readonly ServedRow[];
  readonly mayServe: (group: string) => boolean;
}

/** Kinds of requests that one of these rules matches, among known resources and those that only the rules name. */
export function matchedRequests(
  rules: readonly MatchRule[],
  { rows, mayServe }: ServedRows,
): readonly MatchedRequest[] {
  const foreign = rules.flatMap((rule) => unknownRows(rule, { rows, mayServe }));
  return [...rowsNamedBy(rules, rows), ...foreign].flatMap((row) =>
    operationsOn(row).flatMap((operation) => {
      const rule = rules.findIndex((one) => ruleMatchesRow(one, row, operation));
      return rule < 0 ? [] : [{ operation, row, rule }];
    }),
  );
}

export function ruleMatchesRow(rule: MatchRule, row: ServedRow, operation: Operation): boolean {
  const { group, version, resource, subresource, namespaced } = row;
  const subject = {
    operation,
    resource: { group, version, resource },
    subresource,
    namespace: namespaced ? 'any' : '',
  };
  return !isExempt(row) && ruleMatches({ ...rule, resourceNames: [] }, subject);
}

/** Webhooks receive neither admission configurations nor, since 1.37, reviews. */
const isExempt = (row: ServedRow): boolean =>
  row.group === 'admissionregistration.k8s.io' || (isReview(row) && defaultRelease.isOn(hidesReviews));

/** Most rules name their resources: others are skipped. */
function rowsNamedBy(rules: readonly MatchRule[], rows: readonly ServedRow[]): readonly ServedRow[] {
  const named = rules.flatMap(({ resources }) => resources.map((one) => one.split('/')[0] ?? ''));
  if (named.includes('*')) return rows;
  const wanted = new Set(named);
  return rows.filter(({ resource }) => wanted.has(resource));
}

/** Resources of unknown groups that rules name. */
function unknownRows(
  { apiGroups, apiVersions, resources, scope }: MatchRule,
  { rows, mayServe }: ServedRows,
): readonly ServedRow[] {
  const unknown = apiGroups.filter(
    (group) => group.includes('.') && !isOwnGroup(group) && mayServe(group) && !rows.some((row) => row.group === group),
  );
  return unknown.flatMap((group) =>
    apiVersions.flatMap((version) =>
      resources.map((pattern) => {
        const [resource = '', subresource = ''] = pattern.split('/');
        return {
          group,
          version,
          resource,
          kind: resource,
          namespaced: scope !== 'Cluster',
          deletesCollections: true,
          subresource: subresource === '*' ? '' : subresource,
          isKnown: false,
          isBuiltin: false,
        };
      }),
    ),
  );
}

/** Kubernetes' own groups: their unknown resources do not exist. */
export const isOwnGroup = (group: string): boolean =>
  ['', 'apps', 'autoscaling', 'batch', 'extensions', 'policy'].includes(group) || builtinDomains.has(group);

const builtinDomains = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'lifecycle.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
]);
