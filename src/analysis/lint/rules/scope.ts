import { type LintHook, type LintSet, excludeNamespaces } from '../model/lint-set.ts';
import { webhookTitle, webhookField, type LintCheck, type UnplacedFinding } from '../finding.ts';
import { resourceName, type MatchedRequest, type ServedRow } from '../model/served-rows.ts';

/** All resources of all groups with failurePolicy Fail: an outage of the backend stops the cluster. */
export const wildcardFail: LintCheck = (set) =>
  set.hooks.flatMap((hook) => {
    const { webhook } = hook;
    const isOpen = webhook.namespaceSelector.outcome === 'selector' && webhook.namespaceSelector.selector.isEmpty;
    const isAny = webhook.objectSelector.outcome === 'selector' && webhook.objectSelector.selector.isEmpty;
    const index = webhook.rules.findIndex(
      ({ apiGroups, resources }) => apiGroups.includes('*') && resources.some((one) => one === '*' || one === '*/*'),
    );
    if (webhook.failurePolicy !== 'Fail' || index < 0 || !isOpen || !isAny || webhook.matchConditions.length > 0)
      return [];
    return [
      {
        ...webhookField(hook, 'rules', excludeNamespaces(hook, ['kube-system', 'kube-node-lease'])),
        rule: 'wildcard-fail',
        severity: 'warning',
        title: `${webhookTitle(hook)} matches every resource of every group in every namespace and fails closed`,
        harm: 'while its backend is down, nothing in the cluster can be written; it also matches definitions that are added later',
        remedy:
          'list the groups and resources that it handles, exclude system namespaces, or set failurePolicy: Ignore',
      },
    ];
  });

const handledSubresources = new Set([
  'status',
  'binding',
  'eviction',
  'exec',
  'attach',
  'portforward',
  'proxy',
  'scale',
  'token',
  'approval',
  'finalize',
]);

/** `*` after a slash matches subresources that a handler for the resource does not expect. */
export const unexpectedSubresources: LintCheck = (set) =>
  set.hooks.flatMap((hook) => {
    const wild = hook.webhook.rules.flatMap((rule, at) =>
      rule.resources.some((one) => one.endsWith('/*')) ? [at] : [],
    );
    const subresources = hook.seen.filter(
      ({ rule, row }) =>
        wild.includes(rule) && row.isBuiltin && handledSubresources.has(row.subresource) && row.subresource !== '',
    );
    if (subresources.length === 0) return [];
    const names = [...new Set(subresources.map(({ row }) => resourceName(row)))];
    const others = subresources.filter(({ row }) => row.kind !== mainKind(set, row));
    const example = others[0]?.row;
    return [
      {
        ...webhookField(hook, 'rules'),
        rule: 'unexpected-subresources',
        severity: hook.webhook.failurePolicy === 'Fail' ? 'warning' : 'note',
        title: `${webhookTitle(hook)} matches subresources: ${shortenNames(names)}`,
        harm: `${example ? `the object of ${resourceName(example)} is a ${example.kind} without the labels of the parent object; ` : ''}controllers write the status often, and each write waits for the webhook`,
        remedy:
          'list the subresources that the handler supports; a name without a slash matches only the resource itself',
      },
    ];
  });

const mainKind = ({ rows }: LintSet, { group, version, resource }: ServedRow): string =>
  rows.find(
    (row) => row.group === group && row.version === version && row.resource === resource && row.subresource === '',
  )?.kind ?? '';

const shortenNames = (names: readonly string[]): string =>
  names.length > 6 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');

/** matchPolicy Exact misses clients that use another version. */
export const versionBypass: LintCheck = (set) =>
  set.hooks.filter(({ webhook }) => webhook.matchPolicy === 'Exact').flatMap((hook) => findBypass(hook, set));

function findBypass(hook: LintHook, set: LintSet): readonly UnplacedFinding[] {
  const isSeen = (row: ServedRow, { operation }: MatchedRequest): boolean =>
    hook.seen.some((one) => one.row === row && one.operation === operation);
  for (const seen of hook.seen) {
    const { group, resource, subresource } = seen.row;
    const other = set.rows.find(
      (row) =>
        row.group === group && row.resource === resource && row.subresource === subresource && !isSeen(row, seen),
    );
    if (other === undefined) continue;
    return [
      {
        ...webhookField(hook, 'matchPolicy', { matchPolicy: 'Equivalent' }),
        rule: 'version-bypass',
        severity: 'warning',
        title: `${webhookTitle(hook)} is not called when ${resourceName(other)} is written as ${other.version}: matchPolicy is Exact and its rules have ${seen.row.version}`,
        harm: 'objects written in the other served version are neither validated nor mutated',
        remedy: 'set matchPolicy: Equivalent (the default), or list all versions in the rules',
      },
    ];
  }
  return [];
}

/** Reinvocation repeats side effects. */
export const againWithSideEffects: LintCheck = ({ hooks }) =>
  hooks
    .filter(
      ({ phase, webhook }) =>
        phase === 'mutating' && webhook.reinvocationPolicy === 'IfNeeded' && webhook.sideEffects !== 'None',
    )
    .map((hook) => ({
      ...webhookField(hook, 'reinvocationPolicy', { reinvocationPolicy: 'Never' }),
      rule: 'again-with-side-effects',
      severity: 'warning',
      title: `${webhookTitle(hook)} has reinvocationPolicy IfNeeded and side effects (${hook.webhook.sideEffects ?? 'unknown'})`,
      harm: 'when another webhook changes the object later, its side effects happen twice for one request; they also happen for requests that are refused later',
      remedy: 'move the side effects into a controller, or set reinvocationPolicy: Never',
    }));

/** Several webhooks mutate the same resource: earlier ones do not see later changes. */
export const hookCalledTooEarly: LintCheck = ({ hooks }) => {
  const mutators = hooks.filter(({ phase }) => phase === 'mutating');
  return mutators.flatMap((hook, index) => {
    if (hook.webhook.reinvocationPolicy === 'IfNeeded') return [];
    const later = mutators.slice(index + 1).filter((other) => other.at !== hook.at && bothMatchPodCreates(hook, other));
    const [first] = later;
    if (first === undefined) return [];
    return [
      {
        ...webhookField(hook, 'reinvocationPolicy', { reinvocationPolicy: 'IfNeeded' }),
        rule: 'called-too-early',
        severity: 'note',
        title: `${webhookTitle(hook)} is called before ${first.webhook.name} of ${first.at.name}, and not again (reinvocationPolicy Never)`,
        harm: `it does not process containers, volumes and labels that ${first.webhook.name} adds to a Pod: a sidecar has no credentials, an image is not rewritten`,
        remedy: 'IfNeeded, if it can be called with its own result',
      },
    ];
  });
};

const bothMatchPodCreates = (one: LintHook, other: LintHook): boolean =>
  matchesPodCreates(one) && matchesPodCreates(other);

const matchesPodCreates = ({ seen }: LintHook): boolean =>
  seen.some(({ row, operation }) => row.resource === 'pods' && row.subresource === '' && operation === 'CREATE');
