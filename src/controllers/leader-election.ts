import type { Lease, LeaseSpec } from '../api/types/generated/coordination-v1.ts';
import type { Storage, StoreKey, StoredObject } from '../apiserver/storage/storage.ts';
import type { Clock, NewUid, Random } from '../machinery/clock.ts';
import { asObject, asString } from '../machinery/json/json.ts';
import type { KubernetesObject } from '../machinery/meta/object.ts';
import { formatMicroTime, formatTime } from '../machinery/meta/time.ts';
import { abortReason } from './abort-signals.ts';
import type { ControllersHandle } from './start-controllers.ts';

export interface Candidate {
  /** Unique for this process. */
  readonly identity: string;
  readonly storage: Pick<Storage, 'read' | 'create' | 'update'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly newUid: NewUid;
  readonly begin: () => void;
  /** Called when it loses the lead; the Lease is released after this resolves. */
  readonly end: () => Promise<void>;
}

export interface Candidacy {
  /** Resolves after the first attempt: it leads, another process leads, or storage failed. */
  readonly attempted: Promise<void>;
  /** Ends the lead and releases the Lease, so that the next candidate need not wait. */
  readonly close: () => Promise<void>;
}

/** The defaults of --leader-elect-lease-duration, --leader-elect-renew-deadline and --leader-elect-retry-period. */
export const leaseSeconds = 15;
const renewDeadlineMs = 10_000;
const retryMs = 2000;
/** Each wait is up to this much longer. */
const jitter = 1.2;
/** The maximum wait for the release at shutdown. */
const releaseTimeoutMs = 500;

/** kube-controller-manager's own Lease: of those that share an etcd, one leads. */
export const leaseKey: StoreKey = {
  resource: { group: 'coordination.k8s.io', resource: 'leases' },
  namespace: 'kube-system',
  name: 'kube-controller-manager',
};

/**
 * Takes part in the election until closed. At most one candidate of a storage leads, since a leader that cannot renew
 * stops before its Lease expires for the others. Renewals skip the admission chain: they would fill traces and the
 * audit log. Follows client-go tools/leaderelection/leaderelection.go.
 */
export function runForElection(candidate: Candidate): Candidacy {
  const { clock, random } = candidate;
  const lease = holdLease(candidate);
  const stop = new AbortController();
  const stopped = new Promise<AcquireResult>((resolve) => {
    stop.signal.addEventListener('abort', () => resolve('unknown'), { once: true });
  });
  /** Limits the wait for storage. */
  const within = async (milliseconds: number, act: () => Promise<AcquireResult>): Promise<AcquireResult> => {
    const over = new AbortController();
    const late = clock.sleep(milliseconds, over.signal).then((): AcquireResult => 'unknown');
    const outcome = await Promise.race([act(), late]);
    over.abort(abortReason);
    return outcome;
  };
  const lead = async (since: number): Promise<void> => {
    let renewedAt = since;
    candidate.begin();
    while (!stop.signal.aborted) {
      await clock.sleep(retryMs, stop.signal);
      const attemptedAt = clock.now();
      const remainingMs = renewedAt + renewDeadlineMs - attemptedAt;
      const now = remainingMs > 0 ? await Promise.race([within(remainingMs, lease.acquireOrRenew), stopped]) : 'taken';
      if (now === 'ours') renewedAt = attemptedAt;
      if (now === 'taken' || renewedAt + renewDeadlineMs <= clock.now()) break;
    }
    await candidate.end();
  };
  let resolveAttempted = (): void => {};
  const attempted = new Promise<void>((resolve) => (resolveAttempted = resolve));
  const campaign = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const attemptedAt = clock.now();
      const isOurs = (await Promise.race([lease.acquireOrRenew(), stopped])) === 'ours';
      const leading = isOurs && !stop.signal.aborted ? lead(attemptedAt) : undefined;
      resolveAttempted();
      await leading;
      await clock.sleep(retryMs * (1 + random() * jitter), stop.signal);
    }
    await within(releaseTimeoutMs, lease.release);
  };
  const campaigning = campaign();
  return {
    attempted,
    close: async () => {
      stop.abort(abortReason);
      await campaigning;
    },
  };
}

type AcquireResult = 'ours' | 'taken' | 'unknown';

interface LeaseHolder {
  /** Acquires or renews the Lease; 'unknown' when storage failed. */
  readonly acquireOrRenew: () => Promise<AcquireResult>;
  readonly release: () => Promise<AcquireResult>;
}

function holdLease({ storage, clock, identity, newUid }: Candidate): LeaseHolder {
  // Clocks may differ: the Lease expires this long after its last change was seen here.
  let observedRecord: { readonly stored: StoredObject; readonly at: number } | undefined;
  const observe = (stored: StoredObject): StoredObject => {
    if (observedRecord?.stored.revision !== stored.revision) observedRecord = { stored, at: clock.now() };
    return stored;
  };
  const ourSpec = (before: LeaseSpec): LeaseSpec => {
    const isRenewal = before.holderIdentity === identity;
    const now = formatMicroTime(clock.now());
    return {
      ...before,
      holderIdentity: identity,
      leaseDurationSeconds: leaseSeconds,
      acquireTime: isRenewal ? (before.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: Number(before.leaseTransitions ?? 0) + (isRenewal ? 0 : 1),
    };
  };
  const write = async (there: StoredObject | undefined): Promise<AcquireResult> => {
    const written = there
      ? await storage.update(leaseKey, { ...there.object, spec: ourSpec(leaseSpec(there.object)) }, there.revision)
      : await storage.create(leaseKey, newLease(newUid(), clock.now(), ourSpec({})));
    if (written.outcome !== 'missing') observe(written.stored);
    return written.outcome === 'stored' ? 'ours' : 'taken';
  };
  const acquireOrRenew = async (): Promise<AcquireResult> => {
    const there = await storage.read(leaseKey);
    return there && isHeld(observe(there)) ? 'taken' : write(there);
  };
  const isHeld = ({ object }: StoredObject): boolean => {
    const { holderIdentity, leaseDurationSeconds } = leaseSpec(object);
    if (asString(holderIdentity) === '' || holderIdentity === identity) return false;
    return (observedRecord?.at ?? 0) + Number(leaseDurationSeconds ?? 0) * 1000 > clock.now();
  };
  return {
    acquireOrRenew: () => acquireOrRenew().catch(() => 'unknown'),
    release: async () => {
      const there = await storage.read(leaseKey).catch(() => undefined);
      const spec = there ? leaseSpec(there.object) : {};
      if (!there || spec.holderIdentity !== identity) return 'taken';
      const free = { ...spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: formatMicroTime(clock.now()) };
      await storage.update(leaseKey, { ...there.object, spec: free }, there.revision).catch(() => undefined);
      return 'taken';
    },
  };
}

const leaseSpec = (lease: Lease): LeaseSpec => asObject(lease.spec);

const newLease = (uid: string, now: number, spec: LeaseSpec): KubernetesObject => ({
  kind: 'Lease',
  apiVersion: 'coordination.k8s.io/v1',
  metadata: { name: leaseKey.name, namespace: leaseKey.namespace, uid, creationTimestamp: formatTime(now) },
  spec: { ...spec, leaseTransitions: 0 },
});

interface LeaderElectionOptions extends Omit<Candidate, 'begin' | 'end'> {
  readonly start: () => ControllersHandle;
}

/**
 * Runs `start` while this process is the leader. Idle after the first attempt to get the Lease while another process
 * leads.
 */
export function runWithLeaderElection({ start, ...candidate }: LeaderElectionOptions): ControllersHandle {
  let running: ControllersHandle | undefined;
  let hasAttempted = false;
  const candidacy = runForElection({
    ...candidate,
    begin: () => (running = start()),
    end: async () => {
      await running?.close();
      running = undefined;
    },
  });
  const attempted = candidacy.attempted.then(() => (hasAttempted = true));
  return {
    isIdle: () => hasAttempted && (running?.isIdle() ?? true),
    busyControllers: () => running?.busyControllers() ?? [],
    idle: async () => {
      await attempted;
      await running?.idle();
    },
    close: candidacy.close,
  };
}
