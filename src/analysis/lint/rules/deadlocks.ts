import { budgetsOf, fittingTimeout } from '../model/budget.ts';
import { stronglyConnected } from '../model/cycles.ts';
import { matchesWrite, matchesRules, type PossibleWrite } from '../model/rule-subsumption.ts';
import { type LintHook, type LintSet, withoutNamespaces, withoutResources } from '../model/lint-set.ts';
import { type LintCheck, type UnplacedFinding, hookName, inHook } from '../finding.ts';
import { serviceWrites, nodeWrites, systemWrites, writesFor } from '../model/critical-writes.ts';

/** A write that a webhook matches, and what may exclude it. */
interface Taken {
  readonly write: PossibleWrite;
  readonly unless: string | undefined;
}

/** The writes that fail while this webhook is down. */
function taken(hook: LintHook, writes: readonly PossibleWrite[]): readonly Taken[] {
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
    const all = taken(hook, writesFor(set, service));
    if (all.length === 0) return guardsItsHome(set, hook, service);
    return [
      {
        ...inHook(hook, 'rules', withoutNamespaces(hook, [service.namespace])),
        rule: 'guards-itself' as const,
        severity: severityOf(all),
        title: `${hookName(hook)} matches writes that its own backend ${service.namespace}/${service.name} needs: ${wordsOf(all)}${unlessOf(all)}`,
        harm: `when all Pods of ${service.name} are down, no new one can be created, because the webhook is called for it and fails closed: the backend cannot recover by itself`,
        remedy: `exclude namespace ${service.namespace} with namespaceSelector`,
      },
    ];
  });

/** It matches its own Service or Namespace: its Pods recover, but a reinstallation fails. */
function guardsItsHome(
  set: LintSet,
  hook: LintHook,
  service: NonNullable<LintHook['service']>,
): readonly UnplacedFinding[] {
  const all = taken(hook, serviceWrites(set, service));
  if (all.length === 0) return [];
  const isCertain = severityOf(all) === 'error';
  return [
    {
      ...inHook(hook, 'rules', withoutNamespaces(hook, [service.namespace])),
      rule: 'guards-itself',
      severity: isCertain ? 'warning' : 'note',
      title: `${hookName(hook)} matches the objects of its own backend ${service.namespace}/${service.name}: ${wordsOf(all)}${unlessOf(all)}`,
      harm: `when its Service or Namespace is missing or wrong (deleted, restored from a backup, reinstalled while the configuration remained), it cannot be written again, because the webhook is called for it and fails closed`,
      remedy: `exclude namespace ${service.namespace} with namespaceSelector`,
    },
  ];
}

/** Backends that need each other: each is guarded by the next one's webhook. One finding per webhook. */
export const guardsEachOther: LintCheck = (set) => {
  const needs = needsAmong(set);
  const circleOf = stronglyConnected(needs.map(({ from, hook }) => [from, keyOf(hook)]));
  const seen = new Set<string>();
  const waiting = new Map<LintHook, string[]>();
  for (const { from, hook } of needs) {
    const to = keyOf(hook);
    const key = from < to ? `${from} ${to}` : `${to} ${from}`;
    if (from === to || seen.has(key) || circleOf.get(from) !== circleOf.get(to)) continue;
    seen.add(key);
    const known = waiting.get(hook);
    if (known) known.push(from);
    else waiting.set(hook, [from]);
  }
  return [...waiting].map(([hook, all]) => eachOther(hook, all));
};

function eachOther(hook: LintHook, waiting: readonly string[]): UnplacedFinding {
  const [from = '', ...others] = waiting;
  const to = keyOf(hook);
  const namespaces = [...new Set(waiting.map((one) => one.split('/')[0] ?? ''))];
  const more =
    others.length === 0
      ? ''
      : `; so do ${others.slice(0, 3).join(', ')}${others.length > 3 ? ` and ${others.length - 3} more` : ''}`;
  return {
    ...inHook(hook, 'rules', withoutNamespaces(hook, namespaces)),
    rule: 'guards-each-other',
    severity: 'error',
    title: `${from} and ${to} depend on each other: ${hookName(hook)} of ${to} matches the Pods of ${from}, and a webhook of ${from} matches those of ${to}${more}`,
    harm: 'when both are down (a restart of the cluster), neither can be created before the other responds',
    remedy: `exclude the namespace of one of them from the webhook of the other`,
  };
}

interface Need {
  readonly from: string;
  readonly hook: LintHook;
}

const keyOf = ({ service }: LintHook): string => (service ? `${service.namespace}/${service.name}` : '');

/** Which backend needs which webhook, as far as certain. */
function needsAmong(set: LintSet): readonly Need[] {
  const inside = set.hooks.filter(({ service }) => service !== undefined);
  const backends = new Map(inside.map((hook) => [keyOf(hook), hook.service]));
  const closed = inside.filter(failsClosed);
  return [...backends].flatMap(([from, service]) => {
    const writes = service ? writesFor(set, service) : [];
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
    const all = taken(hook, nodeWrites(set));
    if (all.length === 0) return [];
    const resources = all
      .map(({ write }) => write)
      .filter(({ namespace }) => namespace === '')
      .map(({ row }) => row.resource);
    const namespaces = all.flatMap(({ write }) => (write.namespace === '' ? [] : [write.namespace]));
    const patch = {
      ...(resources.length > 0 ? withoutResources(hook, resources) : {}),
      ...(namespaces.length > 0 ? withoutNamespaces(hook, namespaces) : {}),
    };
    const inside = hook.service ? ', so its backend, which runs on a node, does not start' : '';
    return [
      {
        ...inHook(hook, 'rules', patch),
        rule: 'guards-nodes' as const,
        severity: severityOf(all),
        title: `${hookName(hook)} matches writes that nodes need: ${wordsOf(all)}${unlessOf(all)}`,
        harm: `while it is down, no node becomes or stays ready${inside}`,
        remedy:
          'exclude these resources: list only the resources that the webhook handles, or use the selector and condition below',
      },
    ];
  });

/** A webhook with failurePolicy Fail that matches what the control plane needs. */
export const guardsKubeSystem: LintCheck = (set) =>
  set.hooks.filter(failsClosed).flatMap((hook) => {
    const all = taken(hook, systemWrites(set));
    if (all.length === 0 || hook.service?.namespace === 'kube-system') return [];
    return [
      {
        ...inHook(hook, 'rules', withoutNamespaces(hook, ['kube-system'])),
        rule: 'guards-kube-system' as const,
        severity: severityOf(all) === 'error' ? ('warning' as const) : ('note' as const),
        title: `${hookName(hook)} matches kube-system: ${wordsOf(all)}${unlessOf(all)}`,
        harm: 'while it is down, DNS, network plugins and controllers cannot be started or replaced, and the webhook itself often needs one of them',
        remedy: 'exclude kube-system with namespaceSelector',
      },
    ];
  });

/** Seconds: client-go leaderelection RenewDeadline, kubelet nodelease. */
const renewSeconds = 10;

/** Webhooks with failurePolicy Ignore that delay the renewal of Leases beyond its deadline, alone or together. */
export const slowLeases: LintCheck = (set) => {
  const alone = slowAlone(set);
  return alone.length > 0 ? alone : slowTogether(set);
};

const leasesOf = (set: LintSet): readonly PossibleWrite[] =>
  [...nodeWrites(set), ...systemWrites(set)].filter(({ row }) => row.resource === 'leases');

const slowAlone: LintCheck = (set) =>
  set.hooks
    .filter((hook) => !failsClosed(hook) && hook.webhook.timeoutSeconds >= renewSeconds)
    .flatMap((hook) => {
      const all = taken(hook, leasesOf(set));
      if (all.length === 0) return [];
      return [
        {
          ...inHook(hook, 'rules', withoutNamespaces(hook, ['kube-node-lease', 'kube-system'])),
          rule: 'slow-leases' as const,
          severity: 'warning' as const,
          title: `${hookName(hook)} matches the renewal of Leases and may delay each for ${hook.webhook.timeoutSeconds} s${unlessOf(all)}`,
          harm: `clients renew a Lease with a timeout of ${renewSeconds} s: while the backend hangs, leaders step down and nodes become NotReady, although failurePolicy is Ignore`,
          remedy: 'exclude Leases, or set timeoutSeconds well below 10',
        },
      ];
    });

const slowTogether: LintCheck = (set) => {
  const hooks = set.hooks.filter((hook) => taken(hook, leasesOf(set)).some(({ unless }) => unless === undefined));
  const budget = budgetsOf({ hooks }, renewSeconds).find(({ requests }) =>
    requests.includes('UPDATE leases.coordination.k8s.io'),
  );
  const [slowest] = hooks.toSorted((one, other) => other.webhook.timeoutSeconds - one.webhook.timeoutSeconds);
  if (!budget || !slowest || budget.worstCase <= renewSeconds) return [];
  return [
    {
      ...inHook(slowest, 'timeoutSeconds', { timeoutSeconds: fittingTimeout(budget) }),
      rule: 'slow-leases',
      severity: 'warning',
      title: `${hooks.length} webhooks match the renewal of Leases and may delay each for ${budget.worstCase} s together; the longest timeout is that of ${hookName(slowest)}`,
      harm: `clients renew a Lease with a timeout of ${renewSeconds} s: while backends hang, leaders step down and nodes become NotReady, whatever the failurePolicy`,
      remedy: `exclude Leases, or reduce the timeouts so that their sum stays below ${renewSeconds} s`,
    },
  ];
};

const severityOf = (all: readonly Taken[]): 'error' | 'note' =>
  all.some(({ unless }) => unless === undefined) ? 'error' : 'note';

const wordsOf = (all: readonly Taken[]): string =>
  [
    ...new Set(
      all.map(({ write: { title, namespace, row } }) =>
        namespace === '' || row.resource === 'namespaces' ? title : `${title} in ${namespace}`,
      ),
    ),
  ].join(', ');

/** Named only where nothing is certain. */
const unlessOf = (all: readonly Taken[]): string =>
  all.every(({ unless }) => unless !== undefined) && all[0]?.unless !== undefined ? `, unless ${all[0].unless}` : '';
