import { computeBudgets, fittingTimeout } from '../model/budget.ts';
import { stronglyConnected } from '../model/cycles.ts';
import { matchesWrite, matchesRules, type PossibleWrite } from '../model/rule-subsumption.ts';
import { type LintHook, type LintSet, excludeNamespaces, excludeResources } from '../model/lint-set.ts';
import { type LintCheck, type UnplacedFinding, webhookTitle, webhookField } from '../finding.ts';
import { serviceWrites, nodeWrites, systemWrites, backendWrites } from '../model/critical-writes.ts';

/** A write that a webhook matches, and what may exclude it. */
interface InterceptedWrite {
  readonly write: PossibleWrite;
  readonly unless: string | undefined;
}

/** The writes that fail while this webhook is down. */
function interceptedWrites(hook: LintHook, writes: readonly PossibleWrite[]): readonly InterceptedWrite[] {
  return writes.flatMap((write) => {
    const cover = matchesWrite(hook, write);
    if (cover.outcome === 'no') return [];
    return [{ write, unless: cover.outcome === 'perhaps' ? cover.unless : undefined }];
  });
}

const failsClosed = ({ webhook }: LintHook): boolean => webhook.failurePolicy === 'Fail';

/** A webhook with failurePolicy Fail that matches what its own backend needs to recover. */
export const guardsItself: LintCheck = (set) =>
  set.hooks.flatMap((hook) => {
    const { service } = hook;
    if (service === undefined || !failsClosed(hook)) return [];
    const all = interceptedWrites(hook, backendWrites(set, service));
    if (all.length === 0) return guardsOwnService(set, hook, service);
    return [
      {
        ...webhookField(hook, 'rules', excludeNamespaces(hook, [service.namespace])),
        rule: 'guards-itself' as const,
        severity: severityOf(all),
        title: `${webhookTitle(hook)} matches writes that its own backend ${service.namespace}/${service.name} needs: ${writesText(all)}${unlessText(all)}`,
        harm: `when all Pods of ${service.name} are down, no new one can be created, because the webhook is called for it and fails closed: the backend cannot recover by itself`,
        remedy: `exclude namespace ${service.namespace} with namespaceSelector`,
      },
    ];
  });

/** It matches its own Service or Namespace: its Pods recover, but a reinstallation fails. */
function guardsOwnService(
  set: LintSet,
  hook: LintHook,
  service: NonNullable<LintHook['service']>,
): readonly UnplacedFinding[] {
  const all = interceptedWrites(hook, serviceWrites(set, service));
  if (all.length === 0) return [];
  const isCertain = severityOf(all) === 'error';
  return [
    {
      ...webhookField(hook, 'rules', excludeNamespaces(hook, [service.namespace])),
      rule: 'guards-itself',
      severity: isCertain ? 'warning' : 'note',
      title: `${webhookTitle(hook)} matches the objects of its own backend ${service.namespace}/${service.name}: ${writesText(all)}${unlessText(all)}`,
      harm: `when its Service or Namespace is missing or wrong (deleted, restored from a backup, reinstalled while the configuration remained), it cannot be written again, because the webhook is called for it and fails closed`,
      remedy: `exclude namespace ${service.namespace} with namespaceSelector`,
    },
  ];
}

/** Backends that need each other: each is guarded by the next one's webhook. One finding per webhook. */
export const guardsEachOther: LintCheck = (set) => {
  const needs = findDependencies(set);
  const circleOf = stronglyConnected(needs.map(({ from, hook }) => [from, backendName(hook)]));
  const seen = new Set<string>();
  const waiting = new Map<LintHook, string[]>();
  for (const { from, hook } of needs) {
    const to = backendName(hook);
    const key = from < to ? `${from} ${to}` : `${to} ${from}`;
    if (from === to || seen.has(key) || circleOf.get(from) !== circleOf.get(to)) continue;
    seen.add(key);
    const known = waiting.get(hook);
    if (known) known.push(from);
    else waiting.set(hook, [from]);
  }
  return [...waiting].map(([hook, all]) => mutualFinding(hook, all));
};

function mutualFinding(hook: LintHook, waiting: readonly string[]): UnplacedFinding {
  const [from = '', ...others] = waiting;
  const to = backendName(hook);
  const namespaces = [...new Set(waiting.map((one) => one.split('/')[0] ?? ''))];
  const more =
    others.length === 0
      ? ''
      : `; so do ${others.slice(0, 3).join(', ')}${others.length > 3 ? ` and ${others.length - 3} more` : ''}`;
  return {
    ...webhookField(hook, 'rules', excludeNamespaces(hook, namespaces)),
    rule: 'guards-each-other',
    severity: 'error',
    title: `${from} and ${to} depend on each other: ${webhookTitle(hook)} of ${to} matches the Pods of ${from}, and a webhook of ${from} matches those of ${to}${more}`,
    harm: 'when both are down (a restart of the cluster), neither can be created before the other responds',
    remedy: `exclude the namespace of one of them from the webhook of the other`,
  };
}

interface BackendDependency {
  readonly from: string;
  readonly hook: LintHook;
}

const backendName = ({ service }: LintHook): string => (service ? `${service.namespace}/${service.name}` : '');

/** Which backend needs which webhook, as far as certain. */
function findDependencies(set: LintSet): readonly BackendDependency[] {
  const inside = set.hooks.filter(({ service }) => service !== undefined);
  const backends = new Map(inside.map((hook) => [backendName(hook), hook.service]));
  const closed = inside.filter(failsClosed);
  return [...backends].flatMap(([from, service]) => {
    const writes = service ? backendWrites(set, service) : [];
    // Webhooks often share rules; writes that these do not match are skipped.
    const seen = new Map<LintHook['seen'], readonly PossibleWrite[]>();
    return closed
      .filter((hook) => {
        const own = seen.get(hook.seen) ?? writes.filter((write) => matchesRules(hook, write));
        seen.set(hook.seen, own);
        return own.some((write) => matchesWrite(hook, write).outcome === 'yes');
      })
      .map((hook) => ({ from, hook }));
  });
}

/** A webhook with failurePolicy Fail that matches what nodes need. */
export const guardsNodes: LintCheck = (set) =>
  set.hooks.filter(failsClosed).flatMap((hook) => {
    const all = interceptedWrites(hook, nodeWrites(set));
    if (all.length === 0) return [];
    const resources = all
      .map(({ write }) => write)
      .filter(({ namespace }) => namespace === '')
      .map(({ row }) => row.resource);
    const namespaces = all.flatMap(({ write }) => (write.namespace === '' ? [] : [write.namespace]));
    const patch = {
      ...(resources.length > 0 ? excludeResources(hook, resources) : {}),
      ...(namespaces.length > 0 ? excludeNamespaces(hook, namespaces) : {}),
    };
    const inside = hook.service ? ', so its backend, which runs on a node, does not start' : '';
    return [
      {
        ...webhookField(hook, 'rules', patch),
        rule: 'guards-nodes' as const,
        severity: severityOf(all),
        title: `${webhookTitle(hook)} matches writes that nodes need: ${writesText(all)}${unlessText(all)}`,
        harm: `while it is down, no node becomes or stays ready${inside}`,
        remedy:
          'exclude these resources: list only the resources that the webhook handles, or use the selector and condition below',
      },
    ];
  });

/** A webhook with failurePolicy Fail that matches what the control plane needs. */
export const guardsKubeSystem: LintCheck = (set) =>
  set.hooks.filter(failsClosed).flatMap((hook) => {
    const all = interceptedWrites(hook, systemWrites(set));
    if (all.length === 0 || hook.service?.namespace === 'kube-system') return [];
    return [
      {
        ...webhookField(hook, 'rules', excludeNamespaces(hook, ['kube-system'])),
        rule: 'guards-kube-system' as const,
        severity: severityOf(all) === 'error' ? ('warning' as const) : ('note' as const),
        title: `${webhookTitle(hook)} matches kube-system: ${writesText(all)}${unlessText(all)}`,
        harm: 'while it is down, DNS, network plugins and controllers cannot be started or replaced, and the webhook itself often needs one of them',
        remedy: 'exclude kube-system with namespaceSelector',
      },
    ];
  });

/** Seconds: client-go leaderelection RenewDeadline, kubelet nodelease. */
const renewSeconds = 10;

/** Webhooks with failurePolicy Ignore that delay the renewal of Leases beyond its deadline, alone or together. */
export const slowLeases: LintCheck = (set) => {
  const alone = slowLeasesAlone(set);
  return alone.length > 0 ? alone : slowLeasesTogether(set);
};

const leaseWrites = (set: LintSet): readonly PossibleWrite[] =>
  [...nodeWrites(set), ...systemWrites(set)].filter(({ row }) => row.resource === 'leases');

const slowLeasesAlone: LintCheck = (set) =>
  set.hooks
    .filter((hook) => !failsClosed(hook) && hook.webhook.timeoutSeconds >= renewSeconds)
    .flatMap((hook) => {
      const all = interceptedWrites(hook, leaseWrites(set));
      if (all.length === 0) return [];
      return [
        {
          ...webhookField(hook, 'rules', excludeNamespaces(hook, ['kube-node-lease', 'kube-system'])),
          rule: 'slow-leases' as const,
          severity: 'warning' as const,
          title: `${webhookTitle(hook)} matches the renewal of Leases and may delay each for ${hook.webhook.timeoutSeconds} s${unlessText(all)}`,
          harm: `clients renew a Lease with a timeout of ${renewSeconds} s: while the backend hangs, leaders step down and nodes become NotReady, although failurePolicy is Ignore`,
          remedy: 'exclude Leases, or set timeoutSeconds well below 10',
        },
      ];
    });

const slowLeasesTogether: LintCheck = (set) => {
  const hooks = set.hooks.filter((hook) =>
    interceptedWrites(hook, leaseWrites(set)).some(({ unless }) => unless === undefined),
  );
  const budget = computeBudgets({ hooks }, renewSeconds).find(({ requests }) =>
    requests.includes('UPDATE leases.coordination.k8s.io'),
  );
  const [slowest] = hooks.toSorted((one, other) => other.webhook.timeoutSeconds - one.webhook.timeoutSeconds);
  if (!budget || !slowest || budget.worstCase <= renewSeconds) return [];
  return [
    {
      ...webhookField(slowest, 'timeoutSeconds', { timeoutSeconds: fittingTimeout(budget) }),
      rule: 'slow-leases',
      severity: 'warning',
      title: `${hooks.length} webhooks match the renewal of Leases and may delay each for ${budget.worstCase} s together; the longest timeout is that of ${webhookTitle(slowest)}`,
      harm: `clients renew a Lease with a timeout of ${renewSeconds} s: while backends hang, leaders step down and nodes become NotReady, whatever the failurePolicy`,
      remedy: `exclude Leases, or reduce the timeouts so that their sum stays below ${renewSeconds} s`,
    },
  ];
};

const severityOf = (all: readonly InterceptedWrite[]): 'error' | 'note' =>
  all.some(({ unless }) => unless === undefined) ? 'error' : 'note';

const writesText = (all: readonly InterceptedWrite[]): string =>
  [
    ...new Set(
      all.map(({ write: { title, namespace, row } }) =>
        namespace === '' || row.resource === 'namespaces' ? title : `${title} in ${namespace}`,
      ),
    ),
  ].join(', ');

/** Named only where nothing is certain. */
const unlessText = (all: readonly InterceptedWrite[]): string =>
  all.every(({ unless }) => unless !== undefined) && all[0]?.unless !== undefined ? `, unless ${all[0].unless}` : '';
