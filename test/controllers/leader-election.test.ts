import { expect, test } from 'vitest';
import { asObject } from '../../src/machinery/json/json.ts';
import { type Candidacy, type Candidate, leaseKey, runForElection } from '../../src/controllers/leader-election.ts';
import { createMemoryStore } from '../../src/apiserver/storage/memory-store.ts';
import { createVirtualClock } from '../harness/virtual-clock.ts';

/** Candidates on one storage, which never answers those in `cut`, and what they did. */
function createElection() {
  const storage = createMemoryStore();
  const clock = createVirtualClock();
  const leaderChanges: string[] = [];
  const cut = new Set<string>();
  const reached =
    <Args extends readonly unknown[], T>(identity: string, act: (...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T> =>
      cut.has(identity) ? new Promise(() => {}) : act(...args);
  const campaign = (identity: string, slow?: Partial<Candidate>): Candidacy =>
    runForElection({
      identity,
      storage: {
        read: reached(identity, storage.read),
        create: reached(identity, storage.create),
        update: reached(identity, storage.update),
      },
      clock,
      random: () => 0,
      newUid: () => 'uid',
      begin: () => leaderChanges.push(`${identity} leads`),
      end: async () => void leaderChanges.push(`${identity} ends`),
      ...slow,
    });
  const lease = async () => asObject((await storage.read(leaseKey))?.object['spec']);
  return { storage, clock, leaderChanges, cut, campaign, lease };
}

// Source: client-go tools/leaderelection/leaderelection.go, with kube-controller-manager's defaults of 15, 10 and 2 seconds.
test('of three candidates one leads, for as long as it renews the Lease', async () => {
  const { clock, leaderChanges, campaign, lease } = createElection();
  const all = ['a', 'b', 'c'].map((identity) => campaign(identity));
  await Promise.all(all.map(({ attempted }) => attempted));
  await clock.advance(60_000);
  expect(leaderChanges).toEqual(['a leads']);
  expect(await lease()).toEqual({
    holderIdentity: 'a',
    leaseDurationSeconds: 15,
    acquireTime: '2026-01-01T00:00:00.000000Z',
    renewTime: '2026-01-01T00:01:00.000000Z',
    leaseTransitions: 0,
  });
  await Promise.all(all.map(({ close }) => close()));
});

test('a closed leader releases the Lease, and the next candidate leads after its retry period', async () => {
  const { clock, leaderChanges, campaign, lease } = createElection();
  const first = campaign('a');
  await first.attempted;
  const second = campaign('b');
  await clock.advance(5000);
  await first.close();
  expect(await lease()).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
  await clock.advance(2000);
  expect(leaderChanges).toEqual(['a leads', 'a ends', 'b leads']);
  expect(await lease()).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  await second.close();
});

test.each([
  [9999, ['a leads']],
  [10_000, ['a leads', 'a ends']],
  [17_000, ['a leads', 'a ends', 'b leads']],
])('a leader without storage stops before its Lease expires for the others: after %i ms', async (after, expected) => {
  const { clock, leaderChanges, cut, campaign } = createElection();
  const first = campaign('a');
  await first.attempted;
  const second = campaign('b');
  cut.add('a');
  await clock.advance(after);
  expect(leaderChanges).toEqual(expected);
  await Promise.all([first, second].map(async ({ close }) => [close(), await clock.advance(1000)]));
});

test('a Lease of another holder is respected until it has expired since it was observed, whatever the other clock says', async () => {
  const { storage, clock, leaderChanges, campaign } = createElection();
  const spec = { holderIdentity: 'kcm', leaseDurationSeconds: 15, renewTime: '2020-01-01T00:00:00.000000Z' };
  await storage.create(leaseKey, { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', metadata: {}, spec });
  const candidacy = campaign('a');
  await candidacy.attempted;
  await clock.advance(14_000);
  expect(leaderChanges).toEqual([]);
  await clock.advance(2000);
  expect(leaderChanges).toEqual(['a leads']);
  await candidacy.close();
});

test('a leader whose Lease is taken stops at once', async () => {
  const { storage, clock, leaderChanges, campaign } = createElection();
  const candidacy = campaign('a');
  await candidacy.attempted;
  const stored = await storage.read(leaseKey);
  const spec = { ...asObject(stored?.object['spec']), holderIdentity: 'other' };
  if (stored) await storage.update(leaseKey, { ...stored.object, spec }, stored.revision);
  await clock.advance(2000);
  expect(leaderChanges).toEqual(['a leads', 'a ends']);
  await candidacy.close();
});

test('the Lease is released only after the controllers have stopped', async () => {
  const { clock, campaign, lease } = createElection();
  let over = (): void => {};
  const end = () => new Promise<void>((resolve) => (over = resolve));
  const candidacy = campaign('a', { end });
  await candidacy.attempted;
  const closing = candidacy.close();
  await clock.advance(100);
  expect(await lease()).toMatchObject({ holderIdentity: 'a' });
  over();
  await closing;
  expect(await lease()).toMatchObject({ holderIdentity: '' });
});
