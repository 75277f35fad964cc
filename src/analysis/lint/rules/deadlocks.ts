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
        title: `${hookName(hook)} guards what its own backend ${service.namespace}/${service.name} needs: ${wordsOf(all)}${unlessOf(all)}`,
        harm: `when no Pod of ${service.name} answers, none can be created either, since the webhook is asked about it and fails closed: it never comes back by itself`,
        remedy: `leave namespace ${service.namespace} out with namespaceSelector`,
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
      title: `${hookName(hook)} guards the objects behind its own backend ${service.namespace}/${service.name}: ${wordsOf(all)}${unlessOf(all)}`,
      harm: `when its Service or Namespace is gone or wrong (deleted, restored from a backup, installed anew beside a configuration that stayed), it cannot be written again, since the webhook is asked about it and fails closed`,
      remedy: `leave namespace ${service.namespace} out with namespaceSelector`,
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
    title: `${from} and ${to} wait for each other: ${hookName(hook)} of ${to} guards the Pods of ${from}, and a webhook of ${from} those of ${to}${more}`,
    harm: 'when both are down at once (a restart of the cluster), neither can be created before the other answers',
    remedy: `leave the namespace of one of them out of the webhook of the other`,
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
    const inside = hook.service ? ' and so its backend, which runs on a node, does not start' : '';
    return [
      {
        ...inHook(hook, 'rules', patch),
        rule: 'guards-nodes' as const,
        severity: severityOf(all),
        title: `${hookName(hook)} guards what nodes need: ${wordsOf(all)}${unlessOf(all)}`,
        harm: `while it does not answer, no node becomes or stays ready${inside}`,
        remedy:
          'leave these resources out, by rules that name what the webhook is about or by the selector and condition below',
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
        title: `${hookName(hook)} guards kube-system: ${wordsOf(all)}${unlessOf(all)}`,
        harm: 'while it does not answer, DNS, network plugins and controllers cannot be started or replaced, and often it needs one of them itself',
        remedy: 'leave kube-system out with namespaceSelector',
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
          title: `${hookName(hook)} takes the renewal of Leases and may hold each up for ${hook.webhook.timeoutSeconds} s${unlessOf(all)}`,
          harm: `who renews a Lease waits ${renewSeconds} s: while the backend hangs, leaders step down and nodes are taken for lost, although failurePolicy is Ignore`,
          remedy: 'leave Leases out, or give the webhook a timeoutSeconds well below 10',
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
      title: `${hooks.length} webhooks take the renewal of Leases and may hold each up for ${budget.worstCase} s together; the most takes ${hookName(slowest)}`,
      harm: `who renews a Lease waits ${renewSeconds} s: while backends hang, leaders step down and nodes are taken for lost, whatever failurePolicy says`,
      remedy: 'leave Leases out, or give them timeouts that fit together',
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
